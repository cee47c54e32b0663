// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known sections of locks, as the plugin marks them (abi.h; thread-section.h).
#include "abi.h"
#include "thread/sync-object.h"
#include "thread/thread-core.h"
#include "thread/thread-section.h"

// The lock that the thread took last. OpenMP's criticals have other addresses in the program than for OMPT.
static struct mck_sync *last_lock(const struct mck_strand *strand) {
  return mck_sync_find(strand->held[strand->nheld - 1].lock, MCK_SYNC_LOCK);
}

MCK_EXPORT void __mck_section(const volatile void *lock) {
  (void)lock;
  struct mck_strand *self = mck_strand_self;
  if (!self || !self->nheld || !mck_thread_is_several()) return;
  mck_thread_lock();
  struct mck_sync *sync = last_lock(self);
  if (sync) mck_section_known(self, &sync->lock);
  mck_thread_unlock();
}

MCK_EXPORT void __mck_section_access(const volatile void *address, uint64_t size, uint32_t is_store) {
  struct mck_strand *self = mck_strand_self;
  if (!self || !self->nheld || !self->section) return;
  if (is_store) return mck_section_store(self, (uintptr_t)address, size);
  mck_thread_lock();
  struct mck_sync *sync = last_lock(self);
  if (sync) mck_section_load(self, &sync->lock, (uintptr_t)address, size);
  mck_thread_unlock();
}
