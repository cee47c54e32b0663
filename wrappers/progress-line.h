// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line on the terminal while something takes more than two seconds. Nothing is printed elsewhere.
#pragma once

struct mck_progress;
// expected: how many seconds it may take in all, 0: not known. NULL: no terminal, or no thread could be started.
struct mck_progress *mck_progress_begin(const char *what, long expected);
void mck_progress_end(struct mck_progress *progress); // removes the line
