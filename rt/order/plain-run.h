// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain runs: the logs of such a run in a short form, the plain logs. Each rank makes its own one, and sends it to the
// rank that judges all of them (judge/transport/plain-run-gather.h).
//
// The event of a message has only what the call said, so loops leave the same 32 bytes many times. Each different event
// is a word, and a plain log has the word's code of two bytes in place of the event.
//
// Messages of a channel match in order (MPI-3.1 3.5), so a walk over all plain logs needs no table of matches: each
// channel is a queue. That holds for plain runs: sends wait for no rank, receives and collectives are blocking. A
// nonblocking receive that the next MPI call completes counts as blocking. Other runs need pairs.h.
#pragma once
#include "base/hash-table.h"
#include "order/order.h"

enum {
  MCK_CODE_NOTHING,
  MCK_CODE_MEETING,
  MCK_CODE_WORD
}; // the codes of a unit: a call that orders nothing; a collective; the words, from here on
// Does the event order others in a way that a plain log cannot express?
bool mck_plain_run_is_other_call(const struct mck_event *e);
// Does the RECV at index stay open during other calls? left: units from e on. Definitions may stand before the call
// that completes it.
static inline bool mck_plain_run_is_open(const struct mck_event *e, uint64_t index, uint64_t left) {
  if (e->kind != MCK_EV_RECV || !(e->flags & MCK_FLAG_NONBLOCKING)) return false;
  uint64_t i = 1;
  while (i < left && e[i].kind >= MCK_EV_DEF_MODULE) i += mck_event_units(&e[i]);
  return i >= left || (e[i].kind != MCK_EV_WAIT && e[i].kind != MCK_EV_DONE) || e[i].wait.count != 1 ||
         e[i].wait.request[0] != index;
}
// For all events but open receives.
static inline bool mck_plain_run_is_other(const struct mck_event *e) {
  if (e->kind == MCK_EV_SEND) return !mck_event_is_sent(e) || (e->flags & MCK_MODE_MASK) == MCK_FLAG_SYNC;
  if (e->kind == MCK_EV_RECV || e->kind == MCK_EV_PROBE) return !mck_event_is_known(e);
  return mck_plain_run_is_other_call(e);
}
struct mck_plain_log { // of one rank
  uint64_t units;
  uint16_t *codes;         // [index]: the number of the word, or one of the codes above
  struct mck_event *words; // entries below MCK_CODE_WORD are no words
  size_t nwords;
  uint32_t *definitions; // their places, in the order of the log
  size_t ndefinitions;
  // Set by mck_plain_run_join:
  // is_wild: it receives from any source. is_ordered: from one source with any tag: if its messages are taken in order,
  // no other message can come (plain-run-clock.c).
  struct mck_plain_word {
    uint32_t channel;
    bool is_send, is_probe, is_wild, is_ordered;
  } *uses;                      // [word]
  const struct mck_event *wild; // the first word with is_wild
  bool has_alike_wilds;         // all wild words have one communicator and one tag (or any tag)
  bool takes_any_tag;           // that is any tag
  struct mck_channel_end {
    struct mck_std_end end; // peers are world ranks
    uint32_t channel;
  } *ends;
  size_t nends, ends_capacity;
  struct mck_table ends_table;
};
// OTHER: the log is not plain; SHORT: out of memory.
enum mck_plain_result { MCK_PLAIN_READ, MCK_PLAIN_OTHER, MCK_PLAIN_SHORT };
// codes: has room for all units. Free the plain log in any case.
enum mck_plain_result mck_plain_log_read(struct mck_plain_log *plain_log, const struct mck_reader *log, uint16_t *codes,
                                         _Atomic bool *is_other);
// Checks a plain log from another process: no number in it leads out of bounds.
bool mck_plain_log_is_sound(const struct mck_plain_log *plain_log, const struct mck_reader *log);
void mck_plain_log_free(struct mck_plain_log *plain_log); // frees all but codes

struct mck_plain_run {
  struct mck_plain_log *of; // [log]
  size_t n;
  struct mck_plain_run_channel {
    uint32_t from, to;
  } *channels; // logs
  size_t nchannels, capacity;
  bool has_probes;
  void *memory, *own; // the memory of codes
};
// Reads the logs of all ranks, in their order. Free the plain run in any case.
enum mck_plain_result mck_plain_run_read(struct mck_plain_run *plain_run, const struct mck_reader *logs, size_t n);
// The step that needs all plain logs, and the definitions of their logs: the channels.
enum mck_plain_result mck_plain_run_join(struct mck_plain_run *plain_run, const struct mck_reader *logs);
void mck_plain_run_free(struct mck_plain_run *plain_run);
