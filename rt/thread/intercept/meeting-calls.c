// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semaphores, barriers and once controls. They count, so they are followed also while the program has one thread.
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <threads.h>
#include "thread/intercept/caller.h"
#include "thread/intercept/next-function.h"
#include "thread/sync-object.h"
#include "thread/thread-core.h"
#include "thread/thread-slot.h"

#define PLACE __builtin_return_address(0)

static void make(sem_t *s, unsigned value) {
  if (mck_thread_is_inside) return mck_times_lose();
  mck_thread_lock();
  mck_sync_remove(s, MCK_SYNC_SEMAPHORE);
  struct mck_sync *sync = mck_sync_get(s, MCK_SYNC_SEMAPHORE);
  if (sync) mck_semaphore_open(&sync->semaphore, value);
  mck_thread_unlock();
}
static void post(sem_t *s) {
  if (mck_thread_is_inside) return mck_times_lose(); // a signal handler that has interrupted us: its order is not known
  mck_thread_lock();
  struct mck_sync *sync = mck_sync_get(s, MCK_SYNC_SEMAPHORE);
  if (sync) mck_semaphore_post(&sync->semaphore, mck_strand_self);
  mck_thread_unlock();
}
static void wait_for(sem_t *s) {
  if (mck_thread_is_inside) return mck_times_lose();
  mck_thread_lock();
  struct mck_sync *sync = mck_sync_get(s, MCK_SYNC_SEMAPHORE);
  if (sync) mck_semaphore_wait(&sync->semaphore, mck_strand_self);
  mck_thread_unlock();
}
static void forget(const void *address, enum mck_sync_kind kind) {
  mck_thread_lock();
  mck_sync_remove(address, kind);
  mck_thread_unlock();
}

DEFINE_NEXT(int, sem_init, (sem_t *, int, unsigned))
MCK_EXPORT int sem_init(sem_t *s, int is_shared, unsigned value) {
  int rc = next_sem_init()(s, is_shared, value);
  if (!rc && !is_shared && mck_caller_synchronizes(PLACE)) make(s, value); // other processes may post to shared ones
  return rc;
}
DEFINE_NEXT(int, sem_destroy, (sem_t *))
MCK_EXPORT int sem_destroy(sem_t *s) {
  if (mck_caller_synchronizes(PLACE)) forget(s, MCK_SYNC_SEMAPHORE);
  return next_sem_destroy()(s);
}
DEFINE_NEXT(int, sem_post, (sem_t *))
MCK_EXPORT int sem_post(sem_t *s) {
  if (mck_caller_synchronizes(PLACE)) post(s);
  return next_sem_post()(s);
}
#define WAIT(name, parameters, arguments)                                                                              \
  DEFINE_NEXT(int, name, parameters)                                                                                   \
  MCK_EXPORT int name parameters {                                                                                     \
    int rc = next_##name() arguments;                                                                                  \
    if (!rc && mck_caller_synchronizes(PLACE)) wait_for(s);                                                            \
    return rc;                                                                                                         \
  }
// It may be cancelled.
static void end_wait(void *unused) {
  (void)unused;
  mck_slot_end();
}
DEFINE_NEXT(int, sem_wait, (sem_t *))
MCK_EXPORT int sem_wait(sem_t *s) {
  int rc;
  bool is_counted = mck_caller_synchronizes(PLACE);
  pthread_cleanup_push(end_wait, NULL);
  if (is_counted) mck_slot_begin(MCK_SLOT_SEMAPHORE, (uintptr_t)s);
  rc = next_sem_wait()(s);
  pthread_cleanup_pop(is_counted);
  if (!rc && is_counted) wait_for(s);
  return rc;
}
WAIT(sem_trywait, (sem_t * s), (s))
WAIT(sem_timedwait, (sem_t * s, const struct timespec *until), (s, until))
WAIT(sem_clockwait, (sem_t * s, clockid_t clock, const struct timespec *until), (s, clock, until))

DEFINE_NEXT(int, pthread_barrier_init, (pthread_barrier_t *, const pthread_barrierattr_t *, unsigned))
MCK_EXPORT int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attributes, unsigned n) {
  int rc = next_pthread_barrier_init()(b, attributes, n);
  if (rc || !mck_caller_synchronizes(PLACE)) return rc;
  mck_thread_lock();
  mck_sync_remove(b, MCK_SYNC_BARRIER);
  struct mck_sync *sync = mck_sync_get(b, MCK_SYNC_BARRIER);
  if (sync) sync->barrier.n = n;
  mck_thread_unlock();
  return rc;
}
DEFINE_NEXT(int, pthread_barrier_destroy, (pthread_barrier_t *))
MCK_EXPORT int pthread_barrier_destroy(pthread_barrier_t *b) {
  int rc = next_pthread_barrier_destroy()(b); // it waits until all have left
  if (!rc && mck_caller_synchronizes(PLACE)) forget(b, MCK_SYNC_BARRIER);
  return rc;
}
DEFINE_NEXT(int, pthread_barrier_wait, (pthread_barrier_t *))
MCK_EXPORT int pthread_barrier_wait(pthread_barrier_t *b) {
  if (!mck_strand_self || mck_thread_is_inside || !mck_caller_synchronizes(PLACE))
    return next_pthread_barrier_wait()(b);
  uint32_t phase = 0;
  mck_thread_lock();
  struct mck_sync *sync = mck_sync_find(b, MCK_SYNC_BARRIER);
  if (sync && sync->barrier.n) {
    phase = (uint32_t)(sync->narrived++ / sync->barrier.n);
    mck_barrier_arrive(&sync->barrier, mck_strand_self, phase);
  } else sync = NULL;
  mck_thread_unlock();
  mck_slot_begin(MCK_SLOT_BARRIER, (uintptr_t)b);
  int rc = next_pthread_barrier_wait()(b);
  mck_slot_end();
  if (!sync) return rc;
  mck_thread_lock();
  sync = mck_sync_find(b, MCK_SYNC_BARRIER); // one that leaves earlier may destroy it
  if (sync) mck_barrier_leave(&sync->barrier, mck_strand_self, phase, NULL);
  mck_thread_unlock();
  return rc;
}

// The call that runs the routine is ordered before the return of all others (POSIX, pthread_once; C11 7.26.2.1).
static __thread struct {
  void *control;
  void (*routine)(void);
} once __attribute__((tls_model("initial-exec")));
static void run_once(void) {
  void *control = once.control;
  once.routine(); // it may come here again, for another control
  mck_thread_lock();
  struct mck_sync *sync = mck_strand_self ? mck_sync_get(control, MCK_SYNC_ONCE) : NULL;
  if (sync) mck_strand_release(mck_strand_self, &sync->clock);
  mck_thread_unlock();
}
static void begin_once(void *control, void (*routine)(void)) { once.control = control, once.routine = routine; }
static void end_once(void *control) {
  if (!mck_strand_self || !mck_thread_is_several()) return;
  mck_thread_lock();
  struct mck_sync *sync = mck_sync_find(control, MCK_SYNC_ONCE);
  if (sync) mck_strand_acquire(mck_strand_self, &sync->clock);
  mck_thread_unlock();
}

DEFINE_NEXT(int, pthread_once, (pthread_once_t *, void (*)(void)))
MCK_EXPORT int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  if (!mck_strand_self || mck_thread_is_inside || !mck_caller_synchronizes(PLACE))
    return next_pthread_once()(control, routine);
  begin_once(control, routine);
  int rc = next_pthread_once()(control, run_once);
  end_once(control);
  return rc;
}
DEFINE_NEXT(void, call_once, (once_flag *, void (*)(void)))
MCK_EXPORT void call_once(once_flag *control, void (*routine)(void)) {
  if (!mck_strand_self || mck_thread_is_inside || !mck_caller_synchronizes(PLACE))
    return next_call_once()(control, routine);
  begin_once(control, routine);
  next_call_once()(control, run_once);
  end_once(control);
}

// The guard of a static variable of a function (Itanium C++ ABI, 3.3.3). Where it is done already, recompiled code
// reads it by itself, with acquire (__mck_atomic).
DEFINE_NEXT(int, __cxa_guard_acquire, (uint64_t *))
MCK_EXPORT int __cxa_guard_acquire(uint64_t *guard);
MCK_EXPORT int __cxa_guard_acquire(uint64_t *guard) {
  int is_mine = next___cxa_guard_acquire()(guard);
  if (is_mine || !mck_strand_self || mck_thread_is_inside || !mck_thread_is_several()) return is_mine;
  mck_thread_lock();
  struct mck_sync *sync = mck_sync_find(guard, MCK_SYNC_ATOMIC);
  if (sync) mck_strand_acquire(mck_strand_self, &sync->clock);
  mck_thread_unlock();
  return is_mine;
}
DEFINE_NEXT(void, __cxa_guard_release, (uint64_t *))
MCK_EXPORT void __cxa_guard_release(uint64_t *guard);
MCK_EXPORT void __cxa_guard_release(uint64_t *guard) {
  if (mck_strand_self && !mck_thread_is_inside && mck_thread_is_several()) {
    mck_thread_lock();
    struct mck_sync *sync = mck_sync_get(guard, MCK_SYNC_ATOMIC);
    if (sync) mck_strand_release(mck_strand_self, &sync->clock);
    mck_thread_unlock();
  }
  next___cxa_guard_release()(guard);
}
