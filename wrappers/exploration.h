// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An exploration (mpirun-check --explore) runs the program many times. In each run one wildcard receive gets another
// message that could have come. The order is depth first, until all such messages were tried or a bound is reached
// (DAMPI's scheduler; docs/wrappers.md). Each run is mpirun-check itself with a file of decisions. A directory holds
// all that is known, so an exploration that was ended can be continued.
#pragma once
#include <stdbool.h>

struct mck_explore {
  const char *dir;           // the directory of the state
  const char *options;       // the runs' MPICC_CHECK_OPTIONS
  char **arguments;          // those of mpirun, then the program and its own
  const char *replay, *take; // the decisions of the first run; NULL: none
  long max_runs, max_depth, max_seconds, per_site, mixing, jobs, run_seconds; // 0: no bound
  bool compares_output;
};
// Returns the exit status: exitcode (unless it is 0) when a run had a failure that the first had not, else the status
// of the first run.
int mck_explore_run(const struct mck_explore *explore, int exitcode);
