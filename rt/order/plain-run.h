// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words: a log as a text of few words. A message's event holds what the call said and nothing of its own, so loops
// leave the same 32 bytes again and again. Each different one is a word, and the text has two bytes where the log has
// 32: so little that each rank reads its own log, and sends the text to who judges all of them
// (judge/transport/plain-run-gather.h).
//
// Messages of a channel match in order (MPI-3.1 3.5), so who reads all texts at once needs no table of what met what:
// each channel is a queue. That holds of runs whose sends wait for nobody and whose receives are blocking, with
// blocking collectives: plain ones. A nonblocking receive that the next call of MPI completes is as good as a blocking
// one. Others need pairs.h.
#pragma once
#include "base/hash-table.h"
#include "order/order.h"

enum {
  MCK_CODE_NOTHING,
  MCK_CODE_MEETING,
  MCK_CODE_WORD
}; // what a text says of a unit: no call that orders anything; a collective; a word, from here on
// Does it order others in some way that a text cannot say?
bool mck_words_is_other_call(const struct mck_event *e);
// Of a RECV at index: does it stay open while other calls come? left: units from e on. Definitions may stand before the
// call that completes it.
static inline bool mck_words_is_open(const struct mck_event *e, uint64_t index, uint64_t left) {
  if (e->kind != MCK_EV_RECV || !(e->flags & MCK_FLAG_NONBLOCKING)) return false;
  uint64_t i = 1;
  while (i < left && e[i].kind >= MCK_EV_DEF_MODULE) i += mck_event_units(&e[i]);
  return i >= left || (e[i].kind != MCK_EV_WAIT && e[i].kind != MCK_EV_DONE) || e[i].wait.count != 1 ||
         e[i].wait.request[0] != index;
}
// Of all events but receives that are open.
static inline bool mck_words_is_other(const struct mck_event *e) {
  if (e->kind == MCK_EV_SEND) return e->flags & MCK_FLAG_CANCELLED || (e->flags & MCK_MODE_MASK) == MCK_FLAG_SYNC;
  if (e->kind == MCK_EV_RECV || e->kind == MCK_EV_PROBE) return !mck_order_is_known(e);
  return mck_words_is_other_call(e);
}
struct mck_text { // of one log
  uint64_t units;
  uint16_t *codes;         // [index]: number of the word, or the above
  struct mck_event *words; // those below MCK_CODE_WORD are none
  size_t nwords;
  uint32_t *definitions; // where they are, in the order of the log
  size_t ndefinitions;
  // Of mck_texts_join:
  // is_wild: from any source; is_ordered: from one, any tag: if its messages are taken in their order, no other can
  // come (plain-run-clock.c).
  struct mck_word {
    uint32_t channel;
    bool is_send, is_probe, is_wild, is_ordered;
  } *uses;                      // [word]
  const struct mck_event *wild; // the first word that is wild
  bool has_alike_wilds;         // all of one communicator and tag, or any, from any source
  bool takes_any_tag;           // ... any
  struct mck_channel_end {
    uint64_t key;
    int32_t peer, tag;
    uint32_t channel;
    bool is_send;
  } *ends;
  size_t nends, ends_capacity;
  struct mck_table ends_table;
};
enum mck_text_result { MCK_TEXT_READ, MCK_TEXT_OTHER, MCK_TEXT_SHORT }; // OTHER: it is not plain; SHORT: of memory
// codes: room for all units. Free it in any case.
enum mck_text_result mck_text_read(struct mck_text *text, const struct mck_reader *log, uint16_t *codes,
                                   _Atomic bool *is_other);
// Of a text that somebody else has read: it leads nowhere.
bool mck_text_is_sound(const struct mck_text *text, const struct mck_reader *log);
void mck_text_free(struct mck_text *text); // all but codes

struct mck_texts {
  struct mck_text *of; // [log]
  size_t n;
  struct mck_texts_channel {
    uint32_t from, to;
  } *channels; // logs
  size_t nchannels, capacity;
  bool has_probes;
  void *memory, *own; // of codes
};
// Of all ranks' logs, in their order. Free them in any case.
enum mck_text_result mck_texts_read(struct mck_texts *texts, const struct mck_reader *logs, size_t n);
// What needs all of them, and the definitions of their logs: channels.
enum mck_text_result mck_texts_join(struct mck_texts *texts, const struct mck_reader *logs);
void mck_texts_free(struct mck_texts *texts);
