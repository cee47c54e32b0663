// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The directory of a job's logs, private to the user: mode 0700, owned by the user, and no symbolic link.
#pragma once
#include "base/base.h"

// mpirun-check names the directory; else it is BASE/mpicc-check-UID/JOB, the same on all ranks, since all know the
// job's number. false: error says what is wrong and what to do.
bool mck_log_directory_make(char *dir, size_t size, const char *given, uint64_t job, unsigned node, char *error,
                            size_t error_size);
void mck_log_directory_clean(const char *dir, bool is_given);  // removes what killed runs left beside it
void mck_log_directory_remove(const char *dir, bool is_given); // removes it if it is empty
