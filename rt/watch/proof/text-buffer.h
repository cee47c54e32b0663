// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text that grows; out of memory it just ends early. Private to room watch.
#pragma once
#include "watch/proof/proof.h"

struct mck_words {
  char *text;
  size_t size, capacity;
};
__attribute__((format(printf, 2, 3))) void mck_words_add(struct mck_words *words, const char *format, ...);
// "rank 3" or "ranks 0,2-7" of those set in members[0..size); very scattered sets end in "...".
void mck_words_add_ranks(struct mck_words *words, const uint8_t *members, uint32_t size);
// "MPI_Recv(source 1, tag 5)": the call that left this event.
void mck_words_add_call(struct mck_words *words, const struct mck_event *e);
// The place of a rank's site, behind a word: the report puts the line in (report/place-text.h). Nothing when it is not
// known.
void mck_words_add_place(struct mck_words *words, const char *before, uint32_t rank, uint32_t site);
const char *mck_words_name(uint16_t fn);
