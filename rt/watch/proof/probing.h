// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Probing (MUST VI-A): ranks stand still with nonblocking wildcard receives that can take a message, and it is unknown
// which one they took. All matches are tried, within bounds. If one of them is a deadlock, and its ranks have stood
// still longer than any rank that can go on, then it has happened. Private to the room watch.
#pragma once
#include "watch/proof/text-buffer.h"

struct mck_undecided {
  uint32_t rank, event;
  uint32_t channel;        // the channel of its message in the match that is tried; MCK_NONE: it has none
  size_t choice, nchoices; // in mck_probing.choices
};
struct mck_choice {
  uint32_t channel;
  uint64_t before;
}; // before: the receives of the channel that were posted earlier and whose match is known
struct mck_probing {
  struct mck_undecided *items;
  size_t count, capacity; // by rank, then event
  struct mck_choice *choices;
  size_t nchoices, choices_capacity;
  uint64_t *completed; // [channel] the number of its receives that are over
  uint64_t tried, ndeadlocks;
  bool is_whole; // all matches were tried
};
// Tries all matches. Returns true where one is a deadlock; then proof is that of the first such match. solve: judges
// the messages and solves the graph.
typedef bool mck_probing_solve(struct mck_proof *proof);
bool mck_probing_search(struct mck_proof *proof, struct mck_probing *probing, mck_probing_solve *solve);
void mck_probing_free(struct mck_probing *probing);
// The number of messages of the channel that undecided receives before event have in this match.
uint64_t mck_probing_taken(const struct mck_proof *proof, uint32_t channel, uint32_t before_event);
const struct mck_undecided *mck_probing_find(const struct mck_proof *proof, uint32_t rank, uint32_t event);
void mck_probing_describe(const struct mck_proof *proof, struct mck_words *words);
