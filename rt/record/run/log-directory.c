// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The directory of a job's logs: made private, and cleaned.
#include "record/run/log-directory.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "log/abandoned-logs.h"

// length: of the whole path, size: of the room for it.
static bool make_private(const char *path, int length, size_t size, char *error, size_t error_size) {
  struct stat st;
  if (length < 0 || (size_t)length >= size) {
    snprintf(error, error_size,
             "the path of the log directory is too long (%d bytes); name a shorter one with log_dir=", length);
    return false;
  }
  if (mkdir(path, 0700) && errno != EEXIST) {
    snprintf(error, error_size, "cannot make the log directory %s: %s; name another with log_dir=", path,
             strerror(errno));
    return false;
  }
  if (lstat(path, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 077)) {
    snprintf(error, error_size,
             "the log directory %s is not private to this user; remove it or name another with log_dir=", path);
    return false;
  }
  if (access(path, W_OK | X_OK)) {
    snprintf(error, error_size, "cannot write to the log directory %s: %s; name another with log_dir=", path,
             strerror(errno));
    return false;
  }
  return true;
}

static const char *base_directory(void) {
  if (access("/dev/shm", W_OK | X_OK) == 0) return "/dev/shm";
  const char *tmp = getenv("TMPDIR");
  return tmp && tmp[0] ? tmp : "/tmp";
}

// A directory of the user's name may be there already, made by somebody else, who must not be able to switch off the
// checks by that: then each job makes one of its own.
static bool make_for_job(char *dir, size_t size, uint64_t job, const char *suffix, char *error, size_t error_size) {
  const char *base = base_directory();
  int length = snprintf(dir, size, "%s/mpicc-check-%u", base, (unsigned)geteuid());
  if (make_private(dir, length, size, error, error_size)) {
    length = snprintf(dir, size, "%s/mpicc-check-%u/%016llx%s", base, (unsigned)geteuid(), (unsigned long long)job,
                      suffix);
    return make_private(dir, length, size, error, error_size);
  }
  length = snprintf(dir, size, "%s/mpicc-check-%u-%016llx%s", base, (unsigned)geteuid(), (unsigned long long)job,
                    suffix);
  return make_private(dir, length, size, error, error_size);
}

bool mck_log_directory_make(char *dir, size_t size, const char *given, uint64_t job, unsigned node, char *error,
                            size_t error_size) {
  char suffix[32] = ""; // for a simulated node (record/run/node-agreement.h)
  if (node) snprintf(suffix, sizeof suffix, ".node-%u", node);
  if (given && given[0]) return make_private(dir, snprintf(dir, size, "%s%s", given, suffix), size, error, error_size);
  if (mck_options.log_dir[0]) { // the user's directory may be shared; the one that we make in it is private
    struct stat st;
    if (stat(mck_options.log_dir, &st) || !S_ISDIR(st.st_mode)) {
      snprintf(error, error_size, "log_dir=%s is not a directory; make it or name another", mck_options.log_dir);
      return false;
    }
    int length = snprintf(dir, size, "%s/mpicc-check-%016llx%s", mck_options.log_dir, (unsigned long long)job, suffix);
    return make_private(dir, length, size, error, error_size);
  }
  return make_for_job(dir, size, job, suffix, error, error_size);
}

void mck_log_directory_remove(const char *dir, bool is_given) {
  if (!is_given) rmdir(dir); // this fails as long as the log of another rank is there; the last rank succeeds
}

void mck_log_directory_clean(const char *dir, bool is_given) {
  const char *slash = strrchr(dir, '/');
  if (is_given || mck_options.log_dir[0] || !slash)
    return; // mpirun-check cleans what it made, and the user's directory belongs to the user
  char base[sizeof mck_options.log_dir + 64];
  snprintf(base, sizeof base, "%.*s", (int)(slash - dir), dir);
  const char *name = strrchr(base, '/');
  bool is_ours = name && strncmp(name, "/mpicc-check-", 13) == 0; // else it is the directory of all temporary files
  mck_log_clean_stale(base, is_ours ? "" : "mpicc-check-", MCK_ABANDONED_AGE);
}
