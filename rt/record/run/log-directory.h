// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Place: the directory of a job's logs, private to the user: 0700, owned, no symbolic link on the way.
#pragma once
#include "base/base.h"

// mpirun-check names the directory; else BASE/mpicc-check-UID/JOB, the same on all ranks by the token. false: *error
// says what and what to do.
bool mck_place_make(char *dir, size_t size, const char *given, uint64_t job, unsigned node, char *error,
                    size_t error_size);
void mck_place_clean(const char *dir, bool is_given);  // what killed runs left behind beside it
void mck_place_remove(const char *dir, bool is_given); // what is empty of it
