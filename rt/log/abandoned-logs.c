// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two passes over a directory. The first one only reads it: a single entry that is not surely a log of ours of a dead
// process spares the whole directory. The second one removes the entries of the first. A lock tells dead processes from
// living ones also where process numbers mean nothing (containers that share /dev/shm); the process number does it
// where locks mean nothing (NFS).
#include "log/abandoned-logs.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "log/log.h"

enum { LOOKED_AT_MAX = 256 };

static bool is_old(const struct stat *st, long age) {
  struct timespec now;
  return clock_gettime(CLOCK_REALTIME, &now) == 0 && now.tv_sec - st->st_mtim.tv_sec >= age;
}

static bool is_unlocked(int fd) { return flock(fd, LOCK_EX | LOCK_NB) == 0; }

bool mck_log_is_of_rank(const char *name, const char *suffix) {
  if (strncmp(name, "rank-", 5) != 0 || name[5] < '0' || name[5] > '9') return false;
  return strcmp(name + 5 + strspn(name + 5, "0123456789"), suffix) == 0;
}

// Files that lie beside logs and are removed with them. A next log (log/log-recycle.h) may still be empty.
static bool is_aside(const char *name) {
  static const char *const names[] = {"result",       "report",      "budget",     "deadlock.dot",
                                      "deadlock.svg", "waiting.dot", "waiting.svg"}; // record/run/graph-file.h
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return mck_log_is_of_rank(name, ".next") || mck_log_is_of_rank(name, ".flow");
}

static bool is_dead_log(int fd) {
  struct mck_log_header h;
  char host[sizeof h.host] = "";
  if (pread(fd, &h, sizeof h, 0) != sizeof h || memcmp(h.magic, MCK_LOG_MAGIC, sizeof h.magic) != 0) return false;
  if (gethostname(host, sizeof host - 1) != 0 || strncmp(host, h.host, sizeof host) != 0) return false;
  if (h.is_kept || h.pid == 0 || h.pid > INT32_MAX) return false;
  return kill((pid_t)h.pid, 0) != 0 && errno == ESRCH && is_unlocked(fd);
}

// May this entry of a job's directory be removed with it?
static bool is_removable(int dir, const char *name, long age) {
  struct stat st;
  int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  bool is_good = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && is_old(&st, age);
  if (is_good && strcmp(name, MCK_LOG_OWNER) == 0) is_good = is_unlocked(fd);
  else if (is_good && mck_log_is_of_rank(name, ".log")) is_good = is_dead_log(fd);
  else is_good = is_good && is_aside(name);
  if (fd >= 0) close(fd);
  return is_good;
}

static bool is_dot(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

static void clean_one(int base, const char *name, long age) {
  struct stat st;
  int fd = openat(base, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return;
  DIR *dir = NULL;
  if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && !(st.st_mode & 077) && is_old(&st, age)) dir = fdopendir(fd);
  if (!dir) {
    close(fd);
    return;
  }
  bool is_good = true;
  struct dirent *entry;
  while (is_good && (entry = readdir(dir))) is_good = is_dot(entry->d_name) || is_removable(fd, entry->d_name, age);
  rewinddir(dir);
  while (is_good && (entry = readdir(dir)))
    if (!is_dot(entry->d_name)) unlinkat(fd, entry->d_name, 0);
  closedir(dir);
  if (is_good) unlinkat(base, name, AT_REMOVEDIR);
}

void mck_log_clean_stale(const char *base, const char *prefix, long age) {
  int saved = errno;
  DIR *dir = opendir(base);
  unsigned n = 0;
  for (struct dirent *entry; dir && n < LOOKED_AT_MAX && (entry = readdir(dir));)
    if (!is_dot(entry->d_name) && strncmp(entry->d_name, prefix, strlen(prefix)) == 0) {
      n++;
      clean_one(dirfd(dir), entry->d_name, age);
    }
  if (dir) closedir(dir);
  errno = saved;
}
