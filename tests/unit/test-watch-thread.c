// RUN: %unit/test-watch-thread
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The watch's thread on log files: it waits until all are there, reports a proved deadlock once, and refuses what is
// not a log of ours.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "api/fns.h"
#include "log/log.h"
#include "watch/watch.h"

static int failures;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (failures++, (void)printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))

static char dir[256];
static struct mck_log logs[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t reported = PTHREAD_COND_INITIALIZER;
static int nreports;
static char headline[256];

static void report(void *context, struct mck_findings *findings) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  pthread_mutex_lock(&lock);
  EXPECT(context == &nreports);
  EXPECT(sigismember(&mask, SIGINT) && sigismember(&mask, SIGALRM));
  nreports++;
  snprintf(headline, sizeof headline, "%.*s", (int)strcspn(findings->items[0].text, "\n"), findings->items[0].text);
  pthread_cond_signal(&reported);
  pthread_mutex_unlock(&lock);
}

static void await_report(void) {
  pthread_mutex_lock(&lock);
  while (!nreports) pthread_cond_wait(&reported, &lock);
  pthread_mutex_unlock(&lock);
}

static void path_of(unsigned rank, char *path, size_t size) { snprintf(path, size, "%s/rank-%u.log", dir, rank); }

static void make_dir(void) {
  const char *tmp = getenv("TMPDIR");
  snprintf(dir, sizeof dir, "%s/mck-watch-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (mkdtemp(dir)) return;
  perror(dir);
  exit(1);
}

static void create(unsigned rank) {
  const char *why = "";
  int rc = mck_log_create(&logs[rank], dir, rank, 2, 99, 64 << 20, &why);
  if (rc) {
    printf("cannot create the log: %s: %s\n", why, strerror(rc));
    exit(1);
  }
  struct mck_comm_body body = {7, MCK_NONE, 0};
  struct mck_range range = {0, 2};
  struct mck_event head = {.kind = MCK_EV_DEF_COMM, .site = MCK_NONE, .def = {.a = rank, .b = 2, .d = 1}};
  mck_log_append(&logs[rank], &head, (struct mck_piece[]){{&body, sizeof body}, {&range, sizeof range}}, 2);
}

// Rank enters a call with the other rank and stays there.
static void block(unsigned rank, uint8_t kind, uint16_t fn) {
  struct mck_event *e = mck_log_reserve(&logs[rank], 1);
  if (!e) exit(1);
  *e = (struct mck_event){.kind = kind, .fn = fn, .site = MCK_NONE, .msg = {.peer = !rank, .tag = 1, .count = 1}};
  atomic_store(&logs[rank].header->wait, (uint64_t)mck_log_commit(&logs[rank], 1) + 1);
}

static void remove_all(void) {
  char path[300];
  for (unsigned rank = 0; rank < 2; rank++) {
    path_of(rank, path, sizeof path);
    unlink(path);
  }
  rmdir(dir);
}

static void check_deadlock(uint8_t kind, uint16_t fn, const char *text) {
  nreports = 0;
  make_dir();
  create(0);
  EXPECT(mck_watch_start(dir, 2, 5, report, &nreports) == 0);
  EXPECT(mck_watch_start(dir, 2, 5, report, &nreports) == EBUSY);
  block(0, kind, fn);
  create(1); // only now are all there
  block(1, kind, fn);
  await_report();
  mck_watch_stop();
  mck_watch_stop();
  EXPECT(nreports == 1);
  EXPECT(!strcmp(headline, text));
  for (unsigned rank = 0; rank < 2; rank++) mck_log_close(&logs[rank], MCK_LOG_EXITED);
  remove_all();
}

// The second log is a symbolic link to a log elsewhere; the watch says so (read from a pipe in place of stderr) and
// ends.
static void check_link(void) {
  char path[300], target[320], line[512] = "";
  int ends[2], old = dup(2);
  nreports = 0;
  make_dir();
  create(0), create(1);
  block(0, MCK_EV_RECV, MCK_FN_MPI_Recv), block(1, MCK_EV_RECV, MCK_FN_MPI_Recv);
  path_of(1, path, sizeof path);
  snprintf(target, sizeof target, "%s/elsewhere", dir);
  if (rename(path, target) || symlink(target, path) || pipe(ends) || dup2(ends[1], 2) < 0) exit(1);
  EXPECT(mck_watch_start(dir, 2, 5, report, &nreports) == 0);
  for (size_t n = 0; n + 1 < sizeof line && !strchr(line, '\n'); n++)
    if (read(ends[0], line + n, 1) != 1) break;
  mck_watch_stop();
  dup2(old, 2);
  EXPECT(strstr(line, "no deadlock watch") && strstr(line, "rank-1.log"));
  EXPECT(nreports == 0);
  for (unsigned rank = 0; rank < 2; rank++) mck_log_close(&logs[rank], MCK_LOG_EXITED);
  unlink(target);
  remove_all();
}

int main(void) {
  check_deadlock(MCK_EV_RECV, MCK_FN_MPI_Recv,
                 "deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1");
  check_deadlock(MCK_EV_SEND, MCK_FN_MPI_Send,
                 "deadlock: 2 ranks wait for each other: MPI_Send on rank 0, MPI_Send on rank 1");
  check_link();
  make_dir();
  EXPECT(mck_watch_start(dir, 2, 10000, report, &nreports) == 0); // stops at once though its period is long
  mck_watch_stop();
  remove_all();
  if (failures) printf("%d failures\n", failures);
  return failures != 0;
}
