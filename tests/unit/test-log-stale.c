// RUN: %unit/test-log-stale
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What killed runs left behind is removed; what lives, is kept, is young, is foreign or is a link stays.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "log/log.h"
#include "log/abandoned-logs.h"

static char base[] = "/tmp/test-log-stale-XXXXXX";
static int failures;

static const char *path(const char *dir, const char *name) {
  static char text[2][512];
  static int turn;
  char *p = text[turn ^= 1];
  snprintf(p, sizeof text[0], "%s/%s%s%s", base, dir, *name ? "/" : "", name);
  return p;
}

static void set_age(const char *p, long seconds) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec -= seconds;
  struct timespec both[2] = {now, now};
  if (utimensat(AT_FDCWD, p, both, AT_SYMLINK_NOFOLLOW)) perror(p), failures++;
}

// A job's directory with the log of a process that has died.
static void leave(const char *dir, bool is_kept) {
  mkdir(path(dir, ""), 0700);
  pid_t child = fork();
  if (child == 0) {
    struct mck_log log;
    const char *why = "";
    if (mck_log_create(&log, path(dir, ""), 0, 1, 7, 1 << 20, &why)) fprintf(stderr, "%s\n", why), _exit(1);
    log.header->is_kept = is_kept;
    _exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status) failures++, fprintf(stderr, "no log in %s\n", dir);
}

static void grow_old(const char *dir) {
  static const char *const names[] = {"rank-0.log", "rank-1.log", "rank-0.next", "budget", "result", "owner", "notes"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (access(path(dir, names[i]), F_OK) == 0) set_age(path(dir, names[i]), 7200);
  set_age(path(dir, ""), 7200);
}

static int touch(const char *dir, const char *name) { return open(path(dir, name), O_RDWR | O_CREAT | O_EXCL, 0600); }

static void expect(const char *dir, bool is_there) {
  struct stat st;
  if ((lstat(path(dir, ""), &st) == 0) == is_there) return;
  failures++;
  fprintf(stderr, "%s is %s\n", dir, is_there ? "gone" : "still there");
}

int main(void) {
  struct mck_log log;
  const char *why = "";
  if (!mkdtemp(base)) return perror(base), 1;
  leave("job-dead", false);
  close(touch("job-dead", "result"));
  close(touch("job-dead", "rank-0.next")); // it died in recycling its log
  close(touch("job-dead", "budget"));
  close(touch("job-dead", "owner"));
  leave("job-young", false);
  leave("job-kept", true);
  leave("job-notes", false);
  close(touch("job-notes", "notes"));
  leave("job-owned", false);
  int owner = touch("job-owned", "owner");
  flock(owner, LOCK_EX);
  leave("job-alive", false);
  if (mck_log_create(&log, path("job-alive", ""), 1, 2, 7, 1 << 20, &why)) return fprintf(stderr, "%s\n", why), 1;
  leave("job-open", false);
  leave("other-dead", false);
  mkdir(path("job-empty", ""), 0700);
  leave("target", false);
  mkdir(path("job-linked", ""), 0700);
  if (symlink(path("target", "rank-0.log"), path("job-linked", "rank-0.log"))) failures++;
  if (symlink("target", path("job-link", ""))) failures++;
  static const char *const old[] = {"job-dead", "job-kept",   "job-notes", "job-owned", "job-alive",
                                    "job-open", "other-dead", "job-empty", "target"};
  for (size_t i = 0; i < sizeof old / sizeof *old; i++) grow_old(old[i]);
  set_age(path("job-linked", ""), 7200);
  set_age(path("job-link", ""), 7200);
  chmod(path("job-open", ""), 0755);
  mck_log_clean_stale(base, "job-", 3600);
  mck_log_clean_stale("/nonexistent", "", 0);
  expect("job-dead", false);
  expect("job-empty", false);
  static const char *const stay[] = {"job-young", "job-kept",   "job-notes",  "job-owned", "job-alive",
                                     "job-open",  "other-dead", "job-linked", "job-link",  "target"};
  for (size_t i = 0; i < sizeof stay / sizeof *stay; i++) expect(stay[i], true);
  if (access(path("target", "rank-0.log"), F_OK)) failures++, fprintf(stderr, "a link was followed\n");
  mck_log_close(&log, MCK_LOG_FINALIZED);
  close(owner);
  char command[600];
  snprintf(command, sizeof command, "rm -rf '%s'", base);
  if (system(command)) failures++;
  return failures != 0;
}
