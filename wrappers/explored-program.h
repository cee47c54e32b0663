// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subject: what the runs in a directory of an exploration are runs of, the command and the executable files that it
// names. What was found with another program, or before it was changed, says nothing of this one.
#pragma once
#include <stdbool.h>

// Are the runs in dir of this command? Says why not, on stderr. has_runs false, or nothing known: it is of this one
// from now on.
bool mck_subject_is_same(const char *dir, char **arguments, bool has_runs);
