// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the program called exit or _exit, or returned from main (exit-place.c).
#pragma once
#include <stdbool.h>
#include "log/log.h"

// Writes it to the header. pc: a return address behind which the callers are. may_define: the log may still get
// modules that it does not know; false: async-signal-safe.
void mck_exit_place_note(struct mck_log_header *header, const void *pc, bool may_define);
