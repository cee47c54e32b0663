// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Confirmation (mpirun-check --confirm): the program is run again with each decision that a finding of its report
// predicts an error for, as a user would do with the command that the finding ends with.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct mck_prediction { // a finding, and what follows --take in its last line
  char *check, *take;
};
struct mck_predictions {
  struct mck_prediction *items;
  size_t count, capacity;
};
struct mck_confirm {
  const char *dir;        // for the files of the runs
  const char *options;    // the runs' MPICC_CHECK_OPTIONS
  char **arguments;       // those of mpirun, then the program and its own
  const char *replay;     // the decisions of the run itself; NULL: none
  const char *errors;     // the errors of the run itself, a line each
  long max_runs, seconds; // a run that takes longer is ended
};
// From the text of a report: deadlock.alternative, and warnings of message.race. Each decision once.
void mck_predictions_read(struct mck_predictions *predictions, const char *report);
// Makes the runs, and writes what they have shown. Returns whether some prediction was confirmed.
bool mck_confirm_run(const struct mck_confirm *confirm, const struct mck_predictions *predictions, FILE *out);
