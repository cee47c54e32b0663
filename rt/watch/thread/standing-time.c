// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads from /proc what a standing process does (standing-time.h).
#include "watch/thread/standing-time.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// In this time the library has looked thousands of times for messages.
enum { CPU_SHORT_NS = 2000000, CPU_LONG_NS = 10000000 };

// pid: the number of a process is that of its main thread; that of another thread will do, too.
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

int64_t mck_patience_turns(long pid) {
  char text[128];
  long long turns;
  bool is_there = read_file("/proc/%ld/task/%ld/schedstat", pid, text, sizeof text);
  return is_there && sscanf(text, "%*d %*d %lld", &turns) == 1 ? turns : -1;
}

uint64_t mck_patience_transfers(long pid) {
  char text[512];
  unsigned long long reads = 0, writes = 0;
  if (!read_file("/proc/%ld/task/%ld/io", pid, text, sizeof text)) return 0;
  const char *r = strstr(text, "syscr:"), *w = strstr(text, "syscw:");
  if (!r || !w || sscanf(r, "syscr: %llu", &reads) != 1 || sscanf(w, "syscw: %llu", &writes) != 1) return 0;
  return 1 + reads + writes;
}

// 'S': it sleeps in a system call that lasts. 'T', 't', 'D' and 'R' are no wait for a message.
static char state_of(long pid) {
  char text[512];
  const char *end = read_file("/proc/%ld/task/%ld/stat", pid, text, sizeof text) ? strrchr(text, ')') : NULL;
  return end && end[1] == ' ' ? end[2] : 0;
}

bool mck_patience_is_asleep(long pid) { return state_of(pid) == 'S'; }

int64_t mck_patience_sleeps(long pid) {
  char text[4096];
  long long n;
  bool is_there = read_file("/proc/%ld/task/%ld/status", pid, text, sizeof text);
  const char *line = is_there ? strstr(text, "\nvoluntary_ctxt_switches:") : NULL;
  return line && sscanf(line, "\nvoluntary_ctxt_switches: %lld", &n) == 1 ? n : -1;
}

// Signals that the runtime, the C library and languages handle themselves (record/run/process-end.c, hang-report.c).
bool mck_patience_has_handlers(long pid) {
  static const int ends[] = {SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,
                             SIGUSR1, SIGSEGV, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ, SIGSYS};
  char text[4096];
  unsigned long long caught = 0;
  bool is_there = read_file("/proc/%ld/task/%ld/status", pid, text, sizeof text);
  const char *line = is_there ? strstr(text, "\nSigCgt:") : NULL;
  if (!line || sscanf(line, "\nSigCgt: %llx", &caught) != 1) return true;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) caught &= ~(1ull << (ends[i] - 1));
  for (int s = 32; s < SIGRTMIN; s++) caught &= ~(1ull << (s - 1)); // of the C library
  return caught != 0;
}

// The number of the call and its arguments, or "running".
bool mck_patience_is_dozing(long pid) {
  char text[256];
  long number;
  unsigned long first, second;
  if (!read_file("/proc/%ld/task/%ld/syscall", pid, text, sizeof text)) return false;
  if (!strncmp(text, "running", 7)) return true;
  if (sscanf(text, "%ld %lx %lx", &number, &first, &second) != 3) return false;
  switch (number) {
#ifdef SYS_nanosleep
  case SYS_nanosleep: return true;
#endif
#ifdef SYS_clock_nanosleep
  case SYS_clock_nanosleep: return true;
#endif
#ifdef SYS_select
  case SYS_select: return !first; // without files
#endif
#ifdef SYS_pselect6
  case SYS_pselect6: return !first;
#endif
#ifdef SYS_poll
  case SYS_poll: return !second;
#endif
#ifdef SYS_sched_yield
  case SYS_sched_yield: return true;
#endif
  }
  return false;
}

void mck_patience_begin(struct mck_stillness *still, long pid) {
  still->cpu_ns = mck_patience_cpu(pid);
  still->transfers = 0;
  still->is_known = false;
}

// It is asked once a look, from MCK_LOOKS_SHORT looks on.
enum mck_patience mck_patience_of(struct mck_stillness *still, long pid, uint32_t looks) {
  if (looks < MCK_LOOKS_SHORT || still->cpu_ns < 0) return MCK_PATIENCE_NONE;
  if (!still->is_known) still->is_known = true, still->transfers = mck_patience_transfers(pid);
  int64_t cpu = mck_patience_cpu(pid);
  if (cpu < 0) return MCK_PATIENCE_NONE;
  cpu -= still->cpu_ns;
  bool is_busy = cpu >= CPU_SHORT_NS;
  // A library that sleeps while it waits for messages (Open MPI does not) counts after a while.
  bool is_asleep = looks >= MCK_LOOKS_ASLEEP && state_of(pid) == 'S';
  if (!is_busy && !is_asleep) return MCK_PATIENCE_NONE;
  bool is_long = looks >= MCK_LOOKS_LONG && cpu >= CPU_LONG_NS && still->transfers &&
                 mck_patience_transfers(pid) == still->transfers;
  return is_long ? MCK_PATIENCE_LONG : MCK_PATIENCE_SHORT;
}
