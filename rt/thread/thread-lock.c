// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread/thread-lock.h"
#include "thread/thread-section.h"

uint32_t mck_lock_new_number(void) {
  static uint32_t last;
  return ++last & ~MCK_HELD_SHARED;
}

static struct mck_lock_held *find(struct mck_strand *strand, const void *address, uint32_t number) {
  for (uint32_t i = strand->nheld; i > 0; i--)
    if (strand->held[i - 1].lock == address && ((strand->held[i - 1].number ^ number) & ~MCK_HELD_SHARED) == 0)
      return &strand->held[i - 1];
  return NULL;
}

bool mck_lock_is_held(const struct mck_strand *strand, const void *address) {
  for (uint32_t i = 0; i < strand->nheld; i++)
    if (strand->held[i].lock == address) return true;
  return false;
}

bool mck_lock_push(struct mck_strand *strand, const void *address, uint32_t number) {
  static uint32_t last;
  struct mck_lock_held *held = find(strand, address, number);
  if (held) return held->depth++, true;
  if (strand->nheld == MCK_HELD_MAX) return strand->is_unsure = true, false;
  strand->held[strand->nheld++] = (struct mck_lock_held){address, number, ++last, 1};
  return false;
}

bool mck_lock_pop(struct mck_strand *strand, const void *address, uint32_t number) {
  struct mck_lock_held *held = find(strand, address, number);
  if (!held) return true; // it was one too many, or taken by another strand
  if (--held->depth) return false;
  for (uint32_t i = (uint32_t)(held - strand->held) + 1; i < strand->nheld; i++) strand->held[i - 1] = strand->held[i];
  if (!--strand->nheld) strand->is_unsure = false;
  return true;
}

void mck_lock_acquire(struct mck_strand *strand, struct mck_lock *lock, const void *address, bool is_shared) {
  if (!lock->number) lock->number = mck_lock_new_number();
  if (mck_lock_push(strand, address, lock->number | (is_shared ? MCK_HELD_SHARED : 0))) return;
  mck_section_begin(strand);
  mck_strand_acquire(strand, is_shared ? &lock->written : &lock->released);
}

void mck_lock_release(struct mck_strand *strand, struct mck_lock *lock, const void *address) {
  struct mck_lock_held *held = find(strand, address, lock->number);
  bool is_shared = held && held->number & MCK_HELD_SHARED;
  if (!mck_lock_pop(strand, address, lock->number)) return;
  mck_strand_release(strand, &lock->released);
  if (!is_shared) mck_strand_release(strand, &lock->written);
  mck_section_end(strand, lock);
}

void mck_lock_clear(struct mck_lock *lock) {
  mck_times_clear(&lock->released), mck_times_clear(&lock->written), mck_times_clear(&lock->unknown);
  mck_section_clear(lock);
}
