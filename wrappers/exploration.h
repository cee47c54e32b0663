// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explore: the program run again and again, each time with one wildcard receive given another message that could have
// come, depth first, until all are covered or a bound is reached (DAMPI's scheduler; docs/wrappers.md). Each run is
// mpirun-check itself with a file of decisions. All that is known lies in a directory, so it can go on later.
#pragma once
#include <stdbool.h>

struct mck_explore {
  const char *dir;                                                            // the state's
  const char *options;                                                        // MPICC_CHECK_OPTIONS of the runs
  char **arguments;                                                           // mpirun's and the program's
  const char *replay, *take;                                                  // decisions of the first run; NULL: none
  long max_runs, max_depth, max_seconds, per_site, mixing, jobs, run_seconds; // 0: no bound
  bool compares_output;
};
// Returns the exit status: exitcode when a run failed otherwise than the first (0: never), else the first run's.
int mck_explore_run(const struct mck_explore *explore, int exitcode);
