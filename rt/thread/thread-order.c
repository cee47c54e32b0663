// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include "base/short-lock.h"
#include "thread/room-memory.h"
#include "thread/thread-core.h"
#include "thread/thread-slot.h"

__thread struct mck_strand *mck_strand_self __attribute__((tls_model("initial-exec")));

static struct mck_short_lock room_lock;
void (*mck_thread_tell_several)(void);
void (*mck_thread_tell_left)(uintptr_t low, uintptr_t high);
void (*mck_thread_tell_luck)(bool is_begin);
__thread bool mck_thread_is_inside __attribute__((tls_model("initial-exec")));

void mck_thread_lock(void) {
  mck_thread_is_inside = true;
  mck_short_lock_take(&room_lock);
}
void mck_thread_unlock(void) {
  mck_short_lock_leave(&room_lock);
  mck_thread_is_inside = false; // behind the futex, which is no order of the program (intercept/kernel-calls.c)
}
void mck_thread_forked(void) {
  mck_times_lose();
  mck_thread_memory_forked();
  mck_strand_self = NULL; // nothing is recorded any more
  mck_thread_is_inside = false;
  atomic_store_explicit(&room_lock.state, MCK_SHORT_FREE, memory_order_relaxed);
  mck_slots_forked();
}

void mck_thread_begin(void) {
  static bool has_begun;
  mck_thread_lock();
  if (!has_begun) {
    has_begun = true;
    mck_strand_self = mck_strand_new(&(struct mck_times){0}, &(struct mck_strand_info){.kind = MCK_STRAND_MAIN});
  }
  mck_thread_unlock();
  mck_slot_claim(false);
}

struct mck_moment mck_thread_now(void) {
  return mck_strand_self ? mck_strand_now(mck_strand_self) : (struct mck_moment){0};
}

// What is not known is taken for ordered.
bool mck_thread_has(struct mck_moment earlier) { return !mck_strand_self || mck_strand_has(mck_strand_self, earlier); }

bool mck_thread_is_known(void) {
  return mck_strand_self && !atomic_load_explicit(&mck_times_are_lost, memory_order_relaxed);
}

struct mck_clock_set *mck_thread_clock(void) { return mck_strand_self ? mck_strand_take(mck_strand_self) : NULL; }

bool mck_thread_times(uint32_t *times, uint32_t room, uint32_t *n, uint32_t *own) {
  const struct mck_strand *self = mck_strand_self;
  *n = mck_strand_components();
  if (!self || *n > room || atomic_load_explicit(&mck_times_are_lost, memory_order_relaxed)) return false;
  *own = self->id & (MCK_COMPONENTS - 1);
  for (uint32_t i = 0; i < *n; i++) {
    uint32_t floor = atomic_load_explicit(&mck_times_floor[i], memory_order_relaxed),
             time = mck_times_of(&self->clock, i);
    times[i] = time > floor ? time : floor;
  }
  return true;
}

uint64_t mck_thread_learned(void) {
  uint64_t era = atomic_load_explicit(&mck_strand_era, memory_order_relaxed);
  return mck_strand_self ? era << 32 | mck_strand_self->learned : UINT64_MAX;
}

uint32_t mck_thread_era(void) { return atomic_load_explicit(&mck_strand_era, memory_order_relaxed); }

void mck_thread_held(struct mck_held *held) {
  const struct mck_strand *self = mck_strand_self;
  held->n = self ? self->nheld : 0;
  if (!held->n && (!self || !self->is_unsure)) return; // the rest is not looked at
  for (uint32_t i = 0; i < self->nheld; i++)
    held->held[i].lock = self->held[i].number, held->held[i].section = self->held[i].section;
  if (self->is_unsure) held->n = MCK_HELD_MAX + 1;
}

bool mck_held_excludes(const struct mck_held *a, const struct mck_held *b) {
  if (a->n > MCK_HELD_MAX || b->n > MCK_HELD_MAX) return a->n && b->n; // not all are known
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t k = 0; k < b->n; k++)
      if (((a->held[i].lock ^ b->held[k].lock) & ~MCK_HELD_SHARED) == 0 && a->held[i].section != b->held[k].section &&
          !(a->held[i].lock & b->held[k].lock & MCK_HELD_SHARED))
        return true;
  return false;
}

void mck_thread_name(uint32_t strand, char *text, unsigned size, const void **began) {
  struct mck_strand_info info = {0};
  mck_thread_lock();
  bool is_known = mck_strand_find(strand, &info);
  mck_thread_unlock();
  if (began) *began = info.began;
  if (!is_known) snprintf(text, size, "a thread");
  else switch (info.kind) {
    case MCK_STRAND_MAIN: snprintf(text, size, "the main thread"); break;
    case MCK_STRAND_THREAD:
      if (info.name[0]) snprintf(text, size, "thread '%s'", info.name);
      else snprintf(text, size, "thread created");
      break;
    case MCK_STRAND_IMPLICIT: snprintf(text, size, "OpenMP thread %u of %u", info.number, info.of); break;
    case MCK_STRAND_TASK: snprintf(text, size, "task created"); break;
    }
}
