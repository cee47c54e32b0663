// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of an exploration, shared by its three files: exploration.c (which run is next), exploration-run.c (how a
// run is started) and exploration-outcome.c (what a run found).
#pragma once
#include <stdint.h>
#include <sys/types.h>
#include "decision-space.h"
#include "exploration.h"

struct mck_outcome { // of one run
  int status;
  char *findings;  // the headlines of its errors; NULL: it has no report
  uint64_t output; // the hash of its standard output
  // impossible: the decisions cannot be had. unknown: nothing is known of its wildcards.
  bool is_timed_out, is_impossible, is_unknown;
};
struct mck_failure {
  long run;
  char *what;
};
struct mck_explorer {
  const struct mck_explore *asked;
  struct mck_space space;
  struct mck_outcome first;
  struct mck_failure *failures; // each text once
  size_t nfailures, capacity;
  long next;                                    // the number of the next run
  long impossible, unknown, timed_out, strayed; // numbers of runs; strayed: the run did not follow its decisions
  double begin, first_seconds;
  bool is_terminal, has_orders;
};

// The file of a run, as exploration.c lists them.
char *mck_exploration_path(const struct mck_explorer *x, long run, const char *what);

// --- exploration-run.c ---
bool mck_exploration_write_replay(const struct mck_explorer *x, const struct mck_item *item, long run);
// Starts mpirun-check for this run. slot: below the number of runs at a time. Returns the process, or -1.
pid_t mck_exploration_start(const struct mck_explorer *x, long run, long slot);
void mck_exploration_remove_sessions(long jobs);

// --- exploration-outcome.c ---
char *mck_exploration_describe_status(int status);
// Reads what the run has left, and adds it to the space; prints a failure that is new.
void mck_exploration_judge(struct mck_explorer *x, struct mck_outcome *o, const struct mck_item *item, long run);
