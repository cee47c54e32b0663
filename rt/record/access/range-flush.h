// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of window memory that were touched and are not in the log yet (touched-range.c).
#pragma once
#include "base/base.h"
#include "thread/thread-order.h"

// The number of windows with such ranges; and MCK_TOUCHED_ONLINE, while the clocks of online-run.h look at the log
// before each event.
extern unsigned mck_ntouched;
// ... and MCK_TOUCHED_STRANDS, once the log says which strand makes its events (call/strand-event.h).
#define MCK_TOUCHED_ONLINE 0x40000000u
#define MCK_TOUCHED_STRANDS 0x20000000u
// ... and MCK_TOUCHED_REPEATED, while events that repeat others are left out (record/rma/repeated-events.h).
#define MCK_TOUCHED_REPEATED 0x10000000u
void mck_windows_flush(void); // writes the ranges: before any event that may order them against other ranks
static inline void mck_windows_before_event(void) {
  if (MCK_UNLIKELY(mck_ntouched || mck_thread_is_parallel)) mck_windows_flush();
}
// Before an event that may repeat another.
void mck_windows_flush_repeatable(void);
static inline void mck_windows_before_repeatable(void) {
  if (MCK_UNLIKELY(mck_ntouched & ~MCK_TOUCHED_REPEATED || mck_thread_is_parallel)) mck_windows_flush_repeatable();
}
