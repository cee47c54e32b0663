// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain runs: a log as a text of few words. The event of a message holds only what the call said, so loops leave equal
// 32 bytes many times. Each different event is a word, and the text has a code of two bytes where the log has 32 bytes.
// So each rank reads its own log, and sends the small text to the rank that judges all of them
// (judge/transport/plain-run-gather.h).
//
// Messages of a channel match in order (MPI-3.1 3.5), so a walk over all texts needs no table of matches: each channel
// is a queue. That holds for plain runs: sends wait for no rank, receives and collectives are blocking. A nonblocking
// receive that the next MPI call completes counts as blocking. Other runs need pairs.h.
#pragma once
#include "base/hash-table.h"
#include "order/order.h"

enum {
  MCK_CODE_NOTHING,
  MCK_CODE_MEETING,
  MCK_CODE_WORD
}; // the codes of a unit: a call that orders nothing; a collective; the words, from here on
// Does the event order others in a way that a text cannot express?
bool mck_words_is_other_call(const struct mck_event *e);
// Does the RECV at index stay open during other calls? left: units from e on. Definitions may stand before the call
// that completes it.
static inline bool mck_words_is_open(const struct mck_event *e, uint64_t index, uint64_t left) {
  if (e->kind != MCK_EV_RECV || !(e->flags & MCK_FLAG_NONBLOCKING)) return false;
  uint64_t i = 1;
  while (i < left && e[i].kind >= MCK_EV_DEF_MODULE) i += mck_event_units(&e[i]);
  return i >= left || (e[i].kind != MCK_EV_WAIT && e[i].kind != MCK_EV_DONE) || e[i].wait.count != 1 ||
         e[i].wait.request[0] != index;
}
// For all events but open receives.
static inline bool mck_words_is_other(const struct mck_event *e) {
  if (e->kind == MCK_EV_SEND) return e->flags & MCK_FLAG_CANCELLED || (e->flags & MCK_MODE_MASK) == MCK_FLAG_SYNC;
  if (e->kind == MCK_EV_RECV || e->kind == MCK_EV_PROBE) return !mck_order_is_known(e);
  return mck_words_is_other_call(e);
}
struct mck_text { // the text of one log
  uint64_t units;
  uint16_t *codes;         // [index]: the number of the word, or one of the codes above
  struct mck_event *words; // entries below MCK_CODE_WORD are no words
  size_t nwords;
  uint32_t *definitions; // their places, in the order of the log
  size_t ndefinitions;
  // Set by mck_texts_join:
  // is_wild: it receives from any source. is_ordered: from one source with any tag: if its messages are taken in order,
  // no other message can come (plain-run-clock.c).
  struct mck_word {
    uint32_t channel;
    bool is_send, is_probe, is_wild, is_ordered;
  } *uses;                      // [word]
  const struct mck_event *wild; // the first word with is_wild
  bool has_alike_wilds;         // all wild words have one communicator and one tag (or any tag)
  bool takes_any_tag;           // that is any tag
  struct mck_channel_end {
    uint64_t key;
    int32_t peer, tag;
    uint32_t channel;
    bool is_send;
  } *ends;
  size_t nends, ends_capacity;
  struct mck_table ends_table;
};
enum mck_text_result { MCK_TEXT_READ, MCK_TEXT_OTHER, MCK_TEXT_SHORT }; // OTHER: it is not plain; SHORT: out of memory
// codes: has room for all units. Free the text in any case.
enum mck_text_result mck_text_read(struct mck_text *text, const struct mck_reader *log, uint16_t *codes,
                                   _Atomic bool *is_other);
// Checks a text from another process: no number in it leads out of bounds.
bool mck_text_is_sound(const struct mck_text *text, const struct mck_reader *log);
void mck_text_free(struct mck_text *text); // frees all but codes

struct mck_texts {
  struct mck_text *of; // [log]
  size_t n;
  struct mck_texts_channel {
    uint32_t from, to;
  } *channels; // logs
  size_t nchannels, capacity;
  bool has_probes;
  void *memory, *own; // the memory of codes
};
// Reads the logs of all ranks, in their order. Free the texts in any case.
enum mck_text_result mck_texts_read(struct mck_texts *texts, const struct mck_reader *logs, size_t n);
// The step that needs all texts, and the definitions of their logs: the channels.
enum mck_text_result mck_texts_join(struct mck_texts *texts, const struct mck_reader *logs);
void mck_texts_free(struct mck_texts *texts);
