// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs mpirun: its command line gets what the ranks need (-x), and mpirun-check waits for its end (mpirun-process.c).
#pragma once
#include <stdbool.h>
#include "word-list.h"

struct mck_launch {
  const char *dir;      // the value of MPICC_CHECK_DIR, or NULL
  const char *preload;  // the runtime, for programs that were not linked with it; NULL: it is not preloaded
  const char *recorder; // flow/recorder, for all programs; NULL: movements of data are not recorded
  bool has_program;     // output: the line names a program
  const char *refused;  // output: which program cannot run under this mpirun, and why; NULL: none
};

// What the words of one application context (up to ":") name; NULL: they do not.
struct mck_context {
  const char *program, *dir, *preload;
};
struct mck_context mck_launch_read_context(char **words, size_t count);

int mck_launch_count_values(const char *option); // how many words follow an option of mpirun
// The value that "-x NAME=VALUE" of the user gives to name in the first application context; NULL: none.
const char *mck_launch_find_export(char **arguments, const char *name);
// Returns mpirun and the user's arguments (NULL-terminated) in their order, without exports of our own two variables.
struct mck_words mck_launch_write_command(const char *mpirun, char **arguments, struct mck_launch *launch);
// Runs the command with our stdin, stdout and stderr. SIGINT, SIGTERM and SIGHUP are passed on and do not end this
// process, so that a report can follow. A second one kills mpirun. Returns the exit status as a shell does: 128 + n for
// signal n.
int mck_launch_run(const struct mck_words *command);
bool mck_launch_is_interrupted(void); // whether such a signal has arrived
bool mck_launch_is_killed(void);      // whether mpirun itself was killed: its ranks then end by themselves
