// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words: the logs of a run as texts of few words. A message's event holds what the call said and nothing of its own, so loops leave
// the same 32 bytes again and again. Each different one is a word, and the text has two bytes where the log has 32. Messages of a
// channel match in order (MPI-3.1 3.5), so who reads all texts at once needs no table of what met what: each channel is a queue.
//
// That holds of runs whose sends wait for nobody and whose receives are blocking and take one tag, with collectives: is_plain.
// Others need pairs.h.
#pragma once
#include "base/table.h"
#include "order/order.h"

enum { MCK_CODE_NOTHING, MCK_CODE_MEETING, MCK_CODE_WORD };   // what a text says of a unit: no call that orders anything; a collective; a word, from here on
struct mck_word {
  struct mck_event event;
  uint32_t channel;
  bool is_send, is_wild;
};
struct mck_text {  // of one log
  const struct mck_reader *log;
  uint16_t *codes;          // [index]: number of the word, or the above
  struct mck_word *words;
  size_t nwords, capacity;
  uint32_t nwilds;          // receives that the program gave a wildcard
  const struct mck_event *wild;  // the first word of such
  bool has_alike_wilds;     // all of one communicator and tag, from any source
  // Private to words.c.
  struct mck_table table, ends_table;
  struct mck_channel_end { uint64_t key; int32_t peer, tag; uint32_t channel; bool is_send; } *ends;
  size_t nends, ends_capacity;
  bool is_short;
};
struct mck_texts {
  struct mck_text *of;      // [log]
  size_t n;
  bool is_plain;
  _Atomic bool is_other;    // it is not, as one thread has found
  struct mck_texts_channel { uint32_t from, to; } *channels;   // logs
  size_t nchannels, capacity;
  void *memory;
};
// logs: of all ranks, in their order, of a run that came to its end. false: out of memory; free it all the same.
bool mck_texts_make(struct mck_texts *texts, const struct mck_reader *logs, size_t n);
void mck_texts_free(struct mck_texts *texts);
