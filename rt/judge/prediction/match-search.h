// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Search: do the calls of a run (match-model.h) deadlock with other matches? After Forejt, Joshi, Kroening,
// Narayanaswamy and Sharma, "Precise Predictive Analysis for Discovering Communication Deadlocks in MPI Programs", who
// ask a solver. Here it is a search through states, which ends at a bound. States with the fewest other matches come
// first, so what is found first is also easy to explain.
#pragma once
#include "judge/prediction/match-state.h"
#include "waitfor/waitfor.h"

struct mck_search_match { // a receive that got another message than in the run
  struct mck_pair receive, send;
};
struct mck_deadlock {
  const struct mck_state *state;
  const struct mck_search_match *matches; // in the order in which they happen
  size_t nmatches;
  const struct mck_waitfor *graph; // solved; its first nodes are the logs
};
struct mck_search_sink {
  void *context;
  void (*deadlock)(void *context, const struct mck_deadlock *deadlock);
  // Shall it be tried that this receive gets this message? NULL: always.
  bool (*is_wanted)(void *context, struct mck_pair receive, struct mck_pair send);
};
struct mck_search_counts {
  uint64_t states, steps, deadlocks;
  bool is_whole; // no bound was met: what was not found does not exist
};
// steps: the bound, in calls that are entered. Returns false when out of memory.
bool mck_search_run(const struct mck_model *model, bool is_single_path, uint64_t steps,
                    const struct mck_search_sink *sink, struct mck_search_counts *counts);

// match-deadlock.c: makes and solves the graph of a state in which nothing can happen. Returns false when out of
// memory.
bool mck_deadlock_make(struct mck_waitfor *graph, const struct mck_state *state);
