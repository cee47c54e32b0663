// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the line from a thread of its own (progress-line.h).
#include "progress-line.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FIRST_SECONDS = 2 };

struct mck_progress {
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t change;
  const char *what; // NULL: ask
  mck_progress_ask *ask;
  const char *context;
  time_t begin;
  long expected; // seconds in all, 0: not known
  bool is_over;
};

// Whether there is a line now.
static bool draw(const struct mck_progress *p, time_t now) {
  char text[160];
  const char *what = p->what;
  time_t begin = p->begin;
  if (!what && p->ask(p->context, text, sizeof text, &begin)) what = text;
  long seconds = (long)(now - begin);
  if (!what || seconds < FIRST_SECONDS) return false;
  fprintf(stderr, "\r\033[K==mpicc-check== %s: %ld s", what, seconds);
  if (seconds < p->expected) fprintf(stderr, " of about %ld s", p->expected);
  fflush(stderr);
  return true;
}

static void remove_line(void) { fputs("\r\033[K", stderr), fflush(stderr); }

static void *show(void *context) {
  struct mck_progress *p = context;
  struct timespec next;
  clock_gettime(CLOCK_REALTIME, &next);
  next.tv_sec++;
  bool is_shown = false;
  pthread_mutex_lock(&p->mutex);
  while (!p->is_over) {
    if (pthread_cond_timedwait(&p->change, &p->mutex, &next) == 0) continue;
    bool is_drawn = draw(p, next.tv_sec);
    if (is_shown && !is_drawn) remove_line();
    is_shown = is_drawn, next.tv_sec++;
  }
  pthread_mutex_unlock(&p->mutex);
  if (is_shown) remove_line();
  return NULL;
}

// Signals of the terminal and of a job are for the first thread.
static bool start(struct mck_progress *p) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  bool is_started = pthread_create(&p->thread, NULL, show, p) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return is_started;
}

static struct mck_progress *begin(const struct mck_progress *what) {
  struct mck_progress *p = isatty(STDERR_FILENO) ? malloc(sizeof *p) : NULL;
  if (!p) return NULL;
  *p = *what, p->begin = time(NULL);
  pthread_mutex_init(&p->mutex, NULL), pthread_cond_init(&p->change, NULL);
  if (start(p)) return p;
  free(p);
  return NULL;
}

struct mck_progress *mck_progress_begin(const char *what, long expected) {
  return begin(&(struct mck_progress){.what = what, .expected = expected});
}

struct mck_progress *mck_progress_follow(mck_progress_ask *ask, const char *context) {
  return begin(&(struct mck_progress){.ask = ask, .context = context});
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
