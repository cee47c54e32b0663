// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The watch's thread. It reads the wait marks once a period. Only when ranks stand still in the same call it loads
// their logs and tries the proof. It makes no MPI call and takes no lock of the program's threads. Its cost without a
// proof is bounded: a new proof is tried only after a change, and after COST_FACTOR times the duration of the last
// attempt. While any rank moves, it also waits COST_FACTOR times the expected duration of the next attempt.
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "watch/thread/watch-thread.h"

static struct mck_watch watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int64_t read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t now_ns(void) { return read_clock(CLOCK_MONOTONIC); }

// Sleeps a period. Returns true when the watch must stop.
static bool wait_period(struct mck_watch *w) {
  int64_t until = now_ns() + (int64_t)w->period_ms * 1000000;
  if (w->tree) {
    bool is_stopping = mck_tree_wait(w->tree, until);
    w->is_early = now_ns() < until;
    return is_stopping;
  }
  struct timespec t = {.tv_sec = until / 1000000000, .tv_nsec = until % 1000000000};
  pthread_mutex_lock(&w->lock);
  while (!w->is_stopping && pthread_cond_timedwait(&w->wake, &w->lock, &t) != ETIMEDOUT) {}
  bool is_stopping = w->is_stopping;
  pthread_mutex_unlock(&w->lock);
  return is_stopping;
}

static bool make_rank_path(void *context, uint32_t rank, char *path, size_t size) {
  return mck_watch_path(context, rank, path, size);
}

static size_t find_where(void *context, uint32_t rank, char *text, size_t size) {
  struct mck_watch *w = context;
  uint32_t place = rank < w->size ? mck_watch_place(w, rank) : MCK_NONE;
  return w->where && place != MCK_NONE ? w->where((long)w->headers[place]->pid, text, size) : 0;
}

// While a rank moves, standing ranks mostly mean nothing: on a machine with fewer cores than ranks some always stand
// still.
static bool is_too_dear(const struct mck_watch *w, int64_t now) {
  uint64_t units = 0;
  bool is_moving = false;
  for (uint32_t i = 0; i < w->nhere; i++) {
    units += atomic_load_explicit(&w->headers[i]->units, memory_order_relaxed);
    is_moving |= w->seen[i].looks < LOOKS_STUCK && w->seen[i].state != MCK_LOG_FINALIZED;
  }
  return is_moving && now - w->last_ns < COST_FACTOR * COST_UNIT_NS * (int64_t)units;
}

// On a node without rank 0: it tells which ranks stand still, and rank 0's watch makes the proof.
static bool serve(struct mck_watch *w, uint64_t fingerprint, int64_t now) {
  struct mck_hangs hangs = mck_watch_find_hangs(w, now);
  bool is_picture = false;
  for (uint32_t i = 0; i < w->nhere; i++)
    is_picture |= w->seen[i].looks >= MCK_LOOKS_SHORT || w->seen[i].polls || w->seen[i].state != MCK_LOG_RUNNING;
  if (is_picture) mck_tree_tell_still(w->tree, fingerprint);
  mck_tree_tell_hangs(w->tree, &hangs);
  if (mck_tree_has_ended(w->tree)) mck_watch_remove_logs(w);
  return mck_tree_has_ended(w->tree);
}

static void open_wait_tree(struct mck_watch *w) {
  struct mck_tree_host host = {
      .context = w, .find_standing = mck_watch_find_standing, .make_path = make_rank_path, .find_where = find_where};
  uint64_t job = w->headers[0] ? w->headers[0]->job : 0; // only the node of rank 0 asks
  w->tree = mck_tree_open(w->nodes, &host, w->size, job, (size_t)mck_options.watch_memory << 20, w->stop);
}

static void *run(void *argument) {
  struct mck_watch *w = argument;
  w->last_ns = now_ns();
  while (!wait_period(w)) {
    if (w->nopened < w->nhere) {
      if (!mck_watch_open_headers(w)) break;
      if (w->nopened < w->nhere) continue;
      if (w->nodes) open_wait_tree(w);
      if (w->nodes && !w->tree) break;
    }
    uint64_t fingerprint;
    int64_t start = now_ns();
    bool is_worth = mck_watch_look(w, start, &fingerprint);
    mck_watch_tell_wrong_calls(w, start);
    if (w->nodes && w->nodes->mine) {
      if (serve(w, fingerprint, start)) break;
      continue;
    }
    mck_watch_tell_hangs(w, start);
    if (w->suspect && mck_watch_is_hung(w, fingerprint) && mck_watch_ask_judge(w)) break;
    if (!is_worth || start < w->next_ns || is_too_dear(w, start)) continue;
    uint32_t nproofs = w->nproofs;
    int64_t spent = read_clock(CLOCK_THREAD_CPUTIME_ID);
    if (mck_watch_attempt(w, MCK_CHECK_DEADLOCK, -1)) break;
    w->tried = nproofs == w->nproofs ? fingerprint : 0;
    spent = read_clock(CLOCK_THREAD_CPUTIME_ID) - spent;
    w->last_ns = now_ns();
    w->next_ns = nproofs == w->nproofs ? w->last_ns + COST_FACTOR * spent : 0;
  }
  mck_tree_close(w->tree);
  w->tree = NULL;
  if (w->nodes && w->nodes->listener >= 0) close(w->nodes->listener);
  return NULL;
}

static void free_memory(struct mck_watch *w) {
  for (uint32_t i = 0; w->headers && i < w->nhere; i++)
    if (w->headers[i]) munmap((void *)w->headers[i], MCK_LOG_HEADER);
  for (uint32_t i = 0; w->seen && i < w->nhere; i++) free(w->seen[i].threads);
  free(w->headers), free(w->seen), free(w->told);
  w->headers = NULL, w->seen = NULL, w->told = NULL;
  w->ntold = w->told_capacity = 0;
}

void mck_watch_set_nodes(const struct mck_nodes *nodes) { watch.nodes = nodes; }
void mck_watch_set_note(mck_watch_note *note) { watch.note = note; }
void mck_watch_set_where(mck_watch_where *where) { watch.where = where; }
const char *mck_watch_heard_where(void) { return watch.heard; }
void mck_watch_set_suspect(mck_watch_suspect *suspect) { watch.suspect = suspect; }

int mck_watch_start(const char *dir, uint32_t size, unsigned period_ms, mck_watch_report *report, void *context) {
  struct mck_watch *w = &watch;
  if (w->is_started) return EBUSY;
  if (!size || strlen(dir) >= sizeof w->dir) return EINVAL;
  strcpy(w->dir, dir);
  w->size = size;
  w->period_ms = period_ms ? period_ms : 1;
  w->report = report;
  w->context = context;
  w->nopened = 0;
  w->looks_left = 0;
  w->looks_hung = 0;
  w->nasked = 0;
  w->tried = 0;
  w->next_ns = 0;
  w->is_stopping = false;
  w->stop = w->nodes ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
  w->nhere = w->nodes ? w->nodes->here.count : size;
  w->headers = calloc(w->nhere, sizeof *w->headers);
  w->seen = calloc(w->nhere, sizeof *w->seen);
  int rc = w->headers && w->seen ? 0 : ENOMEM;
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  if (!rc) rc = pthread_cond_init(&w->wake, &clock);
  pthread_condattr_destroy(&clock);
  if (!rc) {
    // All signals are left to the program's threads: the new thread inherits this mask.
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    rc = pthread_create(&w->thread, &attributes, run, w);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (rc) pthread_cond_destroy(&w->wake);
  }
  if (rc) free_memory(w);
  w->is_started = !rc;
  w->pid = getpid();
  return rc;
}

void mck_watch_stop(void) {
  struct mck_watch *w = &watch;
  if (!w->is_started || w->pid != getpid()) return;
  w->is_started = false;
  pthread_mutex_lock(&w->lock);
  w->is_stopping = true;
  pthread_cond_signal(&w->wake);
  pthread_mutex_unlock(&w->lock);
  if (w->stop >= 0 && write(w->stop, &(uint64_t){1}, sizeof(uint64_t)) < 0) {
  } // it cannot fail: the counter is not full
  // The report runs exit handlers on this thread: then it cannot be joined.
  if (pthread_equal(pthread_self(), w->thread)) return;
  pthread_join(w->thread, NULL);
  if (w->stop >= 0) close(w->stop);
  w->stop = -1;
  pthread_cond_destroy(&w->wake);
  free_memory(w);
}
