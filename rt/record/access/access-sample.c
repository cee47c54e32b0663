// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "record/access/access-sample.h"
#include <time.h>
#include "record/access/touched-range.h"
#include "record/runtime.h"
#include "record/strand/strand-buffer.h"
#include "thread/thread-order.h"

// An access that is kept costs some 0.2 us, more where threads wait for each other. So the first sample costs some
// 10 ms, and later ones 1 % of the time.
enum { FIRST = 1 << 16, LATER = 1 << 14, LOOK = 256 };
static const uint64_t period = 500 * 1000 * 1000, longest = 5 * 1000 * 1000;

_Atomic bool mck_access_sample_is_on;
static uint32_t left = FIRST;
static _Atomic uint64_t next; // when another sample may begin; 0: this is the first one
static uint64_t begun;

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// The lock is only tried, since the caller may hold others. While there is one strand nobody else wants it.
void mck_access_sample_begin(void) {
  if (mck_access_sample_is_on || !mck_rt.is_ready || !mck_rt.is_instrumented || !mck_options.access) return;
  if ((next && now() < next) || !mck_heap_is_seen()) return;
  mck_thread_is_task_aware(); // looks at the program once, without the lock
  if (!mck_try_lock()) return;
  mck_filter_watch_all(true);
  begun = now();
  atomic_store_explicit(&mck_access_sample_is_on, true, memory_order_relaxed);
  mck_unlock();
}

void mck_access_sample_spend(void) {
  if (!mck_access_sample_is_on) return;
  if (--left && (!next || left % LOOK || now() - begun < longest)) return;
  mck_filter_watch_all(false);
  left = LATER, next = now() + period;
  atomic_store_explicit(&mck_access_sample_is_on, false, memory_order_relaxed);
}

void mck_access_sample_watch(void) {
  if (!mck_heap_is_seen()) return; // nothing can be concluded (strand-buffer.h)
  mck_thread_tell_several = mck_access_sample_begin;
  mck_thread_tell_left = mck_strand_memory_over;
  if (mck_thread_is_parallel) mck_access_sample_begin();
}
