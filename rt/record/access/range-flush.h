// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of window memory that were touched and are not in the log yet (touched-range.c).
#pragma once

// The number of windows with such ranges; and MCK_TOUCHED_ONLINE, while the clocks of online-run.h look at the log
// before each event.
extern unsigned mck_ntouched;
#define MCK_TOUCHED_ONLINE 0x40000000u
void mck_windows_flush(void); // writes the ranges: before any event that may order them against other ranks
