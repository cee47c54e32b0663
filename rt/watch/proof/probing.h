// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Probing (MUST VI-A): nonblocking wildcard receives of standing ranks that have a message to take, and nobody knows
// which. All ways to hand out the messages are tried, within bounds; where one of them is a deadlock, and its ranks
// have stood still for as long as none that can go on would, that one is what happened. Private to room watch.
#pragma once
#include "watch/proof/text-buffer.h"

struct mck_undecided {
  uint32_t rank, event;
  uint32_t channel;        // whose message it has in the match that is tried; MCK_NONE: there was none for it
  size_t choice, nchoices; // in mck_probing.choices
};
struct mck_choice {
  uint32_t channel;
  uint64_t before;
}; // before: receives of the channel posted before it whose match is known
struct mck_probing {
  struct mck_undecided *items;
  size_t count, capacity; // by rank, then event
  struct mck_choice *choices;
  size_t nchoices, choices_capacity;
  uint64_t *completed; // [channel] receives of it that are over
  uint64_t tried, ndeadlocks;
  bool is_whole; // all matches were tried
};
// Tries; true: a match is a deadlock, and proof is as it is in the first such match. solve: judges messages and solves
// the graph.
typedef bool mck_probing_solve(struct mck_proof *proof);
bool mck_probing_search(struct mck_proof *proof, struct mck_probing *probing, mck_probing_solve *solve);
void mck_probing_free(struct mck_probing *probing);
// How many messages of the channel the undecided receives posted before event have in this match.
uint64_t mck_probing_taken(const struct mck_proof *proof, uint32_t channel, uint32_t before_event);
const struct mck_undecided *mck_probing_find(const struct mck_proof *proof, uint32_t rank, uint32_t event);
void mck_probing_describe(const struct mck_proof *proof, struct mck_words *words);
