// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Begins a line (line-begin.h).
#include "line-begin.h"
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

// Does the file end within a line?
static bool is_within_line(const struct stat *st) {
  char last = '\n';
  int file = open("/proc/self/fd/2", O_RDONLY | O_CLOEXEC);
  if (file >= 0 && st->st_size > 0 && pread(file, &last, 1, st->st_size - 1) != 1) last = '\n';
  if (file >= 0) close(file);
  return last != '\n';
}

void mck_line_begin(void) {
  struct stat err, out;
  struct winsize window;
  fflush(stdout);
  if (fstat(STDERR_FILENO, &err)) return;
  bool is_one = fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == err.st_dev && out.st_ino == err.st_ino;
  if (isatty(STDERR_FILENO)) {
    // Blanks for a whole line: only from within a line they reach the next one, since a terminal goes there with the
    // first letter that has no room. Then back to the begin of the line.
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1)
      fprintf(stderr, "%*s\r", window.ws_col, "");
    else fputc('\n', stderr); // a terminal of unknown width, as of "docker run -t" in CI
  } else if (S_ISREG(err.st_mode) ? is_within_line(&err) : is_one) { // what is in a pipe is not known
    fputc('\n', stderr);
  }
  fflush(stderr);
}
