// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdatomic.h>
#include "base/hash-table.h"
#include "thread/sync-object.h"
#include "thread/room-memory.h"

enum { BUCKETS = 4096, SYNCS_MAX = 1 << 16 };
static struct mck_sync *buckets[BUCKETS];
static uint32_t nsyncs;

static struct mck_sync **place(const void *address, enum mck_sync_kind kind) {
  struct mck_sync **at = &buckets[mck_table_mix((uintptr_t)address, kind) % BUCKETS];
  while (*at && ((*at)->address != address || (*at)->kind != kind)) at = &(*at)->next;
  return at;
}

static void clear(struct mck_sync *sync) {
  switch (sync->kind) {
  case MCK_SYNC_LOCK: mck_lock_clear(&sync->lock); break;
  case MCK_SYNC_SEMAPHORE:
    mck_times_clear(&sync->semaphore.passed);
    for (uint64_t i = sync->semaphore.npassed; i < sync->semaphore.nposts && sync->semaphore.posts; i++)
      mck_times_clear(&sync->semaphore.posts[i % MCK_POSTS_MAX]);
    break;
  case MCK_SYNC_BARRIER: mck_barrier_clear(&sync->barrier); break;
  case MCK_SYNC_CONDITION:
  case MCK_SYNC_ONCE:
  case MCK_SYNC_ATOMIC:
  case MCK_SYNC_ORDERED: mck_times_clear(&sync->clock); break;
  }
}

// Semaphores and barriers count, so they stay until they are destroyed.
static bool is_counting(const struct mck_sync *sync) {
  return sync->kind == MCK_SYNC_SEMAPHORE || sync->kind == MCK_SYNC_BARRIER;
}

static void unlink_at(struct mck_sync **at) {
  struct mck_sync *sync = *at;
  *at = sync->next;
  clear(sync);
  if (sync->kind == MCK_SYNC_SEMAPHORE) mck_thread_free(sync->semaphore.posts);
  mck_thread_free(sync);
  nsyncs--;
}

// What order the objects of earlier eras hold, all have. A lock that is still held gets another number then.
static void forget_old(uint32_t era) {
  for (uint32_t i = 0; i < BUCKETS; i++)
    for (struct mck_sync **at = &buckets[i]; *at;)
      if ((*at)->era != era && !is_counting(*at)) unlink_at(at);
      else at = &(*at)->next;
}

struct mck_sync *mck_sync_find(const void *address, enum mck_sync_kind kind) {
  struct mck_sync *sync = *place(address, kind);
  uint32_t era = atomic_load_explicit(&mck_strand_era, memory_order_relaxed);
  if (sync && sync->era != era && !is_counting(sync)) clear(sync), sync->era = era;
  return sync;
}

struct mck_sync *mck_sync_get(const void *address, enum mck_sync_kind kind) {
  struct mck_sync *sync = mck_sync_find(address, kind);
  if (sync) return sync;
  static uint32_t next_look = SYNCS_MAX;
  uint32_t era = atomic_load_explicit(&mck_strand_era, memory_order_relaxed);
  if (nsyncs >= next_look) {
    forget_old(era);
    next_look = 2 * nsyncs > SYNCS_MAX ? 2 * nsyncs : SYNCS_MAX;
  }
  struct mck_sync **at = place(address, kind);
  *at = mck_thread_alloc(sizeof **at);
  if (!*at) return mck_times_lose(), NULL;
  (*at)->address = address, (*at)->kind = kind, (*at)->era = era;
  nsyncs++;
  return *at;
}

void mck_sync_remove(const void *address, enum mck_sync_kind kind) {
  struct mck_sync **at = place(address, kind);
  if (*at) unlink_at(at);
}

static void leave(struct mck_sync *sync, struct mck_strand *strand) {
  sync->holder = 0;
  if (sync->kind == MCK_SYNC_ORDERED) mck_strand_release(strand, &sync->clock);
  else mck_lock_release(strand, &sync->lock, sync->address);
}

// The holder is in OpenMP's library: nothing of it has changed since it gave the lock back.
void mck_sync_acquired(struct mck_sync *sync, struct mck_strand *strand) {
  struct mck_strand *holder = sync->holder ? mck_strand_of(sync->holder - 1) : NULL;
  if (strand->left == sync->address) strand->left = NULL;
  if (holder && holder != strand) {
    leave(sync, holder);
    holder->left = sync->address;
  }
  sync->holder = (strand->id & (MCK_COMPONENTS - 1)) + 1;
  if (sync->kind == MCK_SYNC_ORDERED) mck_strand_acquire(strand, &sync->clock);
  else mck_lock_acquire(strand, &sync->lock, sync->address, false);
}

void mck_sync_released(struct mck_sync *sync, struct mck_strand *strand) {
  if (strand->left == sync->address) strand->left = NULL;
  else leave(sync, strand);
}

static void pass_one(struct mck_semaphore *s) {
  struct mck_times *post = &s->posts[s->npassed++ % MCK_POSTS_MAX];
  mck_times_join(&s->passed, post);
  mck_times_clear(post);
}

bool mck_semaphore_open(struct mck_semaphore *s, uint32_t value) {
  s->is_known = true, s->first = value;
  return (
      s->posts = mck_thread_alloc((MCK_POSTS_MAX) * sizeof *s->posts)); // now: a post may be made in a signal handler
}

void mck_semaphore_post(struct mck_semaphore *s, struct mck_strand *strand) {
  if (!s->posts) s->posts = mck_thread_alloc((MCK_POSTS_MAX) * sizeof *s->posts);
  if (!s->posts) return mck_times_lose();
  if (s->nposts - s->npassed == MCK_POSTS_MAX) pass_one(s); // too many are open: waits get too much order
  struct mck_times *post = &s->posts[s->nposts++ % MCK_POSTS_MAX];
  if (strand) mck_strand_release(strand, post);
}

// Which post a wait took nobody knows; it cannot have gone on without so many of them.
void mck_semaphore_wait(struct mck_semaphore *s, struct mck_strand *strand) {
  s->nwaits++;
  uint64_t needed = !s->is_known ? UINT64_MAX : s->nwaits > s->first ? s->nwaits - s->first : 0;
  if (needed > s->nposts && s->is_known) s->is_known = false; // there are posts that we do not see
  while (s->npassed < s->nposts && (s->npassed < needed || !s->is_known)) pass_one(s);
  if (strand) mck_strand_acquire(strand, &s->passed);
}
