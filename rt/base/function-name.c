// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads demangled names (function-name.h).
#include "base/function-name.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const char operator_word[] = "operator";

size_t mck_name_operator(const char *name, const char *at) {
  size_t n = sizeof operator_word - 1;
  if ((size_t)(at - name) < n || strncmp(at - n, operator_word, n) != 0) return 0;
  return strncmp(at, "()", 2) == 0 ? 2 : strspn(at, "<=");
}

const char *mck_name_behind(const char *open) {
  char one = *open, other = one == '<' ? '>' : one == '(' ? ')' : '}';
  unsigned depth = 0;
  for (const char *p = open; *p; p++) {
    depth += *p == one;
    if (*p == other && p[-1] != '-' && --depth == 0) return p + 1;
  }
  return open + strlen(open);
}

size_t mck_name_number(const char *name, const char *at) {
  static const char *const before[] = {"$_", "#", "::_anon_"}; // clang; both; gcc
  size_t n = 0;
  while (isdigit((unsigned char)at[n])) n++;
  for (size_t i = 0; n && i < sizeof before / sizeof *before; i++) {
    size_t length = strlen(before[i]);
    if ((size_t)(at - name) >= length && memcmp(at - length, before[i], length) == 0) return n;
  }
  return 0;
}

struct mck_name_parts mck_name_parts(const char *name) {
  struct mck_name_parts parts = {0, strlen(name)};
  bool is_operator = false, has_parameters = false; // the type that a conversion gives may have blanks
  for (const char *p = name, *end; *p; p = end) {
    end = p + 1;
    is_operator |= strncmp(p, operator_word, sizeof operator_word - 1) == 0;
    size_t skipped = mck_name_operator(name, p);
    if (skipped) end = p + skipped;
    else if (*p == ' ' && !is_operator && !has_parameters) parts.begin = (size_t)(end - name);
    else if (*p == '<' || *p == '(' || *p == '{') {
      end = mck_name_behind(p);
      if (*p != '(' || strncmp(p, "(anonymous", sizeof "(anonymous" - 1) == 0) continue;
      parts.parameters = (size_t)(p - name);
      has_parameters = true;
    }
  }
  return parts;
}
