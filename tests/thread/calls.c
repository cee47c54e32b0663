// The order that calls of POSIX threads and C11 threads give, asked of the runtime itself: room rt/thread alone,
// without MPI.
// RUN: %clang -g -O1 -D_GNU_SOURCE -I%source/rt -I%build/gen %s \
// RUN:   %source/rt/thread/intercept/*.c %build/rt/libmck_core.a -o %t -pthread
// RUN: %t | FileCheck %s
// CHECK: ok
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "order.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include "thread/thread-core.h"

static struct mck_moment at[8];
static struct mck_held held[4];
static void note(int i) { at[i] = mck_thread_now(); }
static bool has(int i) { return mck_thread_has(at[i]); }
// A point in real time that orders nothing.
static _Atomic int stage;
static void reach(int n) { atomic_store_explicit(&stage, n, memory_order_relaxed); }
static void await(int n) {
  while (atomic_load_explicit(&stage, memory_order_relaxed) < n) usleep(100);
}
static void *start(void *(*run)(void *)) {
  static pthread_t id;
  reach(0);
  memset(at, 0, sizeof at);
  EXPECT(!pthread_create(&id, NULL, run, NULL));
  return &id;
}
static void join(void *id) {
  EXPECT(!pthread_join(*(pthread_t *)id, NULL));
  EXPECT(!mck_thread_is_parallel);
}

static void *create(void *unused) {
  EXPECT(has(0) && mck_thread_has(mck_thread_now()));
  note(1), reach(1);
  await(2);
  EXPECT(!has(2));
  return unused;
}
static void creation(void) {
  char text[64];
  const void *began = NULL;
  reach(0), note(0);
  pthread_t id;
  EXPECT(!pthread_create(&id, NULL, create, NULL));
  await(1);
  EXPECT(!has(1) && mck_thread_is_parallel);
  pthread_setname_np(id, "io");
  mck_thread_name(at[1].strand, text, sizeof text, &began);
  EXPECT(!strcmp(text, "thread 'io'") && began);
  note(2), reach(2);
  EXPECT(!pthread_join(id, NULL));
  EXPECT(has(1) && !mck_thread_is_parallel);
}

static void *leave(void *unused) {
  (void)unused;
  note(1);
  pthread_exit(NULL);
}
static void *cancelled(void *unused) {
  note(1), reach(1);
  while (1) pause();
  return unused;
}
static void *detached(void *unused) {
  note(1), reach(1);
  return unused;
}
static int c11(void *unused) {
  (void)unused;
  note(1), reach(1);
  thrd_exit(7);
}
static void ends(void) {
  void *id = start(leave);
  join(id);
  EXPECT(has(1));
  id = start(cancelled);
  await(1);
  pthread_cancel(*(pthread_t *)id);
  while (pthread_tryjoin_np(*(pthread_t *)id, NULL) == EBUSY) usleep(100);
  EXPECT(has(1) && !mck_thread_is_parallel);
  thrd_t thread;
  int result = 0;
  reach(0);
  EXPECT(thrd_create(&thread, c11, NULL) == thrd_success);
  await(1);
  EXPECT(!has(1));
  EXPECT(thrd_join(thread, &result) == thrd_success && result == 7 && has(1) && !mck_thread_is_parallel);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static mtx_t recursive;
static void *lock(void *unused) {
  note(0);
  pthread_mutex_lock(&mutex), mck_thread_held(&held[0]), pthread_mutex_unlock(&mutex);
  pthread_rwlock_rdlock(&rwlock), mck_thread_held(&held[1]), pthread_rwlock_unlock(&rwlock);
  reach(1);
  await(2);
  EXPECT(!has(1));
  mtx_lock(&recursive);
  EXPECT(has(1));
  mtx_unlock(&recursive);
  return unused;
}
static void locks(void) {
  mtx_init(&recursive, mtx_plain | mtx_recursive);
  void *id = start(lock);
  await(1);
  EXPECT(!has(0));
  EXPECT(!pthread_mutex_trylock(&other));
  mck_thread_held(&held[2]);
  pthread_mutex_unlock(&other);
  EXPECT(!has(0) && !mck_held_excludes(&held[0], &held[2]));
  pthread_rwlock_rdlock(&rwlock), mck_thread_held(&held[2]), pthread_rwlock_unlock(&rwlock);
  EXPECT(!has(0) && !mck_held_excludes(&held[1], &held[2])); // readers
  pthread_rwlock_wrlock(&rwlock), mck_thread_held(&held[2]), pthread_rwlock_unlock(&rwlock);
  EXPECT(has(0) && mck_held_excludes(&held[1], &held[2]));
  pthread_mutex_lock(&mutex), mck_thread_held(&held[2]), pthread_mutex_unlock(&mutex);
  EXPECT(mck_held_excludes(&held[0], &held[2]));
  mtx_lock(&recursive), mtx_lock(&recursive);
  mtx_unlock(&recursive);
  mck_thread_held(&held[3]);
  EXPECT(held[3].n == 1);
  note(1);
  mtx_unlock(&recursive);
  mck_thread_held(&held[3]);
  EXPECT(held[3].n == 0);
  reach(2);
  join(id);
}

static sem_t sem;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *post(void *unused) {
  note(0), sem_post(&sem), note(1), sem_post(&sem), note(2), reach(1);
  await(2);
  pthread_barrier_wait(&barrier);
  EXPECT(has(3) && (!at[4].time || !has(4)));
  note(5);
  pthread_barrier_wait(&barrier);
  EXPECT(has(4));
  return unused;
}
static void meetings(void) {
  sem_init(&sem, 0, 1);
  pthread_barrier_init(&barrier, NULL, 2);
  void *id = start(post);
  await(1);
  EXPECT(!has(0));
  sem_wait(&sem);
  EXPECT(!has(0)); // it took the first value
  sem_trywait(&sem);
  EXPECT(has(0) && !has(1));
  sem_wait(&sem);
  EXPECT(has(1) && !has(2));
  note(3), reach(2);
  uint32_t era = mck_thread_era();
  pthread_barrier_wait(&barrier);
  EXPECT(has(2) && mck_thread_era() == era + 1);
  note(4);
  pthread_barrier_wait(&barrier);
  EXPECT(has(5));
  join(id);
  sem_destroy(&sem), pthread_barrier_destroy(&barrier);
}

static void initialize(void) { note(0); }
static void *call_once_first(void *unused) {
  pthread_once(&once, initialize);
  note(1), reach(1);
  return unused;
}
static void onces(void) {
  once = (pthread_once_t)PTHREAD_ONCE_INIT;
  void *id = start(call_once_first);
  await(1);
  EXPECT(!has(0));
  pthread_once(&once, initialize);
  EXPECT(has(0) && !has(1));
  join(id);
}

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool is_told;
static void *tell(void *unused) {
  await(1); // main holds the mutex, or waits
  note(0);
  pthread_mutex_lock(&mutex);
  is_told = true;
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(&condition);
  return unused;
}
static void conditions(void) {
  is_told = false;
  void *id = start(tell);
  pthread_mutex_lock(&mutex);
  reach(1);
  while (!is_told) pthread_cond_wait(&condition, &mutex);
  EXPECT(has(0));
  mck_thread_held(&held[0]);
  EXPECT(held[0].n == 1);
  pthread_mutex_unlock(&mutex);
  join(id);
  struct timespec past = {1, 0};
  pthread_mutex_lock(&mutex);
  EXPECT(pthread_cond_timedwait(&condition, &mutex, &past) == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
}

// Threads that wait for the lock of the room itself, one for the other in turn: that orders nothing.
static void hold(void) {
  mck_thread_lock();
  reach(stage + 1);
  usleep(2000); // the other one comes to wait
  mck_thread_unlock();
}
static void wait_for(int n) {
  await(n);
  mck_thread_lock();
  mck_thread_unlock();
  reach(n + 1);
}
static void *contend(void *unused) {
  note(1);
  wait_for(1);
  hold();
  await(4);
  EXPECT(!has(0));
  return unused;
}
static void contention(void) {
  void *id = start(contend);
  note(0);
  hold();
  await(2);
  wait_for(3);
  EXPECT(!has(1));
  join(id);
}

int main(void) {
  for (int i = 0; i < 20; i++) creation(), ends(), locks(), meetings(), onces(), conditions(), contention();
  pthread_t id;
  reach(0);
  EXPECT(!pthread_create(&id, NULL, detached, NULL) && !pthread_detach(id));
  await(1);
  usleep(20000);
  EXPECT(!has(1) && mck_thread_is_parallel); // nobody knows of its end
  puts("ok");
  return 0;
}
