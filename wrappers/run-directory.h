// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The private directory of one run under mpirun-check. It holds the logs of the ranks (log/log.h), "report" and
// "result", and maybe "lib". "report" is the text that rank 0 writes in MPI_Finalize, unless the user has named a file
// for it. "result" is one line: "judging" while rank 0 judges, then "errors N": it has judged and reported.
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

// Creates it in dir (option log_dir). "" is /dev/shm if there is room, else TMPDIR or /tmp. Returns NULL when that is
// not possible, and prints one line.
const char *mck_logdir_create(const char *dir);
bool mck_logdir_has_logs(const char *dir);
bool mck_logdir_read_result(const char *dir, unsigned long *errors); // false: rank 0 has not reported
// While rank 0 judges: since when, and how many logs (mck_progress_ask).
bool mck_logdir_ask_judging(const char *dir, char *what, size_t size, time_t *begin);
void mck_logdir_print(const char *dir, const char *name, FILE *out); // copies a file of it, if there is one
// The path of a library as LD_PRELOAD can take it: where it has a blank or a colon, which are separators there, through
// a link in the directory. Where that has one, too: NULL, and one line says without what the run goes on.
const char *mck_logdir_lead(const char *dir, const char *library, const char *without);
void mck_logdir_remove(const char *dir);
