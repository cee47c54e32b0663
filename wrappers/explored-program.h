// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which program the runs in a directory of an exploration belong to: the command, and the executable files that it
// names. The runs of another program, or of this one before it was changed, say nothing about this one.
#pragma once
#include <stdbool.h>

// Do the runs in dir belong to this command? If not, it prints the reason on stderr. If there are no runs (has_runs is
// false) or nothing is known of them, the directory belongs to this command from now on.
bool mck_subject_is_same(const char *dir, char **arguments, bool has_runs);
