// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations and fences of recompiled code (abi.h; C11 5.1.2.4, 7.17.4). Which store a load has read is not
// known: it is taken for all that came before it.
#include "abi.h"
#include "thread/sync-object.h"
#include "thread/thread-core.h"

MCK_EXPORT void __mck_atomic(const volatile void *address, uint32_t what) {
  struct mck_strand *self = mck_strand_self;
  if (!self || !mck_thread_is_several()) return;
  const void *at = (const void *)address;
  mck_thread_lock();
  struct mck_sync *sync;
  if (!at && what & MCK_ATOMIC_RELEASE) mck_strand_release(self, &self->fenced);
  if (!at && what & MCK_ATOMIC_ACQUIRE) mck_strand_acquire(self, &self->seen);
  if (at && what & MCK_ATOMIC_STORE && (sync = mck_sync_get(at, MCK_SYNC_ATOMIC))) {
    if (what & MCK_ATOMIC_RELEASE) mck_strand_release(self, &sync->clock);
    else mck_times_join(&sync->clock, &self->fenced);
  }
  if (at && what & MCK_ATOMIC_LOAD && (sync = mck_sync_find(at, MCK_SYNC_ATOMIC))) {
    if (what & MCK_ATOMIC_ACQUIRE) mck_strand_acquire(self, &sync->clock);
    else mck_times_join(&self->seen, &sync->clock);
  }
  mck_thread_unlock();
}
