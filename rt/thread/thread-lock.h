// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks. What a strand does between lock and unlock is a section. Sections of one lock exclude each other, and are
// numbered. A section comes behind the earlier ones only where information can have come from these; where that is not
// known it counts as ordered (thread-section.c).
#pragma once
#include "thread/strand.h"

struct mck_lock {
  uint32_t number;
  struct mck_times released, written; // by all holders; by those that did not share it with other readers
  struct mck_times unknown;           // by sections of which not all accesses are known
  struct mck_flow *flows;             // what known sections have stored (thread-section.c)
  uint32_t nflows, capacity;
};

uint32_t mck_lock_new_number(void);
// The strand has the lock at address now. Again: true; then nothing else is done (recursive locks).
bool mck_lock_push(struct mck_strand *strand, const void *address, uint32_t number);
bool mck_lock_pop(struct mck_strand *strand, const void *address, uint32_t number); // false: it is still held
bool mck_lock_is_held(const struct mck_strand *strand, const void *address);        // as far as is known (own)
void mck_lock_acquire(struct mck_strand *strand, struct mck_lock *lock, const void *address, bool is_shared);
void mck_lock_release(struct mck_strand *strand, struct mck_lock *lock, const void *address);
void mck_lock_clear(struct mck_lock *lock);
