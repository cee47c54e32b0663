// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdatomic.h>
#include "base/hash-table.h"
#include "thread/sync-object.h"
#include "thread/room-memory.h"

// A program may have a lock for each element of an array: there are as many buckets as objects, but for the first ones.
enum { BUCKETS_FIRST = 4096, SYNCS_MAX = 1 << 16 };
static struct mck_sync *first_buckets[BUCKETS_FIRST], **buckets = first_buckets;
static uint32_t nbuckets = BUCKETS_FIRST, nsyncs; // nbuckets: a power of two

static struct mck_sync **bucket_of(const void *address, enum mck_sync_kind kind) {
  return &buckets[mck_table_mix((uintptr_t)address, kind) & (nbuckets - 1)];
}

static struct mck_sync **place(const void *address, enum mck_sync_kind kind) {
  struct mck_sync **at = bucket_of(address, kind);
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
  for (uint32_t i = 0; i < nbuckets; i++)
    for (struct mck_sync **at = &buckets[i]; *at;)
      if ((*at)->era != era && !is_counting(*at)) unlink_at(at);
      else at = &(*at)->next;
}

// Without memory the chains get longer.
static void grow(void) {
  struct mck_sync **old = buckets, **more = mck_thread_alloc(4 * (size_t)nbuckets * sizeof *more);
  uint32_t n = nbuckets;
  if (!more) return;
  buckets = more, nbuckets = 4 * n;
  for (uint32_t i = 0; i < n; i++)
    for (struct mck_sync *sync = old[i], *next; sync; sync = next) {
      struct mck_sync **at = bucket_of(sync->address, sync->kind);
      next = sync->next, sync->next = *at, *at = sync;
    }
  if (old != first_buckets) mck_thread_free(old);
}

// What it holds of an earlier era, all have.
static struct mck_sync *renew(struct mck_sync *sync) {
  uint32_t era = atomic_load_explicit(&mck_strand_era, memory_order_relaxed);
  if (sync && sync->era != era && !is_counting(sync)) clear(sync), sync->era = era;
  return sync;
}

struct mck_sync *mck_sync_find(const void *address, enum mck_sync_kind kind) { return renew(*place(address, kind)); }

struct mck_sync *mck_sync_get(const void *address, enum mck_sync_kind kind) {
  struct mck_sync **at = place(address, kind);
  if (*at) return renew(*at);
  static uint32_t next_look = SYNCS_MAX;
  uint32_t era = atomic_load_explicit(&mck_strand_era, memory_order_relaxed);
  bool is_moved = nsyncs >= next_look || nsyncs >= nbuckets;
  if (nsyncs >= next_look) {
    forget_old(era);
    next_look = 2 * nsyncs > SYNCS_MAX ? 2 * nsyncs : SYNCS_MAX;
  }
  if (nsyncs >= nbuckets) grow();
  if (is_moved) at = place(address, kind);
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
