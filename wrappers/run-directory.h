// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logdir: the private directory of one run under mpirun-check. The ranks' logs lie in it (log/log.h), "report", the
// text that rank 0 has made in MPI_Finalize unless the user named a file for it, and "result", with which rank 0 says
// in one line "errors N" that it has judged and reported.
#pragma once
#include <stdbool.h>

// In dir (option log_dir); "" means /dev/shm if there is room, else TMPDIR or /tmp. NULL with one line said: not
// possible.
const char *mck_logdir_create(const char *dir);
bool mck_logdir_has_logs(const char *dir);
bool mck_logdir_read_result(const char *dir, unsigned long *errors); // false: nobody has reported yet
void mck_logdir_print_report(const char *dir);                       // to stderr, if there is one
void mck_logdir_remove(const char *dir);
