// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock for sections of less than a microsecond: one atomic operation to take it and one to give it back. Those of
// pthreads would come to rt/thread, which intercepts them, and their threads go to sleep at once, so that each
// hand-over costs two system calls and a change of threads. Not recursive, and errno is left alone. A word (Drepper,
// "Futexes are tricky", 2011, mutex2); zero is a free lock.
#pragma once
#include <stdatomic.h>
#include "base/base.h"

struct mck_short_lock {
  _Atomic uint32_t state; // MCK_SHORT_*
};
enum { MCK_SHORT_FREE, MCK_SHORT_TAKEN, MCK_SHORT_WANTED };

void mck_short_lock_wait(struct mck_short_lock *lock); // short-lock.c: somebody else has it
void mck_short_lock_wake(struct mck_short_lock *lock);

static inline bool mck_short_lock_try(struct mck_short_lock *lock) {
  uint32_t seen = MCK_SHORT_FREE;
  return atomic_compare_exchange_strong_explicit(&lock->state, &seen, MCK_SHORT_TAKEN, memory_order_acquire,
                                                 memory_order_relaxed);
}
static inline void mck_short_lock_take(struct mck_short_lock *lock) {
  if (MCK_UNLIKELY(!mck_short_lock_try(lock))) mck_short_lock_wait(lock);
}
static inline void mck_short_lock_leave(struct mck_short_lock *lock) {
  if (MCK_UNLIKELY(atomic_exchange_explicit(&lock->state, MCK_SHORT_FREE, memory_order_release) == MCK_SHORT_WANTED))
    mck_short_lock_wake(lock);
}
