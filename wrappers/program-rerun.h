// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Another run of the program with decisions: a process of mpirun-check itself, whose output goes to files.
#pragma once
#include <stdio.h>
#include <sys/types.h>

struct mck_rerun {
  const char *path;          // of its files: PATH.report, PATH.decisions, PATH.out, PATH.err
  const char *options;       // its MPICC_CHECK_OPTIONS
  char **arguments;          // those of mpirun, then the program and its own
  const char *replay, *take; // its decisions; NULL: none
  const char *session;       // where mpirun makes its session directory; NULL: where it always does
};
// Removes the report and decisions of an earlier run, and starts this one. Returns the process, or -1.
pid_t mck_rerun_start(const struct mck_rerun *rerun);
// The headlines of the errors of a report, a line each; NULL: there is no report.
char *mck_rerun_read_errors(const char *path);
// The arguments as a shell takes them, each with a blank before it.
void mck_rerun_put_arguments(FILE *out, char **arguments);
