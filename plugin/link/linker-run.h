// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a linker.
#pragma once
#include <stdbool.h>
#include <sys/types.h>
#include "word-list.h"

// All return what waitpid tells of the process; -1: it cannot be run. While it runs, it is in *running.
int mck_linker_wait(volatile pid_t *running);
// linked gets the lines of its output that name the files which it links. Others are printed, and those too if shows.
int mck_linker_trace(char *const *words, struct mck_words *linked, bool shows, volatile pid_t *running);
// Its output goes nowhere.
int mck_linker_repeat(char *const *words, volatile pid_t *running);
