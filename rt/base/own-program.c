// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE 1
#include "base/own-program.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

size_t mck_own_program(char *path, size_t size) {
  ssize_t n = readlink("/proc/self/exe", path, size - 1);
  path[n < 0 ? 0 : n] = 0;
  if (n > 0) return (size_t)n;
  char found[PATH_MAX];
  const char *given = (const char *)getauxval(AT_EXECFN); // NOLINT(performance-no-int-to-ptr)
  if (!given || !realpath(given, found) || strlen(found) >= size) return 0;
  strcpy(path, found);
  return strlen(path);
}
