// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the line from a thread of its own (progress-line.h).
#include "progress-line.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_SECONDS = 2 };

struct mck_progress {
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t change;
  const char *what;
  long expected; // seconds in all, 0: not known
  bool is_over;
};

static void *show(void *context) {
  struct mck_progress *p = context;
  struct timespec begin, next;
  clock_gettime(CLOCK_REALTIME, &begin);
  next = begin, next.tv_sec += FIRST_SECONDS;
  bool is_shown = false;
  pthread_mutex_lock(&p->mutex);
  while (!p->is_over) {
    if (pthread_cond_timedwait(&p->change, &p->mutex, &next) == 0) continue;
    long seconds = (long)(next.tv_sec - begin.tv_sec);
    fprintf(stderr, "\r\033[K==mpicc-check== %s: %ld s", p->what, seconds);
    if (seconds < p->expected) fprintf(stderr, " of about %ld s", p->expected);
    fflush(stderr);
    is_shown = true, next.tv_sec++;
  }
  pthread_mutex_unlock(&p->mutex);
  if (is_shown) fputs("\r\033[K", stderr), fflush(stderr);
  return NULL;
}

struct mck_progress *mck_progress_begin(const char *what, long expected) {
  struct mck_progress *p = isatty(STDERR_FILENO) ? calloc(1, sizeof *p) : NULL;
  if (!p) return NULL;
  p->what = what, p->expected = expected;
  pthread_mutex_init(&p->mutex, NULL), pthread_cond_init(&p->change, NULL);
  if (pthread_create(&p->thread, NULL, show, p) == 0) return p;
  free(p);
  return NULL;
}

void mck_progress_end(struct mck_progress *p) {
  if (!p) return;
  pthread_mutex_lock(&p->mutex);
  p->is_over = true;
  pthread_cond_signal(&p->change);
  pthread_mutex_unlock(&p->mutex);
  pthread_join(p->thread, NULL);
  free(p);
}
