// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one finding tells of a proof. Private to room watch.
#pragma once
#include "watch/proof/text-buffer.h"

struct mck_story {
  struct mck_proof *proof;
  uint8_t *core, *set; // [rank] in the knot that is told; scratch
  uint32_t ncore;
  bool is_order;    // they stand in collectives of different communicators, and in nothing else
  bool is_finished; // the knot is finished ranks, the core those who wait for them
};
// deadlock-roll-call.c
const struct mck_event *mck_story_call(const struct mck_proof *proof,
                                       uint32_t rank); // the call it is in, NULL: none that has an event
uint16_t mck_story_fn(const struct mck_proof *proof, uint32_t rank);
uint32_t mck_story_site(const struct mck_proof *proof, uint32_t rank);
void mck_story_line(struct mck_words *words); // the next line begins
// "ranks 0,2-7 wait in MPI_Allreduce at f.c:95; rank 1 waits in MPI_Barrier at g.c:40; rank 8 is running"
void mck_story_roll_call(struct mck_story *story, struct mck_words *words);
// near-miss.c: messages that nearly are what the core waits for
void mck_story_misses(struct mck_story *story, struct mck_words *words);
// graph-dot.c: the graph of what is deadlocked, for graphviz; solid arcs: all, dashed: any (MUST Definition 1); gray:
// in a knot. is_all: also who moves, as far as somebody waits for it.
void mck_story_draw(const struct mck_proof *proof, bool is_all, struct mck_words *words);
