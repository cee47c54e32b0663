// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts worker threads and hands the steps out to them (worker-threads.h).
#include "base/worker-threads.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS_MAX = 8, WORTH = 50000 }; // a thread costs as much time as some thousand events

struct crew {
  void (*step)(void *context, uint32_t item);
  void *context;
  uint32_t n;
  _Atomic uint32_t next;
};

static void *work(void *of) {
  struct crew *crew = of;
  for (uint32_t item; (item = atomic_fetch_add(&crew->next, 1)) < crew->n;) crew->step(crew->context, item);
  return NULL;
}

unsigned mck_workers_size(uint64_t events) {
  cpu_set_t cores;
  unsigned n = sched_getaffinity(0, sizeof cores, &cores) == 0 ? (unsigned)CPU_COUNT(&cores) : 1;
  if (n > THREADS_MAX) n = THREADS_MAX;
  if (n > events / WORTH) n = (unsigned)(events / WORTH);
  return n ? n : 1;
}

void mck_workers_run(uint32_t n, unsigned nthreads, void (*step)(void *context, uint32_t item), void *context) {
  struct crew crew = {.step = step, .context = context, .n = n};
  pthread_t threads[THREADS_MAX];
  unsigned have = 0;
  // The program's signal handlers must not run on threads that the program does not know.
  sigset_t all, before;
  sigfillset(&all);
  bool is_masked = nthreads > 1 && pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
  while (is_masked && have + 1 < nthreads && have + 1 < n && have < THREADS_MAX &&
         !pthread_create(&threads[have], NULL, work, &crew))
    have++;
  if (is_masked) pthread_sigmask(SIG_SETMASK, &before, NULL);
  work(&crew);
  while (have) pthread_join(threads[--have], NULL);
}
