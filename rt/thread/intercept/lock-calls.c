// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutexes, read-write locks and spin locks of POSIX, mutexes of C11, and condition variables. A lock that the program
// takes while it has one thread orders nothing. Calls of libraries cost a look at where they come from.
#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include "thread/intercept/caller.h"
#include "thread/intercept/next-function.h"
#include "thread/sync-object.h"
#include "thread/thread-core.h"
#include "thread/thread-slot.h"

#define PLACE __builtin_return_address(0)
// What a signal handler does that has interrupted the room does not count.
static inline bool counts(const void *place) {
  return mck_thread_is_several() && mck_strand_self && !mck_thread_is_inside && mck_caller_synchronizes(place);
}
// A lock may be given back when the other threads are gone. The place of a tail call is that of its function's caller:
// what was taken by a call that counts is given back from any place.
static inline bool is_giver(const void *place) {
  return mck_strand_self && !mck_thread_is_inside &&
         (mck_strand_self->nheld || (mck_thread_is_several() && mck_caller_synchronizes(place)));
}

static __attribute__((noinline)) void lock(const volatile void *address, bool is_shared) {
  mck_thread_lock();
  struct mck_sync *sync = mck_sync_get((const void *)address, MCK_SYNC_LOCK);
  if (sync) mck_lock_acquire(mck_strand_self, &sync->lock, (const void *)address, is_shared);
  mck_thread_unlock();
}
static __attribute__((noinline)) void unlock(const volatile void *address, const void *place) {
  if (!mck_caller_synchronizes(place) && !mck_lock_is_held(mck_strand_self, (const void *)address)) return;
  mck_thread_lock();
  struct mck_sync *sync = mck_sync_get((const void *)address, MCK_SYNC_LOCK);
  if (sync) mck_lock_release(mck_strand_self, &sync->lock, (const void *)address);
  mck_thread_unlock();
}
static void forget(const volatile void *address, enum mck_sync_kind kind) {
  mck_thread_lock();
  mck_sync_remove((const void *)address, kind);
  mck_thread_unlock();
}

#define LOCK(name, parameters, arguments, address, is_shared)                                                          \
  DEFINE_NEXT(int, name, parameters)                                                                                   \
  MCK_EXPORT int name parameters {                                                                                     \
    if (MCK_LIKELY(!mck_thread_is_several())) return next_##name() arguments;                                          \
    int rc = next_##name() arguments;                                                                                  \
    if ((!rc || rc == EOWNERDEAD) && counts(PLACE)) lock(address, is_shared);                                          \
    return rc;                                                                                                         \
  }
#define UNLOCK(name, parameters, address)                                                                              \
  DEFINE_NEXT(int, name, parameters)                                                                                   \
  MCK_EXPORT int name parameters {                                                                                     \
    if (MCK_UNLIKELY(is_giver(PLACE))) unlock(address, PLACE);                                                         \
    return next_##name()(address);                                                                                     \
  }
#define DESTROY(name, parameters, address, kind)                                                                       \
  DEFINE_NEXT(int, name, parameters)                                                                                   \
  MCK_EXPORT int name parameters {                                                                                     \
    if (mck_strand_self && !mck_thread_is_inside && mck_caller_synchronizes(PLACE)) forget(address, kind);             \
    return next_##name()(address);                                                                                     \
  }

// Locks that are waited for without end. Most are free: only a thread that has to wait says so.
#define LOCK_FOREVER(name, try_name, parameters, arguments, address, is_shared)                                        \
  DEFINE_NEXT(int, name, parameters)                                                                                   \
  MCK_EXPORT int name parameters {                                                                                     \
    if (MCK_LIKELY(!mck_thread_is_several())) return next_##name() arguments;                                          \
    bool is_counted = counts(PLACE);                                                                                   \
    int rc = is_counted ? next_##try_name() arguments : next_##name() arguments;                                       \
    if (is_counted && rc && rc != EOWNERDEAD) {                                                                        \
      mck_slot_begin(MCK_SLOT_LOCK, (uintptr_t)(address));                                                             \
      rc = next_##name() arguments;                                                                                    \
      mck_slot_end();                                                                                                  \
    }                                                                                                                  \
    if ((!rc || rc == EOWNERDEAD) && is_counted) lock(address, is_shared);                                             \
    return rc;                                                                                                         \
  }

LOCK(pthread_mutex_trylock, (pthread_mutex_t * m), (m), m, false)
LOCK_FOREVER(pthread_mutex_lock, pthread_mutex_trylock, (pthread_mutex_t * m), (m), m, false)
LOCK(pthread_mutex_timedlock, (pthread_mutex_t * m, const struct timespec *until), (m, until), m, false)
LOCK(pthread_mutex_clocklock, (pthread_mutex_t * m, clockid_t clock, const struct timespec *until), (m, clock, until),
     m, false)
UNLOCK(pthread_mutex_unlock, (pthread_mutex_t * m), m)
DESTROY(pthread_mutex_destroy, (pthread_mutex_t * m), m, MCK_SYNC_LOCK)

LOCK(pthread_rwlock_trywrlock, (pthread_rwlock_t * l), (l), l, false)
LOCK_FOREVER(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, (pthread_rwlock_t * l), (l), l, false)
LOCK(pthread_rwlock_timedwrlock, (pthread_rwlock_t * l, const struct timespec *until), (l, until), l, false)
LOCK(pthread_rwlock_clockwrlock, (pthread_rwlock_t * l, clockid_t clock, const struct timespec *until),
     (l, clock, until), l, false)
LOCK(pthread_rwlock_tryrdlock, (pthread_rwlock_t * l), (l), l, true)
LOCK_FOREVER(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, (pthread_rwlock_t * l), (l), l, true)
LOCK(pthread_rwlock_timedrdlock, (pthread_rwlock_t * l, const struct timespec *until), (l, until), l, true)
LOCK(pthread_rwlock_clockrdlock, (pthread_rwlock_t * l, clockid_t clock, const struct timespec *until),
     (l, clock, until), l, true)
UNLOCK(pthread_rwlock_unlock, (pthread_rwlock_t * l), l)
DESTROY(pthread_rwlock_destroy, (pthread_rwlock_t * l), l, MCK_SYNC_LOCK)

LOCK(pthread_spin_lock, (pthread_spinlock_t * l), (l), l, false)
LOCK(pthread_spin_trylock, (pthread_spinlock_t * l), (l), l, false)
UNLOCK(pthread_spin_unlock, (pthread_spinlock_t * l), l)
DESTROY(pthread_spin_destroy, (pthread_spinlock_t * l), l, MCK_SYNC_LOCK)

_Static_assert(thrd_success == 0, "C11's calls give 0, too");
LOCK(mtx_trylock, (mtx_t * m), (m), m, false)
LOCK_FOREVER(mtx_lock, mtx_trylock, (mtx_t * m), (m), m, false)
LOCK(mtx_timedlock, (mtx_t * m, const struct timespec *until), (m, until), m, false)
UNLOCK(mtx_unlock, (mtx_t * m), m)

// A wait gives the mutex back and takes it again: two sections. It comes behind the signals that may have ended it.
static void signal_all(const void *condition) {
  mck_thread_lock();
  struct mck_sync *sync = mck_sync_get(condition, MCK_SYNC_CONDITION);
  if (sync) mck_strand_release(mck_strand_self, &sync->clock);
  mck_thread_unlock();
}
static void awake(const void *condition, const void *mutex, bool is_signalled) {
  mck_thread_lock();
  struct mck_sync *sync = is_signalled ? mck_sync_find(condition, MCK_SYNC_CONDITION) : NULL;
  if (sync) mck_strand_acquire(mck_strand_self, &sync->clock);
  mck_thread_unlock();
  lock(mutex, false); // behind it: a known section gives back the order of the lock only
}

// A thread that is cancelled while it waits has the mutex when its cleanup handlers run.
struct waiting {
  const void *condition, *mutex;
  bool counts;
};
static void end_cancelled(void *data) {
  const struct waiting *w = data;
  mck_slot_end();
  if (w->counts) awake(w->condition, w->mutex, false);
}

// is_forever: without a time limit
#define WAIT(name, parameters, arguments, condition, mutex, is_forever)                                                \
  DEFINE_NEXT(int, name, parameters)                                                                                   \
  MCK_EXPORT int name parameters {                                                                                     \
    int rc;                                                                                                            \
    struct waiting w = {condition, mutex, counts(PLACE)};                                                              \
    if (w.counts) unlock(mutex, PLACE);                                                                                \
    pthread_cleanup_push(end_cancelled, &w);                                                                           \
    if (w.counts && (is_forever)) mck_slot_begin(MCK_SLOT_CONDITION, (uintptr_t)(condition));                          \
    rc = next_##name() arguments;                                                                                      \
    if (w.counts) mck_slot_end();                                                                                      \
    pthread_cleanup_pop(0);                                                                                            \
    if (w.counts) awake(condition, mutex, !rc);                                                                        \
    return rc;                                                                                                         \
  }
#define SIGNAL(name, parameters, condition)                                                                            \
  DEFINE_NEXT(int, name, parameters)                                                                                   \
  MCK_EXPORT int name parameters {                                                                                     \
    if (counts(PLACE)) signal_all(condition);                                                                          \
    return next_##name()(condition);                                                                                   \
  }
WAIT(pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t *m), (c, m), c, m, true)
WAIT(pthread_cond_timedwait, (pthread_cond_t * c, pthread_mutex_t *m, const struct timespec *until), (c, m, until), c,
     m, false)
WAIT(pthread_cond_clockwait, (pthread_cond_t * c, pthread_mutex_t *m, clockid_t clock, const struct timespec *until),
     (c, m, clock, until), c, m, false)
SIGNAL(pthread_cond_signal, (pthread_cond_t * c), c)
SIGNAL(pthread_cond_broadcast, (pthread_cond_t * c), c)
DESTROY(pthread_cond_destroy, (pthread_cond_t * c), c, MCK_SYNC_CONDITION)
WAIT(cnd_wait, (cnd_t * c, mtx_t *m), (c, m), c, m, true)
WAIT(cnd_timedwait, (cnd_t * c, mtx_t *m, const struct timespec *until), (c, m, until), c, m, false)
SIGNAL(cnd_signal, (cnd_t * c), c)
SIGNAL(cnd_broadcast, (cnd_t * c), c)
