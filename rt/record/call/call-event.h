// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The event of a call in the log. Under the lock where several threads may be in MPI.
#pragma once
#include "log/event.h"
#include "record/access/range-flush.h"
#include "record/call/call.h"
#include "record/runtime.h"

// The site of the call may have to be defined first, which appends to the log: take it before mck_event_begin.
static inline struct mck_event *mck_event_reserve(struct mck_call *call, uint8_t kind, uint8_t flags) {
  struct mck_event *e = mck_rt.is_ready ? mck_log_reserve(&mck_rt.log, 1) : NULL;
  if (MCK_LIKELY(e != NULL)) e->kind = kind, e->flags = flags, e->fn = call->fn;
  return e;
}
static inline struct mck_event *mck_event_begin(struct mck_call *call, uint8_t kind, uint8_t flags) {
  mck_windows_before_event();
  return mck_event_reserve(call, kind, flags);
}
// For mck_repeated_commit (record/rma/repeated-events.h): all of the event is set.
static inline struct mck_event *mck_event_begin_repeatable(struct mck_call *call, uint8_t kind, uint8_t flags) {
  mck_windows_before_repeatable();
  return mck_event_reserve(call, kind, flags);
}
void mck_event_plain(struct mck_call *call); // function and site, nothing more
