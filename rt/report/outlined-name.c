// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that clang 19 and gcc 12 make (outlined-name.h).
#include "report/outlined-name.h"

#include <string.h>

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

enum mck_outlined mck_outlined_name(const char *function, size_t *length) {
  static const char clone[] = " [clone "; // in a demangled name of C++
  const char *clang = strstr(function, ".omp_outlined"), *gcc = strstr(function, "._omp_fn."),
             *mark = clang ? clang : gcc;
  *length = 0;
  if (begins(function, ".omp_task_entry.")) return MCK_OUTLINED_ENTRY;
  if (!mark) return MCK_OUTLINED_NOT;
  *length = (size_t)(mark - function);
  size_t n = sizeof clone - 1;
  if (*length > n && strncmp(mark - n, clone, n) == 0) *length -= n;
  bool is_entry = clang && *length && !strstr(clang, "_debug__");
  return is_entry ? MCK_OUTLINED_ENTRY : MCK_OUTLINED_BODY;
}

bool mck_outlined_is_runtime(const char *function) {
  return begins(function, "__kmp") || begins(function, "GOMP_") || begins(function, "gomp_");
}
