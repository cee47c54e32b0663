// Strands on threads of their own, under ThreadSanitizer: what is called without the lock of the room touches nothing
// that others change.
// RUN: %clang -g -O1 -fsanitize=thread -D_GNU_SOURCE -I%source/rt %s %source/rt/thread/*.c \
// RUN:   %source/rt/base/hash-table.c %source/rt/base/base.c %source/rt/base/short-lock.c -o %t -pthread -lxxhash
// RUN: %t 2>&1 | FileCheck %s --implicit-check-not=WARNING
// CHECK: ok
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "order.h"
#include <pthread.h>
#include "thread/sync-object.h"
#include "thread/thread-core.h"

enum { THREADS = 4, ROUNDS = 2000, NOTES = 64 };
static struct mck_barrier barrier = {.n = THREADS};
static pthread_barrier_t real;
static struct mck_lock lock;
static struct mck_moment notes[THREADS];
static struct mck_clock_set *sets[THREADS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *data) {
  struct mck_strand **mine = data;
  mck_strand_self = *mine;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    struct mck_moment now = mck_thread_now();
    struct mck_clock_set *set = mck_thread_clock();
    EXPECT(mck_thread_has(now) && mck_clock_set_has(set, now));
    pthread_mutex_lock(&mutex);
    unsigned slot = i % THREADS;
    struct mck_clock_set *old = sets[slot];
    sets[slot] = set;
    if (old) mck_clock_set_has(old, notes[slot]);
    notes[slot] = now;
    pthread_mutex_unlock(&mutex);
    mck_clock_set_release(old);
    mck_thread_lock();
    mck_lock_acquire(*mine, &lock, &lock, i % 3 == 0);
    mck_thread_unlock();
    struct mck_held held;
    mck_thread_held(&held);
    EXPECT(held.n == 1);
    char text[64];
    mck_thread_name(now.strand, text, sizeof text, NULL);
    mck_thread_lock();
    mck_lock_release(*mine, &lock, &lock);
    struct mck_times created = {0};
    mck_strand_release(*mine, &created);
    struct mck_strand *task = mck_strand_new(&created, &(struct mck_strand_info){.kind = MCK_STRAND_TASK});
    mck_times_clear(&created);
    mck_thread_unlock();
    mck_strand_self = task;
    mck_thread_now();
    EXPECT(mck_thread_has(now));
    mck_thread_lock();
    mck_strand_end(task, &created);
    if (i % 2) mck_strand_acquire(*mine, &created);
    mck_times_clear(&created);
    mck_thread_unlock();
    mck_strand_self = *mine;
    mck_thread_lock();
    mck_barrier_arrive(&barrier, *mine, i);
    mck_thread_unlock();
    pthread_barrier_wait(&real);
    mck_thread_lock();
    mck_barrier_leave(&barrier, *mine, i, NULL);
    mck_thread_unlock();
    EXPECT(mck_thread_has(now));
  }
  return NULL;
}

int main(void) {
  struct mck_strand *strands[THREADS];
  pthread_t ids[THREADS];
  pthread_barrier_init(&real, NULL, THREADS);
  for (int i = 0; i < THREADS; i++)
    strands[i] = mck_strand_new(&(struct mck_times){0}, &(struct mck_strand_info){.kind = MCK_STRAND_THREAD});
  for (int i = 0; i < THREADS; i++) pthread_create(&ids[i], NULL, run, &strands[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(ids[i], NULL);
  puts("ok");
  return 0;
}
