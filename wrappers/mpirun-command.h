// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch: mpirun's command line with what the ranks need added (-x), and mpirun run to its end.
#pragma once
#include <stdbool.h>
#include "word-list.h"

struct mck_launch {
  const char *dir;     // value of MPICC_CHECK_DIR, or NULL
  const char *preload; // the runtime, for programs that were not linked with it; NULL: never
  bool has_program;    // out: a program was found on the line
};

// Value that a "-x NAME=VALUE" of the user gives to name in the first application context; NULL: none.
const char *mck_launch_find_export(char **arguments, const char *name);
// mpirun and the user's arguments (NULL-terminated), all of them in order, except exports of the two variables that are
// ours.
struct mck_words mck_launch_write_command(const char *mpirun, char **arguments, struct mck_launch *launch);
// Runs it with our stdin, stdout and stderr. SIGINT, SIGTERM and SIGHUP are passed on and do not end us, so that a
// report can follow; a second one kills mpirun. Returns the exit status as a shell gives it: 128 + n for a signal.
int mck_launch_run(const struct mck_words *command);
bool mck_launch_is_interrupted(void); // one of these came
