// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a finding about a proof. Private to the room watch.
#pragma once
#include "watch/proof/text-buffer.h"

struct mck_story {
  struct mck_proof *proof;
  uint8_t *core, *set; // [rank] it is in the knot of the finding; scratch memory
  uint32_t ncore;
  bool has_comms;   // it says which communicator a call is on: there are several, or they have names
  bool is_note;     // some rank of the core is in a loop that something else than MPI may end: nothing is proved
  bool is_order;    // all stand in collectives, of different communicators
  bool is_finished; // the knot consists of finished ranks, the core of ranks that wait for them
};
// deadlock-roll-call.c
const struct mck_event *mck_story_call(const struct mck_proof *proof,
                                       uint32_t rank); // the event of the call that it is in; NULL: none
uint16_t mck_story_fn(const struct mck_proof *proof, uint32_t rank);
uint32_t mck_story_site(const struct mck_proof *proof, uint32_t rank);
void mck_story_line(struct mck_words *words); // begins the next line
// "ranks 0,2-7 wait in MPI_Allreduce at f.c:95; rank 1 waits in MPI_Barrier at g.c:40; rank 8 is running"
void mck_story_roll_call(struct mck_story *story, struct mck_words *words);
// deadlock-comm.c: is it worth saying which communicator a call of the core is on? Where all call on one without a
// name, it is not. Which one it is; nothing where has_comms is not set.
bool mck_story_has_comms(const struct mck_story *story);
bool mck_story_is_same_comm(const struct mck_story *story, uint32_t r, uint32_t q);
uint32_t mck_story_odd_rank(const struct mck_story *story); // all others call on one communicator; MCK_NONE: no rank
void mck_story_add_comm(const struct mck_story *story, struct mck_words *words, uint32_t r);
void mck_story_only_comm(const struct mck_story *story, struct mck_words *words);
// deadlock-lock.c: the window of a call; which locks that ranks of the core wait for have been taken where
void mck_story_add_window(const struct mck_story *story, struct mck_words *words, uint32_t r);
void mck_story_locks(struct mck_story *story, struct mck_words *words);
// thread-story.c: "the main thread", "OpenMP thread 1 of 2", "thread 'io'"; what threads of the core wait for that are
// in no MPI call
void mck_story_add_thread(const struct mck_proof *proof, const struct mck_proof_thread *thread,
                          struct mck_words *words);
void mck_story_inner_waits(const struct mck_story *story, struct mck_words *words);
// near-miss.c: messages that differ in one respect from those that the core waits for
void mck_story_misses(struct mck_story *story, struct mck_words *words);
// deadlock-help.c: how to mend it; NULL: as its kind mostly is. why: its reasons so far, or NULL
const char *mck_story_help(const struct mck_story *story, const char *why);
// graph-dot.c: the graph of the deadlocked ranks, for graphviz. Solid arcs mean all, dashed ones any (MUST Definition
// 1); nodes of a knot are gray. is_all: also ranks that move, if other ranks wait for them.
void mck_story_draw(const struct mck_proof *proof, bool is_all, struct mck_words *words);
