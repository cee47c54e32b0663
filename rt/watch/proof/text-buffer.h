// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A text that grows. When out of memory, it ends early. Private to the room watch.
#pragma once
#include "watch/proof/proof.h"

struct mck_words {
  char *text;
  size_t size, capacity;
};
__attribute__((format(printf, 2, 3))) void mck_words_add(struct mck_words *words, const char *format, ...);
// Writes "rank 3" or "ranks 0,2-7" for the ranks that are set in members[0..size). A very scattered set ends in "...".
void mck_words_add_ranks(struct mck_words *words, const uint8_t *members, uint32_t size);
// Writes "MPI_Recv(source 1, tag 5)": the call of this event.
void mck_words_add_call(struct mck_words *words, const struct mck_event *e);
// Writes " on communicator columns", or " on the 2nd communicator of MPI_Comm_split at x.c:9".
void mck_words_add_comm(struct mck_words *words, const struct mck_reader *log, uint32_t rank, uint32_t comm);
// " of window table": by its name, or where there are several by the call that made it. win: its id in the log.
void mck_words_add_window(struct mck_words *words, const struct mck_reader *log, uint32_t rank, uint32_t win);
// Writes the place of a rank's site behind a word: the report puts the line in (report/place-text.h). An unknown place
// writes nothing.
void mck_words_add_place(struct mck_words *words, const char *before, uint32_t rank, uint32_t site);
const char *mck_words_name(uint16_t fn);
