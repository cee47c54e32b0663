// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chance: orders that the logs do not tell. Exclusive locks let their holders in one after the other, and an atomic
// operation may have read what another one wrote, so that whatever was done before the one is known behind the other:
// but which of them came first only the run knew. Where a chain of such steps and of known edges may lead from one
// access to the other, in either direction, nothing is said of the two: MPI_Win_lock as a mutex, and the locks, flags
// and queues that programs build from MPI_Compare_and_swap and MPI_Fetch_and_op (MPI-3.1, examples 11.17 to 11.22).
#pragma once
#include "rma/completed-clock.h"
#include "rma/rma-run.h"

struct mck_chance_step {
  uint32_t log, from, to_log, to;
}; // to_log MCK_NONE: meeting number to
struct mck_chance_way {
  uint32_t meeting, to_log, to;
};
struct mck_chance {
  const struct mck_rma_run *run;
  const uint32_t *component; // by log
  struct mck_clock **clocks; // by turn: when it was entered
  struct mck_chance_step *edges;
  size_t nedges, edges_capacity;
  struct mck_chance_way *exits;
  size_t nexits, exits_capacity;
  uint32_t nmeetings;
  struct mck_chance_search *search; // made with the first question
  bool is_short;
};

bool mck_chance_open(struct mck_chance *chance, const struct mck_rma_run *run, const uint32_t *component);
void mck_chance_edge(struct mck_chance *chance, uint32_t log, uint32_t from, uint32_t to_log, uint32_t to);
void mck_chance_exit(struct mck_chance *chance, uint32_t meeting, uint32_t to_log, uint32_t to);
// May what is over with event from of a log have been known before event to of another one? When all edges are there.
bool mck_chance_is_possible(struct mck_chance *chance, uint32_t log, uint32_t from, uint32_t to_log, uint32_t to);
void mck_chance_close(struct mck_chance *chance);
