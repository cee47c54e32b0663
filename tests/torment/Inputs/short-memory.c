// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded before a process: it lets allocations of mpicc-check fail, and no others (base/memory-failure.c asks it).
//   MCK_SHORT_AT=N      the N-th one fails
//   MCK_SHORT_FROM=N    the N-th one and all that follow fail
//   MCK_SHORT_STACK=X   the first one that is made by way of stack X fails; with MCK_SHORT_ON=1 all that follow, too
//   MCK_SHORT_THREADS=1 mpicc-check can start no thread
//   MCK_SHORT_RANK=R    in this rank of MPI_COMM_WORLD only
//   MCK_SHORT_COUNT=F   file F of 16 bytes: how many were asked for, and how many failed
//   MCK_SHORT_LIST=F    file F gets the 8 bytes of each new stack
// A stack is a hash of the frames that lie in mpicc-check, counted from the begin of their file.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FRAMES = 48, STACKS = 1 << 14 };
static _Atomic long own_count[2], *count = own_count;
static long at, from;
static bool is_on, is_by_stack, is_following;
static _Atomic bool has_failed;
static uint64_t wanted;
static int list = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t known[STACKS]; // a hash table; 0: free

static long number(const char *name) {
  const char *value = getenv(name);
  return value ? atol(value) : 0;
}

__attribute__((constructor)) static void load(void) {
  const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *of = getenv("MCK_SHORT_RANK");
  is_on = !of || !*of || (rank && !strcmp(rank, of));
  at = number("MCK_SHORT_AT"), from = number("MCK_SHORT_FROM");
  const char *file = getenv("MCK_SHORT_COUNT"), *stack = getenv("MCK_SHORT_STACK"), *stacks = getenv("MCK_SHORT_LIST");
  int fd = is_on && file ? open(file, O_RDWR) : -1;
  void *map = fd >= 0 ? mmap(NULL, sizeof own_count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  if (map != MAP_FAILED) count = map;
  if (fd >= 0) close(fd);
  wanted = stack ? strtoull(stack, NULL, 16) : 0;
  is_following = number("MCK_SHORT_ON");
  if (is_on && stacks && *stacks) list = open(stacks, O_WRONLY | O_APPEND | O_CLOEXEC);
  is_by_stack = wanted || list >= 0;
  void *frames[FRAMES];
  if (is_by_stack) backtrace(frames, FRAMES); // it loads what it needs
}

static uint64_t stack_now(void) {
  void *frames[FRAMES];
  uint64_t hash = 0xcbf29ce484222325;
  for (int i = 1, n = backtrace(frames, FRAMES); i < n; i++) {
    Dl_info info;
    if (!dladdr(frames[i], &info) || !info.dli_fname) continue;
    const char *slash = strrchr(info.dli_fname, '/'), *name = slash ? slash + 1 : info.dli_fname;
    if (!strstr(name, "mpicc-check") && !strstr(name, "mpirun-check")) continue;
    hash = (hash ^ (uint64_t)((char *)frames[i] - (char *)info.dli_fbase)) * 0x100000001b3;
    hash ^= hash >> 29;
  }
  return hash ? hash : 1;
}

static void note(uint64_t stack) {
  pthread_mutex_lock(&lock);
  size_t slot = stack % STACKS, looks = 0;
  while (known[slot] && known[slot] != stack && looks++ < STACKS) slot = (slot + 1) % STACKS;
  if (!known[slot]) {
    known[slot] = stack;
    if (write(list, &stack, sizeof stack) != sizeof stack) abort(); // a stack that is not listed is not tried
  }
  pthread_mutex_unlock(&lock);
}

static bool fails_by_stack(void) {
  if (is_following && has_failed) return true;
  if (has_failed && list < 0) return false;
  uint64_t stack = stack_now();
  if (list >= 0) note(stack);
  return wanted && stack == wanted && !atomic_exchange(&has_failed, true);
}

int pthread_create(pthread_t *restrict id, const pthread_attr_t *restrict how, void *(*run)(void *),
                   void *restrict argument) {
  Dl_info from;
  bool is_ours = dladdr(__builtin_return_address(0), &from) && strstr(from.dli_fname, "libmpicc-check.so");
  if (is_on && is_ours && number("MCK_SHORT_THREADS")) return EAGAIN;
  __typeof(pthread_create) *real = (__typeof(pthread_create) *)dlsym(RTLD_NEXT, "pthread_create");
  return real(id, how, run, argument);
}

bool __mck_allocation_fails(void);
bool __mck_allocation_fails(void) {
  if (!is_on) return false;
  long n = ++count[0];
  bool fails = n == at || (from && n >= from) || (is_by_stack && fails_by_stack());
  if (fails) errno = ENOMEM, ++count[1];
  return fails;
}
