// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a buffer must stay until its operation is complete (MPI-3.1 3.7.2, 11.3). A heap block that is freed
// or moved earlier is reported at once (heap.c asks), and so is a local variable whose block ends (recompiled code
// says it), or whose function longjmp or an exception leaves.
// One of a function that has returned is reported when the operation is completed; that of an RMA operation, at the
// next call by a function that goes on.
#pragma once
#include <stdatomic.h>
#include "abi.h"
#include "object/object.h"
#include "record/call/call.h"
#include "record/access/touched-range.h"
#include "record/buffer/buffer-in-use.h"

// Asked without the lock by each free: a first look that costs two loads, then one at the pages.
static inline bool mck_buffers_are_in_use(void) {
  return atomic_load_explicit(&mck_range_set_size, memory_order_relaxed);
}
bool mck_buffer_is_near(const void *block, size_t size);
// Between begin and end no operation begins or ends, so that no other thread gets the block and sends from it before
// we have looked.
void mck_buffer_begin_free(void);
void mck_buffer_end_free(void);
void mck_buffer_check_freed(const void *address, size_t size, const void *pc,
                            const void *frame); // bytes that are freed; under the lock

// The block of a local variable ends (abi.h, MCK_SIGNAL_END); under the lock.
void mck_buffer_check_block(const char *low, uint64_t size, const void *pc, const void *frame);
// The functions whose frames these bytes were have been left by longjmp or an exception; under the lock.
void mck_buffer_check_jumped(const char *low, uint64_t size, const void *pc, const void *frame);
// The block of b's variable has ended at site; b's operation is under way. is_jump: its function was left by then.
void mck_buffer_report_block(const struct mck_buffer *b, uint32_t site, bool is_jump);
#define MCK_BLOCK_END(is_jump)                                                                                         \
  ((is_jump) ? "longjmp or an exception has left its function before this on rank %d"                                  \
             : "the variable's block ends on rank %d")

// The words of a finding for an access, by its MCK_SIGNAL_*.
static inline const char *mck_access_verb(uint32_t flags) {
  return flags & MCK_PIECES_FREED ? "free of" : flags & MCK_SIGNAL_STORE ? "store to" : "load from";
}
static inline const char *mck_access_noun(uint32_t flags) {
  return flags & MCK_PIECES_FREED ? "free" : flags & MCK_SIGNAL_STORE ? "store" : "load";
}

// The call is about to complete r, under the lock. What lies below the caller's frame on its stack belongs to no
// function any more.
void mck_buffer_check_stack(struct mck_call *call, struct mck_request *r);
// Whether mck_buffer_check_left is worth its cost.
static inline bool mck_buffer_may_be_left(const struct mck_call *call, const struct mck_buffer *b) {
  enum { REACH = 1 << 20 }; // so far below the frame; a buffer that was never set ends at 0
  return (uintptr_t)call->frame - (uintptr_t)b->high < REACH;
}
static inline bool mck_buffer_is_below(const struct mck_call *call, const struct mck_request *r) {
  for (int i = 0; i < 2; i++)
    if (r->used >> i & 1 && MCK_UNLIKELY(mck_buffer_may_be_left(call, &r->buffers[i]))) return true;
  return false;
}
// Reports a buffer of an operation under way whose function has returned; it is not looked at any more then.
void mck_buffer_check_left(struct mck_call *call, struct mck_buffer *b);

// Local variables that RMA operations use: such an operation is often completed far away. So the first call after the
// function's end looks for them: one whose frame lies above.
void mck_buffer_keep_near(const struct mck_call *call, struct mck_buffer *b);
static inline void mck_buffer_keep_frame(const struct mck_call *call, struct mck_buffer *b) {
  enum { STACK_MAX = 1 << 26 };
  if (MCK_UNLIKELY((uintptr_t)b->low - (uintptr_t)call->frame < STACK_MAX)) mck_buffer_keep_near(call, b);
}
// Local variables that are window memory (record/rma/window-lifetime.h) are found in the same way.
extern __thread uintptr_t mck_buffer_frame __attribute__((tls_model("initial-exec"))); // where they end, the lowest one
static inline void mck_buffer_watch_frame(uintptr_t end) {
  if (end < mck_buffer_frame) mck_buffer_frame = end;
}
bool mck_buffer_leave_frames(struct mck_call *call); // true, so that its caller can end with it
