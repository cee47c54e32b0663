// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/address-room.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

// Open MPI maps some 450 MiB of addresses until the end of MPI_Init (three ranks, shared memory), and a program its
// own.
enum { SHARE = 4, OTHERS = 512 << 20 };

// The first number of statm: pages that are mapped.
static uint64_t mapped_bytes(void) {
  char text[64];
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  ssize_t n = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  text[n < 0 ? 0 : n] = 0;
  return strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t mck_base_address_room(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  uint64_t mapped = mapped_bytes() + OTHERS;
  return mapped < limit.rlim_cur ? (limit.rlim_cur - mapped) / SHARE : 0;
}
