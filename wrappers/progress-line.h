// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line on the terminal while something takes more than two seconds. Nothing is printed elsewhere.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct mck_progress;
// expected: how many seconds it may take in all, 0: not known. NULL: no terminal, or no thread could be started.
struct mck_progress *mck_progress_begin(const char *what, long expected);
// The same for another process: ask writes what is being done, and since when; false: nothing now.
typedef bool mck_progress_ask(const char *context, char *what, size_t size, time_t *begin);
struct mck_progress *mck_progress_follow(mck_progress_ask *ask, const char *context);
void mck_progress_end(struct mck_progress *progress); // removes the line
