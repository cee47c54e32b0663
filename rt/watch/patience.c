// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "watch/patience.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Thousands of looks of the library's own for what may have come.
enum { CPU_SHORT_NS = 2000000, CPU_LONG_NS = 10000000 };

// Of the main thread, which is the one that calls MPI (prove.c takes no rank with others for blocked): another may
// compute, or watch.
static bool read_file(const char *format, long pid, char *text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, format, pid, pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);
  if (fd >= 0) close(fd);
  if (n <= 0) return false;
  text[n] = 0;
  return true;
}

int64_t mck_patience_cpu(long pid) {
  char text[128];
  long long ns = -1;
  clockid_t clock;
  struct timespec t;
  if (pid <= 0) return -1;
  if (read_file("/proc/%ld/task/%ld/schedstat", pid, text, sizeof text) && sscanf(text, "%lld", &ns) == 1) return ns;
  if (clock_getcpuclockid((pid_t)pid, &clock) || clock_gettime(clock, &t)) return -1;
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// Reads and writes so far, 0: the system does not tell.
static uint64_t transfers_of(long pid) {
  char text[512];
  unsigned long long reads = 0, writes = 0;
  if (!read_file("/proc/%ld/task/%ld/io", pid, text, sizeof text)) return 0;
  const char *r = strstr(text, "syscr:"), *w = strstr(text, "syscw:");
  if (!r || !w || sscanf(r, "syscr: %llu", &reads) != 1 || sscanf(w, "syscw: %llu", &writes) != 1) return 0;
  return 1 + reads + writes;
}

// 'S': it sleeps in a system call that lasts; 'T', 't', 'D', 'R' are no waiting for a message.
static char state_of(long pid) {
  char text[512];
  const char *end = read_file("/proc/%ld/task/%ld/stat", pid, text, sizeof text) ? strrchr(text, ')') : NULL;
  return end && end[1] == ' ' ? end[2] : 0;
}

void mck_patience_begin(struct mck_stillness *still, long pid) {
  still->cpu_ns = mck_patience_cpu(pid);
  still->transfers = 0;
  still->is_known = false;
}

// Asked once a look, from MCK_LOOKS_SHORT looks on.
enum mck_patience mck_patience_of(struct mck_stillness *still, long pid, uint32_t looks) {
  if (looks < MCK_LOOKS_SHORT || still->cpu_ns < 0) return MCK_PATIENCE_NONE;
  if (!still->is_known) still->is_known = true, still->transfers = transfers_of(pid);
  int64_t cpu = mck_patience_cpu(pid);
  if (cpu < 0) return MCK_PATIENCE_NONE;
  cpu -= still->cpu_ns;
  bool is_busy = cpu >= CPU_SHORT_NS;
  // A library that sleeps for its messages (Open MPI does not) is believed after a while.
  bool is_asleep = looks >= MCK_LOOKS_ASLEEP && state_of(pid) == 'S';
  if (!is_busy && !is_asleep) return MCK_PATIENCE_NONE;
  bool is_long =
      looks >= MCK_LOOKS_LONG && cpu >= CPU_LONG_NS && still->transfers && transfers_of(pid) == still->transfers;
  return is_long ? MCK_PATIENCE_LONG : MCK_PATIENCE_SHORT;
}
