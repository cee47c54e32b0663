// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The directory of a run (run-directory.h).
#include "run-directory.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "base/base.h"
#include "line-begin.h"
#include "log/abandoned-logs.h"
#include "report/report.h"
#include "word-list.h"

// Logs grow by chunks of 4 MiB a rank. With less than this, memory would run out first (containers have 64 MiB).
enum { SHM_MIN = 128 << 20 };

static bool has_room(const char *dir) {
  struct statvfs space;
  return access(dir, W_OK | X_OK) == 0 && statvfs(dir, &space) == 0 &&
         (unsigned long long)space.f_bavail * space.f_frsize >= SHM_MIN;
}

static const char *choose_base(void) {
  const char *tmpdir = getenv("TMPDIR");
  return has_room("/dev/shm") ? "/dev/shm" : tmpdir && *tmpdir ? tmpdir : "/tmp";
}

// The lock is held while this process lives: an empty directory does not show whether a process will still use it.
static void own(const char *dir) {
  int fd = open(mck_words_print("%s/" MCK_LOG_OWNER, dir), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd >= 0) flock(fd, LOCK_EX | LOCK_NB);
}

const char *mck_logdir_create(const char *dir) {
  const char *base = *dir ? dir : choose_base();
  // The ranks may have another working directory.
  char *absolute = realpath(base, NULL);
  char *made = absolute ? mck_words_print("%s/mpicc-check-XXXXXX", absolute) : NULL;
  if (absolute && !*dir) mck_log_clean_stale(absolute, "mpicc-check-", MCK_ABANDONED_AGE);
  if (made && mkdtemp(made)) {
    own(made);
    return made;
  }
  fprintf(
      stderr,
      "mpirun-check: cannot make a directory for the logs in %s: %s; name another with --check-options log_dir=DIR\n",
      base, strerror(errno));
  return NULL;
}

static bool is_log(const char *name) {
  const char *dot = strrchr(name, '.');
  return strncmp(name, "rank-", 5) == 0 && dot && strcmp(dot, ".log") == 0;
}

bool mck_logdir_has_logs(const char *dir) {
  DIR *stream = opendir(dir);
  bool has_logs = false;
  for (struct dirent *entry; !has_logs && stream && (entry = readdir(stream));) has_logs = is_log(entry->d_name);
  if (stream) closedir(stream);
  return has_logs;
}

bool mck_logdir_read_result(const char *dir, unsigned long *errors) {
  char *path = mck_words_print("%s/result", dir), line[64] = "", end = 0;
  FILE *file = fopen(path, "r");
  bool is_good = file && fgets(line, sizeof line, file) && sscanf(line, "errors %lu%c", errors, &end) == 2 &&
                 end == '\n';
  if (file) fclose(file);
  free(path);
  return is_good;
}

// How many bytes the logs in the directory use. They are longer than that: they have holes.
static unsigned long long log_bytes(const char *dir) {
  unsigned long long bytes = 0;
  DIR *stream = opendir(dir);
  struct stat status;
  for (struct dirent *entry; stream && (entry = readdir(stream));)
    if (is_log(entry->d_name) && fstatat(dirfd(stream), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0)
      bytes += 512ull * (unsigned long long)status.st_blocks;
  if (stream) closedir(stream);
  return bytes;
}

bool mck_logdir_ask_judging(const char *dir, char *what, size_t size, time_t *begin) {
  char path[PATH_MAX], line[64] = "";
  struct stat status;
  if ((size_t)snprintf(path, sizeof path, "%s/result", dir) >= sizeof path) return false;
  FILE *file = fopen(path, "re");
  bool is_judging = file && fgets(line, sizeof line, file) && strcmp(line, "judging\n") == 0 &&
                    fstat(fileno(file), &status) == 0;
  if (file) fclose(file);
  if (!is_judging) return false;
  *begin = status.st_mtime;
  snprintf(what, size, "judging %llu MiB of logs", log_bytes(dir) >> 20);
  return true;
}

void mck_logdir_print(const char *dir, const char *name, FILE *out) {
  char *path = mck_words_print("%s/%s", dir, name), *text = NULL, bytes[8192];
  size_t size = 0;
  FILE *file = fopen(path, "r"), *all = file ? open_memstream(&text, &size) : NULL;
  for (size_t n; all && (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
    if (fwrite(bytes, 1, n, all) != n) break;
  if (file) fclose(file);
  if (all && fclose(all) == 0) {
    fflush(out);
    if (size && out == stderr) mck_line_begin();
    mck_text_write(fileno(out), text, size);
  }
  free(text);
  free(path);
}

const char *mck_logdir_lead(const char *dir, const char *library, const char *without) {
  if (!strpbrk(library, " :")) return library;
  const char *name = mck_words_basename(library);
  const char *folder = mck_words_print("%.*s", (int)(name - library - 1), library);
  // A link to the folder: the library looks for others beside itself.
  const char *link = mck_words_print("%s/lib", dir);
  if (!strpbrk(link, " :") && (symlink(folder, link) == 0 || errno == EEXIST))
    return mck_words_print("%s/%s", link, name);
  mck_base_warn("%s: %s has a blank or a colon, which LD_PRELOAD cannot take", without, library);
  return NULL;
}

void mck_logdir_remove(const char *dir) {
  DIR *stream = opendir(dir);
  for (struct dirent *entry; stream && (entry = readdir(stream));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) unlinkat(dirfd(stream), entry->d_name, 0);
  if (stream) closedir(stream);
  rmdir(dir);
}
