// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The begin of a call, inline: for call.c, and for calls that are found plain by one look (mck_plain_*). Such a call is
// entered only when nothing is wrong with its arguments, so it needs none of the checks by role.
#pragma once
#include "record/buffer/buffer-bytes.h"
#include "record/buffer/buffer-lifetime.h"
#include "record/call/call.h"
#include "record/call/fortran-redirect.h"
#include "record/call/thread-level.h"
#include "record/runtime.h"
#include "thread/thread-order.h"

// The wrapper that the thread is in, the outermost one: its frame, and where it returns to. call NULL: it has none
// (quick-call.c).
struct mck_outer {
  const void *frame, *pc;
  struct mck_call *call;
};
extern __thread struct mck_outer mck_outer __attribute__((tls_model("initial-exec")));

static inline void mck_call_begin(struct mck_call *call, uint16_t fn, const void *pc, const void *frame) {
  call->fn = fn;
  call->special = 0;
  call->site = MCK_NONE;
  call->pc = pc;
  call->frame = frame;
  call->variables = NULL;
  call->event = MCK_NONE;
  call->comm = NULL, call->type = NULL;
  int depth = mck_depth;
  if (depth == 0) mck_outer = (struct mck_outer){frame, pc, call};
  mck_depth_set(depth + 1);
}

static inline void mck_call_count(void) {
  uint64_t calls = atomic_load_explicit(&mck_rt.calls, memory_order_relaxed) + 1;
  atomic_store_explicit(&mck_rt.calls, calls, memory_order_relaxed);
  atomic_store_explicit(&mck_rt.log.header->calls, calls, memory_order_relaxed);
}

// A call of the program's own C code, on the only thread that may call MPI.
static inline bool mck_plain_may_enter(const void *frame) {
  return MCK_LIKELY(mck_is_plain && !mck_thread_is_parallel && !mck_depth && !mck_fortran.pc && mck_rt.is_ready &&
                    mck_rt.is_on && (uintptr_t)frame < mck_buffer_frame);
}
static inline void mck_plain_enter(struct mck_call *call, uint16_t fn, const void *pc, const void *frame) {
  mck_call_begin(call, fn, pc, frame);
  mck_call_count();
}
static inline void mck_plain_leave(void) { // of a call that has succeeded
  if (MCK_UNLIKELY(mck_use_state.nnotes)) mck_use_state.nnotes = 0;
  mck_depth_set(0);
}
