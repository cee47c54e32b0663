// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's synchronization objects, by address: locks, condition variables, semaphores, barriers, once controls,
// atomic variables. With the lock of the room.
#pragma once
#include "thread/barrier.h"
#include "thread/thread-lock.h"

enum mck_sync_kind {
  MCK_SYNC_LOCK = 1,
  MCK_SYNC_CONDITION,
  MCK_SYNC_SEMAPHORE,
  MCK_SYNC_BARRIER,
  MCK_SYNC_ONCE,
  MCK_SYNC_ATOMIC,
  MCK_SYNC_ORDERED // OpenMP's ordered regions of a loop, and points of its doacross loops
};

// Posts that wait for their waits: the k-th wait is ordered behind k posts, less the value that it began with.
enum { MCK_POSTS_MAX = 1024 };
struct mck_semaphore {
  bool is_known; // its first value is
  uint64_t first, nwaits, nposts, npassed;
  struct mck_times passed, *posts; // the first npassed posts; those behind them, a ring
};

struct mck_sync {
  struct mck_sync *next;
  const void *address;
  enum mck_sync_kind kind;
  uint32_t era, holder; // holder: mck_sync_acquired
  union {
    struct mck_lock lock;
    struct mck_times clock; // CONDITION, ONCE, ATOMIC, ORDERED: all that was released
    struct mck_semaphore semaphore;
    struct {
      struct mck_barrier barrier;
      uint64_t narrived;
    };
  };
};

struct mck_sync *mck_sync_find(const void *address, enum mck_sync_kind kind); // NULL: there is none
struct mck_sync *mck_sync_get(const void *address, enum mck_sync_kind kind);  // NULL: no memory
void mck_sync_remove(const void *address, enum mck_sync_kind kind);           // it ends, or begins anew

// A lock, or an ordered region, of which OpenMP's library tells: the strand is inside now, or leaves. Of the leave the
// library tells behind it: the next strand may enter earlier, and then it is for its order that the first one leaves.
void mck_sync_acquired(struct mck_sync *sync, struct mck_strand *strand);
void mck_sync_released(struct mck_sync *sync, struct mck_strand *strand);

bool mck_semaphore_open(struct mck_semaphore *semaphore, uint32_t value); // its first value is known; else as it is
void mck_semaphore_post(struct mck_semaphore *semaphore, struct mck_strand *strand); // strand may be NULL, too
void mck_semaphore_wait(struct mck_semaphore *semaphore, struct mck_strand *strand);
