// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known sections of locks, as the plugin marks them (abi.h; thread-section.h), and what operations of MPI do in them.
#include "abi.h"
#include "thread/sync-object.h"
#include "thread/thread-core.h"
#include "thread/thread-order.h"
#include "thread/thread-section.h"

// The lock that the thread took last.
static struct mck_sync *last_lock(const struct mck_strand *strand) {
  return mck_sync_find(strand->held[strand->nheld - 1].lock, MCK_SYNC_LOCK);
}

// lock: NULL where the call cannot have failed; OpenMP's criticals have other addresses in the program than for OMPT.
MCK_EXPORT void __mck_section(const volatile void *lock) {
  struct mck_strand *self = mck_strand_self;
  if (!self || !self->nheld || !mck_thread_is_several()) return;
  if (lock && self->held[self->nheld - 1].lock != lock) return;
  mck_thread_lock();
  struct mck_sync *sync = last_lock(self);
  if (sync) mck_section_known(self, &sync->lock);
  mck_thread_unlock();
}

static void load(struct mck_strand *self, uintptr_t address, uint64_t size) {
  mck_thread_lock();
  struct mck_sync *sync = last_lock(self);
  if (sync) mck_section_load(self, &sync->lock, address, size);
  mck_thread_unlock();
}

MCK_EXPORT void __mck_section_access(const volatile void *address, uint64_t size, uint32_t is_store) {
  struct mck_strand *self = mck_strand_self;
  if (!self || !self->nheld || !self->section) return;
  if (is_store) mck_section_store(self, (uintptr_t)address, size);
  else load(self, (uintptr_t)address, size);
}

bool mck_thread_is_in_section(void) {
  struct mck_strand *self = mck_strand_self;
  return self && self->nheld && mck_section_is_known(self);
}

void mck_thread_section_access(const void *low, const void *high, bool is_store) {
  uint64_t size = (uint64_t)((const char *)high - (const char *)low);
  if (!mck_thread_is_in_section() || !size) return;
  if (is_store) mck_section_store_some(mck_strand_self, (uintptr_t)low, size);
  else load(mck_strand_self, (uintptr_t)low, size);
}

void mck_thread_section_give_up(void) {
  if (!mck_thread_is_in_section()) return;
  mck_thread_lock();
  struct mck_sync *sync = last_lock(mck_strand_self);
  if (sync) mck_section_give_up(mck_strand_self, &sync->lock);
  mck_thread_unlock();
}
