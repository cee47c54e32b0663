// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of POSIX and C11 (C++ and its library come here, too): creation is ordered before all that the thread does,
// and that before the return of the call that joins it (POSIX 4.12, C11 7.26.5).
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <threads.h>
#include "thread/intercept/caller.h"
#include "thread/intercept/library-leaks.h"
#include "thread/intercept/next-function.h"
#include "thread/thread-core.h"
#include "thread/thread-slot.h"
#include "thread/room-memory.h"

struct thread {
  struct thread *next;
  pthread_t id;
  uint64_t number;
  bool is_started, is_over, is_detached; // id is known; it has ended; nobody will join it
  struct mck_strand *strand;
  struct mck_times end;
  uint32_t slot; // of the running thread, + 1; 0: none
  int turns;     // of destructors that are still to run before it ends
  void *(*start)(void *);
  int (*start_c11)(void *);
  void *argument;
};
static struct thread *threads;
static pthread_key_t ending;

static void unlink_thread(struct thread *thread) {
  for (struct thread **at = &threads; *at; at = &(*at)->next)
    if (*at == thread) {
      *at = thread->next;
      break;
    }
  mck_times_clear(&thread->end);
  mck_thread_free(thread);
}

// Destructors of the program's thread-specific data run before, in all turns but the last.
static void end(void *data) {
  struct thread *thread = data;
  if (--thread->turns > 0 && pthread_setspecific(ending, thread) == 0) return;
  mck_thread_lock();
  if (thread->strand) mck_strand_end(thread->strand, &thread->end);
  mck_strand_self = thread->strand = NULL;
  thread->is_over = true, thread->slot = 0;
  if (thread->is_detached) unlink_thread(thread);
  mck_thread_unlock();
  mck_slot_release();
  // Its stack may be the next thread's. Its thread-local variables lie above it.
  enum { STACK = 1 << 23, LOCALS = 1 << 16 };
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  if (mck_thread_tell_left) mck_thread_tell_left(frame - STACK, frame + LOCALS);
}

static struct thread *prepare(const void *place, const pthread_attr_t *attributes) {
  struct thread *thread = mck_thread_alloc(sizeof *thread);
  if (!thread) return NULL;
  if (mck_thread_tell_several) mck_thread_tell_several();
  mck_caller_look_at_libraries();
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes) pthread_attr_getdetachstate(attributes, &state);
  thread->is_detached = state == PTHREAD_CREATE_DETACHED;
  thread->turns = PTHREAD_DESTRUCTOR_ITERATIONS;
  static uint64_t last;
  mck_thread_lock();
  thread->number = ++last;
  struct mck_times created = {0};
  mck_strand_release(mck_strand_self, &created);
  thread->strand = mck_strand_new(&created, &(struct mck_strand_info){.kind = MCK_STRAND_THREAD, .began = place});
  mck_times_clear(&created);
  thread->next = threads, threads = thread;
  mck_thread_unlock();
  return thread;
}

static void begin(struct thread *thread) {
  mck_slot_claim(false);
  mck_thread_lock();
  thread->slot = mck_slot_own;
  thread->id = pthread_self(), thread->is_started = true;
  mck_strand_self = thread->strand;
  mck_thread_unlock();
  pthread_setspecific(ending, thread);
}
static void *run(void *data) {
  struct thread *thread = data;
  begin(thread);
  return thread->start(thread->argument);
}
static int run_c11(void *data) {
  struct thread *thread = data;
  begin(thread);
  return thread->start_c11(thread->argument);
}

static void not_made(struct thread *thread) {
  mck_thread_lock();
  if (thread->strand) mck_strand_end(thread->strand, &mck_strand_self->clock);
  unlink_thread(thread);
  mck_strand_joined(mck_strand_self);
  mck_thread_unlock();
}

// The creator knows the number of the thread now, which may not have begun, or be gone.
static void made(const struct thread *thread, uint64_t number, pthread_t id) {
  mck_thread_lock();
  for (struct thread *t = threads; t; t = t->next)
    if (t == thread && t->number == number) t->id = id, t->is_started = true;
  mck_thread_unlock();
}

// A thread that the MPI library starts for itself.
static void *run_in_library(void *data) {
  struct thread own = *(struct thread *)data;
  mck_thread_free(data);
  mck_library_leaks_begin();
  return own.start(own.argument);
}

DEFINE_NEXT(int, pthread_create, (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))
static int create_in_library(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  struct thread *thread = mck_thread_alloc(sizeof *thread);
  if (!thread) return next_pthread_create()(id, attributes, start, argument);
  thread->start = start, thread->argument = argument;
  int rc = next_pthread_create()(id, attributes, run_in_library, thread);
  if (rc) mck_thread_free(thread);
  return rc;
}

static bool counts(const void *place) { return mck_strand_self && mck_caller_is_program(place); }

MCK_EXPORT int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  if (mck_library_leaks_are_hidden()) return create_in_library(id, attributes, start, argument);
  const void *place = __builtin_return_address(0);
  struct thread *thread = counts(place) ? prepare(place, attributes) : NULL;
  if (!thread) return next_pthread_create()(id, attributes, start, argument);
  thread->start = start, thread->argument = argument;
  uint64_t number = thread->number;
  int rc = next_pthread_create()(id, attributes, run, thread);
  if (rc) not_made(thread);
  else made(thread, number, *id);
  return rc;
}

DEFINE_NEXT(int, thrd_create, (thrd_t *, thrd_start_t, void *))
MCK_EXPORT int thrd_create(thrd_t *id, thrd_start_t start, void *argument) {
  const void *place = __builtin_return_address(0);
  struct thread *thread = counts(place) ? prepare(place, NULL) : NULL;
  if (!thread) return next_thrd_create()(id, start, argument);
  thread->start_c11 = start, thread->argument = argument;
  uint64_t number = thread->number;
  int rc = next_thrd_create()(id, run_c11, thread);
  if (rc != thrd_success) not_made(thread);
  else made(thread, number, *id);
  return rc;
}

// The oldest one: the number of a thread that was joined may be given to another thread before we look.
static struct thread *find(pthread_t id) {
  struct thread *found = NULL;
  for (struct thread *thread = threads; thread; thread = thread->next)
    if (thread->is_started && !thread->is_detached && pthread_equal(thread->id, id)) found = thread;
  return found;
}

static void joined(pthread_t id) {
  mck_thread_lock();
  struct thread *thread = find(id);
  if (thread && thread->is_over) {
    if (mck_strand_self) {
      mck_strand_acquire(mck_strand_self, &thread->end);
      mck_strand_joined(mck_strand_self);
    }
    unlink_thread(thread);
  }
  mck_thread_unlock();
}

static void detached(pthread_t id) {
  mck_thread_lock();
  struct thread *thread = find(id);
  if (thread) thread->is_detached = true;
  if (thread && thread->is_over) unlink_thread(thread);
  mck_thread_unlock();
}

// While a thread waits for another one. It may be cancelled.
static void end_wait(void *unused) {
  (void)unused;
  mck_slot_end();
}
static void begin_join(pthread_t id) {
  mck_thread_lock();
  struct thread *thread = find(id);
  uint32_t slot = thread ? thread->slot : 0;
  mck_thread_unlock();
  mck_slot_begin(MCK_SLOT_JOIN, slot);
}

// What a thread that waits for this one finds when it gets the result: also those that the program does not count.
#define JOIN(name, success, parameters, arguments, id)                                                                 \
  DEFINE_NEXT(int, name, parameters)                                                                                   \
  MCK_EXPORT int name parameters {                                                                                     \
    int rc = next_##name() arguments;                                                                                  \
    if (rc == (success)) joined(id);                                                                                   \
    return rc;                                                                                                         \
  }
#define JOIN_FOREVER(name, success, parameters, arguments, id)                                                         \
  DEFINE_NEXT(int, name, parameters)                                                                                   \
  MCK_EXPORT int name parameters {                                                                                     \
    int rc;                                                                                                            \
    begin_join(id);                                                                                                    \
    pthread_cleanup_push(end_wait, NULL);                                                                              \
    rc = next_##name() arguments;                                                                                      \
    pthread_cleanup_pop(1);                                                                                            \
    if (rc == (success)) joined(id);                                                                                   \
    return rc;                                                                                                         \
  }
JOIN_FOREVER(pthread_join, 0, (pthread_t id, void **result), (id, result), id)
JOIN(pthread_tryjoin_np, 0, (pthread_t id, void **result), (id, result), id)
JOIN(pthread_timedjoin_np, 0, (pthread_t id, void **result, const struct timespec *until), (id, result, until), id)
JOIN(pthread_clockjoin_np, 0, (pthread_t id, void **result, clockid_t clock, const struct timespec *until),
     (id, result, clock, until), id)
JOIN_FOREVER(thrd_join, thrd_success, (thrd_t id, int *result), (id, result), id)

// Before the call: behind it the number may belong to another thread.
DEFINE_NEXT(int, pthread_detach, (pthread_t))
MCK_EXPORT int pthread_detach(pthread_t id) {
  detached(id);
  return next_pthread_detach()(id);
}
DEFINE_NEXT(int, thrd_detach, (thrd_t))
MCK_EXPORT int thrd_detach(thrd_t id) {
  detached(id);
  return next_thrd_detach()(id);
}

DEFINE_NEXT(int, pthread_setname_np, (pthread_t, const char *))
MCK_EXPORT int pthread_setname_np(pthread_t id, const char *name) {
  int rc = next_pthread_setname_np()(id, name);
  if (rc) return rc;
  mck_thread_lock();
  struct thread *thread = find(id);
  if (pthread_equal(id, pthread_self()) ? mck_strand_self != NULL : thread && thread->strand)
    mck_strand_set_name(pthread_equal(id, pthread_self()) ? mck_strand_self->id : thread->strand->id, name);
  mck_thread_unlock();
  return rc;
}

static __attribute__((constructor)) void begin_process(void) { // on the main thread
  pthread_key_create(&ending, end);
  pthread_atfork(NULL, NULL, mck_thread_forked);
  mck_thread_begin();
}
