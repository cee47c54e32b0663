// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which run is next, and starts runs until none is open or a bound is reached (exploration.h). The directory
// has these files of run N: run-N.replay, the decisions that it was given; run-N.decisions, the messages that it got;
// run-N.report, run-N.out and run-N.err; run-N.end, one line with its status, depth, parent and new decision. The state
// is the set of all runs that have an end file: the open runs follow from them.
#include "exploration.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "exploration-state.h"
#include "explored-program.h"
#include "word-list.h"

enum { POLL_MS = 20, SECONDS_MORE = 30, TIMES_MORE = 10 };

struct child {
  pid_t pid;
  struct mck_item item;
  long run;
  double begin;
  bool is_timed_out, is_killed;
};
static volatile sig_atomic_t is_interrupted;
static void interrupt(int number) { (void)number, is_interrupted = 1; }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

char *mck_exploration_path(const struct mck_explorer *x, long run, const char *what) {
  return mck_words_print("%s/run-%ld.%s", x->asked->dir, run, what);
}

// --- the state ---
static void write_end(const struct mck_explorer *x, const struct mck_item *item, long run,
                      const struct mck_outcome *o) {
  // The file is renamed when it is whole: a number that is cut is still a number.
  const char *part = mck_exploration_path(x, run, "part");
  FILE *file = fopen(part, "w");
  if (!file) return;
  fprintf(file, "%d %d %ld %ld %u %u %d %d %d %d\n", o->status, o->is_timed_out, item->depth, item->parent,
          item->last.rank, item->last.number, item->last.name.source, item->last.name.tag, item->was.source,
          item->was.tag);
  if (fclose(file) == 0) rename(part, mck_exploration_path(x, run, "end"));
}

static void resume(struct mck_explorer *x) {
  for (;; x->next++) {
    FILE *file = fopen(mck_exploration_path(x, x->next, "end"), "r");
    if (!file) return;
    struct mck_outcome o = {0};
    struct mck_item item = {0};
    int timed_out = 0;
    bool is_good = fscanf(file, "%d %d %ld %ld %u %u %d %d %d %d", &o.status, &timed_out, &item.depth, &item.parent,
                          &item.last.rank, &item.last.number, &item.last.name.source, &item.last.name.tag,
                          &item.was.source, &item.was.tag) == 10;
    fclose(file);
    if (!is_good) return;
    o.is_timed_out = timed_out;
    struct mck_choices forced;
    if (mck_choices_read(&forced, mck_exploration_path(x, x->next, "replay")) == 0) {
      struct mck_decision *d = calloc(forced.count + 1, sizeof *d);
      for (size_t i = 0; d && i < forced.count; i++)
        d[i] = (struct mck_decision){forced.items[i].rank, forced.items[i].number, forced.items[i].got};
      if (d) mck_space_note(&x->space, d, forced.count);
      free(d);
      mck_choices_free(&forced);
    }
    mck_exploration_judge(x, &o, &item, x->next);
  }
}

static void show(const struct mck_explorer *x) {
  if (!x->is_terminal) return;
  fprintf(stderr, "\r\033[Kexplore: %ld runs done, %zu open, %zu found", x->next, x->space.nopen, x->nfailures);
  fflush(stderr);
}

static bool may_start(const struct mck_explorer *x) {
  const struct mck_explore *a = x->asked;
  return !is_interrupted && (!a->max_runs || x->next < a->max_runs) &&
         (!a->max_seconds || now() - x->begin < (double)a->max_seconds);
}

static double limit_of(const struct mck_explorer *x) {
  if (x->asked->run_seconds) return (double)x->asked->run_seconds;
  return x->next <= 1 && x->first_seconds == 0 ? 1e9 : TIMES_MORE * x->first_seconds + SECONDS_MORE;
}

static void reap(struct mck_explorer *x, struct child *c, int status) {
  struct mck_outcome o = {.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
                          .is_timed_out = c->is_timed_out};
  if (c->run == 0) x->first_seconds = now() - c->begin;
  c->pid = 0;
  if (!c->is_killed) {
    mck_exploration_judge(x, &o, &c->item, c->run);
    write_end(x, &c->item, c->run, &o);
  }
  mck_item_free(&c->item);
  show(x);
}

static void watch(struct mck_explorer *x, struct child *children, long n) {
  for (long i = 0; i < n; i++) {
    struct child *c = &children[i];
    int status;
    if (!c->pid) continue;
    if (waitpid(c->pid, &status, WNOHANG) == c->pid) reap(x, c, status);
    else if (is_interrupted && !c->is_killed) c->is_killed = true, kill(c->pid, SIGTERM);
    else if (!c->is_timed_out && now() - c->begin > limit_of(x)) c->is_timed_out = true, kill(c->pid, SIGTERM);
  }
}

static bool is_any(const struct child *children, long n) {
  for (long i = 0; i < n; i++)
    if (children[i].pid) return true;
  return false;
}

static void run_all(struct mck_explorer *x) {
  long jobs = x->asked->jobs > 0 ? x->asked->jobs : 1;
  struct child *children = calloc((size_t)jobs, sizeof *children);
  if (!children) return;
  for (bool is_over = false; !is_over || is_any(children, jobs);) {
    watch(x, children, jobs);
    is_over = !may_start(x);
    bool is_first = x->next == 0, has_started = false;
    for (long i = 0; i < jobs && !is_over; i++) {
      struct child *c = &children[i];
      if (c->pid || (x->next && is_any(children, jobs) && !x->first.findings)) continue;
      *c = (struct child){.run = x->next, .begin = now()};
      if (!is_first && !mck_space_take(&x->space, &c->item)) {
        is_over = !is_any(children, jobs); // a run that is not over yet may open more
        break;
      }
      if ((x->next && !mck_exploration_write_replay(x, &c->item, x->next)) ||
          (c->pid = mck_exploration_start(x, x->next, i)) < 0) {
        fprintf(stderr, "mpirun-check: cannot start a run in %s: %s\n", x->asked->dir, strerror(errno));
        exit(2);
      }
      x->next++;
      has_started = true;
      is_over = is_first || !may_start(x);
      if (is_first) break;
    }
    if (is_first && has_started) is_over = false;
    if (!has_started && is_any(children, jobs)) usleep(POLL_MS * 1000);
  }
  free(children);
  mck_exploration_remove_sessions(jobs);
}

// New failures are reported relative to the first run, so the failure of that run itself is printed, too.
static void say_first(const struct mck_explorer *x) {
  const struct mck_outcome *o = &x->first;
  if (!o->findings || (!o->status && !*o->findings)) return;
  const char *what = *o->findings ? o->findings : mck_exploration_describe_status(o->status);
  const char *kind = *o->findings ? "report" : "err";
  fprintf(stderr, "==mpicc-check== the first run itself fails, with what its receives got: %.*s\n",
          (int)strcspn(what, "\n"), what);
  fprintf(stderr, "  its %s: %s\n", *o->findings ? "report" : "output", mck_exploration_path(x, 0, kind));
}

static void say_end(struct mck_explorer *x) {
  struct mck_item item;
  long open = 0;
  while (mck_space_take(&x->space, &item)) open++, mck_item_free(&item);
  if (x->is_terminal) fputs("\r\033[K", stderr);
  say_first(x);
  fprintf(stderr, "==mpicc-check== explored %ld run%s, %zu new failure%s", x->next, x->next == 1 ? "" : "s",
          x->nfailures, x->nfailures == 1 ? "" : "s");
  if (x->impossible) fprintf(stderr, ", %ld could not be", x->impossible);
  bool is_complete = !open && !x->space.left_out && !x->unknown && !x->timed_out && !x->strayed;
  if (is_complete) fputs(": all messages that can come to wildcard receives are covered\n", stderr);
  else {
    fprintf(stderr, ": not all is covered:");
    if (open) fprintf(stderr, " %ld or more runs are open;", open);
    if (x->space.left_out)
      fprintf(stderr, " %llu other messages are behind the bounds;", (unsigned long long)x->space.left_out);
    if (x->unknown) fprintf(stderr, " of %ld runs it is not known what could have come;", x->unknown);
    if (x->strayed) fprintf(stderr, " %ld runs went another way than was decided;", x->strayed);
    if (x->timed_out) fprintf(stderr, " %ld runs were too long;", x->timed_out);
    fprintf(stderr, " go on with --state %s\n", x->asked->dir);
  }
  if (x->has_orders)
    fputs("==mpicc-check== not varied: which of several requests MPI_Waitany, Waitsome, Testany or Testsome find "
          "complete first\n",
          stderr);
}

// One exploration at a time works in a directory. Its runs inherit the lock, so the next exploration also waits for the
// runs that a killed one has left.
static void lock(const struct mck_explorer *x) {
  int fd = open(mck_words_print("%s/lock", x->asked->dir), O_RDWR | O_CREAT, 0600);
  if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  fprintf(stderr, "==mpicc-check== waiting for runs of another exploration in %s\n", x->asked->dir);
  while (flock(fd, LOCK_EX) != 0 && errno == EINTR && !is_interrupted) continue;
}

int mck_explore_run(const struct mck_explore *asked, int exitcode) {
  struct mck_explorer x = {.asked = asked, .begin = now(), .is_terminal = isatty(2)};
  x.space.max_depth = asked->max_depth, x.space.per_site = asked->per_site, x.space.mixing = asked->mixing;
  if (mkdir(asked->dir, 0700) != 0 && errno != EEXIST) {
    fprintf(stderr, "mpirun-check: cannot make %s: %s; name another directory with --state\n", asked->dir,
            strerror(errno));
    return 2;
  }
  lock(&x);
  signal(SIGINT, interrupt);
  signal(SIGTERM, interrupt);
  long before = 0;
  while (access(mck_exploration_path(&x, before, "end"), R_OK) == 0) before++;
  if (!mck_subject_is_same(asked->dir, asked->arguments, before > 0)) return 2;
  if (before)
    fprintf(stderr, "==mpicc-check== continues after %ld run%s in %s\n", before, before == 1 ? "" : "s", asked->dir);
  resume(&x);
  run_all(&x);
  say_end(&x);
  if (x.first.is_unknown)
    fprintf(stderr, "==mpicc-check== warning: nothing is known of the first run's messages: %s\n",
            mck_exploration_path(&x, 0, "err"));
  return x.nfailures && exitcode ? exitcode : x.first.status;
}
