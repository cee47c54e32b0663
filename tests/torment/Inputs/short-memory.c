// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded before a process: it lets allocations of mpicc-check fail, and no others (base/memory-failure.c asks it).
//   MCK_SHORT_AT=N      the N-th one fails
//   MCK_SHORT_FROM=N    the N-th one and all that follow fail
//   MCK_SHORT_RANK=R    in this rank of MPI_COMM_WORLD only
//   MCK_SHORT_COUNT=F   file F of 8 bytes counts them
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic long own_count, *count = &own_count;
static long at, from;
static bool is_on;

static long number(const char *name) {
  const char *value = getenv(name);
  return value ? atol(value) : 0;
}

__attribute__((constructor)) static void load(void) {
  const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *wanted = getenv("MCK_SHORT_RANK");
  is_on = !wanted || (rank && !strcmp(rank, wanted));
  at = number("MCK_SHORT_AT"), from = number("MCK_SHORT_FROM");
  const char *file = getenv("MCK_SHORT_COUNT");
  int fd = is_on && file ? open(file, O_RDWR) : -1;
  void *map = fd >= 0 ? mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  if (map != MAP_FAILED) count = map;
  if (fd >= 0) close(fd);
}

bool __mck_allocation_fails(void);
bool __mck_allocation_fails(void) {
  if (!is_on) return false;
  long n = ++*count;
  bool fails = n == at || (from && n >= from);
  if (fails) errno = ENOMEM;
  return fails;
}
