// RUN: %unit/test-log-limit
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the log cannot grow - its own limit, the limit of file sizes, of the address space - recording stops with one
// line on stderr, nothing crashes, and what was recorded is whole.
#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include "sample-log.h"

static struct mck_log log_;
static const char *why = "";

// stderr of what runs between the two.
static int saved_stderr, captured;
static char said[4096];
static void capture(void) {
  fflush(stdout);
  saved_stderr = dup(2);
  captured = memfd_create("stderr", MFD_CLOEXEC); // not on the disk that is about to be full
  dup2(captured, 2);
}
static void release(void) {
  dup2(saved_stderr, 2);
  close(saved_stderr);
  ssize_t n = pread(captured, said, sizeof said - 1, 0);
  said[n < 0 ? 0 : n] = 0;
  close(captured);
}
static int lines_said(void) {
  int lines = 0;
  for (const char *p = said; *p; p++) lines += *p == '\n';
  return lines;
}

static uint64_t append_until_full(uint64_t most) {
  uint64_t n = 0;
  while (n < most && append(&log_, MCK_EV_CALL)) n++;
  return n;
}
static void expect_stopped(uint64_t n, const char *text) {
  EXPECT(!mck_log_reserve(&log_, 1) && !append(&log_, MCK_EV_CALL) && define_stack(&log_, 0, 3) == MCK_NONE);
  EXPECT(log_.header->is_incomplete && log_.header->units == n);
  release();
  EXPECT(lines_said() == 1 && strstr(said, "==mpicc-check== warning: the log of rank 0 ") && strstr(said, text));
  if (!strstr(said, text)) printf("said: %s\n", said);
  struct mck_reader reader;
  EXPECT(mck_log_load(&reader, log_path(0), &why) == 0 && reader.units == n && reader.damaged == UINT64_MAX);
  EXPECT(reader.header->is_incomplete);
  mck_log_unload(&reader);
  mck_log_close(&log_, MCK_LOG_FINALIZED);
  remove_logs();
}

static void test_limit(uint64_t limit) {
  EXPECT(mck_log_create(&log_, make_log_dir(), 0, 1, 1, limit, &why) == 0);
  capture();
  uint64_t n = append_until_full(UINT64_MAX);
  EXPECT(n == (limit - MCK_LOG_HEADER) / MCK_UNIT);
  expect_stopped(n, "log_limit=MIB");
}

static void test_large_event(void) { // one that does not fit stops the log without filling the disk
  EXPECT(mck_log_create(&log_, make_log_dir(), 0, 1, 1, 64 << 20, &why) == 0);
  capture();
  append(&log_, MCK_EV_CALL);
  struct mck_event head = {.kind = MCK_EV_FINDING};
  EXPECT(mck_log_append(&log_, &head, &(struct mck_piece){NULL, SIZE_MAX}, 1) == MCK_NONE);
  expect_stopped(1, "log_limit=MIB");
}

// The limit of file sizes stands for a full disk; the default action of SIGXFSZ would end the process, and must not be
// met.
static void test_file_size(void) {
  struct rlimit old, small = {6 << 20, 6 << 20};
  getrlimit(RLIMIT_FSIZE, &old);
  small.rlim_max = old.rlim_max;
  EXPECT(mck_log_create(&log_, make_log_dir(), 0, 1, 1, 64 << 20, &why) == 0);
  capture();
  setrlimit(RLIMIT_FSIZE, &small);
  uint64_t n = append_until_full(UINT64_MAX);
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT(n == ((6 << 20) - MCK_LOG_HEADER) / MCK_UNIT);
  expect_stopped(n, "ulimit -f");
  small.rlim_cur = 1 << 16;
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT(mck_log_create(&log_, make_log_dir(), 0, 1, 1, 64 << 20, &why) == EFBIG && strstr(why, "ulimit -f"));
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT(access(log_path(0), F_OK) != 0); // nothing is left behind
  remove_logs();
}

// Keeps our user id inside a new user namespace: files of an unmapped one cannot be created.
static bool write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  return file && fputs(text, file) >= 0 && fclose(file) == 0;
}
static bool enter_namespace(void) {
  if (geteuid() == 0) return unshare(CLONE_NEWNS) == 0;
  char user[64], group[64];
  snprintf(user, sizeof user, "%u %u 1", geteuid(), geteuid());
  snprintf(group, sizeof group, "%u %u 1", getegid(), getegid());
  return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && write_file("/proc/self/setgroups", "deny") &&
         write_file("/proc/self/uid_map", user) && write_file("/proc/self/gid_map", group);
}

// A really full disk: a small file system in a namespace of the child's own, where the system lets us have one.
static void test_full_disk(void) {
  make_log_dir();
  pid_t child = fork();
  if (child == 0) {
    bool is_mounted = enter_namespace() && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
                      mount("none", log_dir, "tmpfs", 0, "size=8m") == 0;
    if (!is_mounted) _exit(77);
    EXPECT(mck_log_create(&log_, log_dir, 0, 1, 1, 64 << 20, &why) == 0);
    capture();
    uint64_t n = append_until_full(UINT64_MAX);
    EXPECT(n == ((8 << 20) - MCK_LOG_HEADER) / MCK_UNIT);
    expect_stopped(n, "log_dir=DIR");
    fflush(stdout);
    _exit(failures != 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  bool is_skipped = WIFEXITED(status) && WEXITSTATUS(status) == 77;
  printf("full disk: %s\n", is_skipped ? "skipped, this system does not let us mount one" : "done");
  EXPECT(status == 0 || is_skipped);
  remove_logs();
}

// Under ulimit -v a smaller range is reserved.
static void test_address_space(void) {
  make_log_dir();
  pid_t child = fork();
  if (child == 0) {
    struct rlimit small = {1 << 30, 1 << 30}; // half of it is left to MPI and the program
    setrlimit(RLIMIT_AS, &small);
    int rc = mck_log_create(&log_, log_dir, 0, 1, 1, UINT64_C(4096) << 20, &why);
    uint64_t n = append_until_full(500000);
    _exit(rc == 0 && n == 500000 && log_.limit_units < (128 << 20) / MCK_UNIT ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT(status == 0);
  remove_logs();
}

int main(void) {
  test_limit(1 << 20);
  test_limit((9 << 20) + (1 << 18));
  test_large_event();
  test_file_size();
  test_full_disk();
  bool is_sanitized = false;
#ifdef __SANITIZE_ADDRESS__
  is_sanitized = true; // needs terabytes of address space itself
#endif
  if (!is_sanitized) test_address_space();
  return verdict();
}
