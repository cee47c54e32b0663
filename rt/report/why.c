// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the reasons of verdicts (why.h).
#include "report/why.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool mck_why_is_asked(enum mck_check check) {
  return mck_options.why[0] && (!strcmp(mck_options.why, "all") || !strcmp(mck_options.why, mck_check_infos[check].id));
}

bool mck_why_is_valid(char *error, size_t size) {
  bool is_known = !mck_options.why[0] || !strcmp(mck_options.why, "all");
  for (int i = 0; i < MCK_CHECK_COUNT && !is_known; i++) is_known = mck_why_is_asked((enum mck_check)i);
  if (!is_known)
    snprintf(error, size, "MPICC_CHECK_OPTIONS: why=%.64s: must be all, or the id of a check (docs/checks/README.md)",
             mck_options.why);
  return is_known;
}

void mck_why_print(enum mck_check check, bool is_dismissed, const char *format, ...) {
  if (!mck_why_is_asked(check)) return;
  char line[1024];
  int head = snprintf(line, sizeof line, "==mpicc-check== why: %s%s: ", mck_check_infos[check].id,
                      is_dismissed ? " dismissed" : "");
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(line + head, sizeof line - (size_t)head, format, arguments);
  va_end(arguments);
  size_t length = strnlen(line, sizeof line - 2);
  if (n < 0) length = (size_t)head;
  for (size_t i = 0; i < length; i++)
    if (line[i] == '\n') line[i] = ' ';
  line[length++] = '\n';
  // One write, so that lines of several ranks do not mix.
  ssize_t ignored = write(STDERR_FILENO, line, length);
  (void)ignored;
}
