// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of several strands (thread/thread-order.h), and which of two comes first in every run. Two calls are ordered if
// the threads' synchronization orders them, or if messages may have done so (strand-traffic.h). All of this is under
// the lock. Calls are compared at MPI_THREAD_SERIALIZED and above, buffers (strand-buffer.h) at each level.
#pragma once
#include "record/call/call-args.h"
#include "record/call/call.h"
#include "record/runtime.h"
#include "thread/thread-order.h"

struct mck_strand_call {
  struct mck_moment moment;
  struct mck_held held;
  uint64_t begin; // calls in the order of time (strand-traffic.h)
  const void *pc; // where it is in the program
  uint32_t site;
  uint32_t thread;  // a number (mck_strand_thread)
  const char *what; // "load": it is no call. NULL: a call of fn
  uint16_t fn;
};
uint32_t mck_strand_thread(void); // of the calling thread; under the lock
// Calls of which none is ordered before a later one. The oldest gives way where there are too many.
enum { MCK_STRAND_CALLS_MAX = 64 };
struct mck_strand_calls {
  struct mck_strand_call *items; // owned
  size_t n, capacity;
};

// Are there several strands? One load and a branch for a program that has one.
static inline bool mck_strands_are_several(void) {
  return MCK_UNLIKELY(atomic_load_explicit(&mck_thread_is_parallel, memory_order_relaxed)) && mck_rt.is_ready;
}

void mck_strands_before(struct mck_call *call,
                        const struct mck_args *a); // a call of the program begins; takes the lock
void mck_strands_after(struct mck_call *call, const struct mck_args *a, int rc); // the same call has returned

struct mck_strand_call mck_strand_call_of(struct mck_call *call); // the call that begins, on the calling strand
// What is known of an earlier call and this one, which is the calling strand's.
enum mck_strand_order { MCK_STRAND_ORDERED, MCK_STRAND_EXCLUDED, MCK_STRAND_UNORDERED };
enum mck_strand_order mck_strand_order(const struct mck_strand_call *earlier, const struct mck_strand_call *now);
struct mck_held mck_held_common(const struct mck_held *a, const struct mck_held *b); // the sections that have both
// Adds now, and removes what is ordered before it. Nothing that comes later is unordered with those, and not with now.
void mck_strand_calls_add(struct mck_strand_calls *calls, const struct mck_strand_call *now);
void mck_strand_calls_free(struct mck_strand_calls *calls);
bool mck_strand_era_is_over(uint32_t *era); // *era: the last one that was asked for. What was noted then is over
