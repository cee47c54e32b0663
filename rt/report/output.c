// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes bytes to descriptors and replaces files (output.h).
#define _GNU_SOURCE 1
#include "report/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int mck_output_write(int fd, const char *data, size_t size) {
  while (size) {
    ssize_t n = write(fd, data, size);
    if (n >= 0) {
      data += n;
      size -= (size_t)n;
    } else if (errno == EAGAIN) { // stderr may be a nonblocking pipe
      struct pollfd ready = {fd, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

// /dev/stdout may be a regular file that the shell has open: the report is appended to it and does not replace it.
static int is_stream(const char *path, const struct stat *st) {
  static const char *const names[] = {"/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(path, names[i], strlen(names[i])) == 0) return 1;
  return !S_ISREG(st->st_mode);
}

static int write_and_close(int fd, const char *data, size_t size) {
  int error = mck_output_write(fd, data, size);
  if (close(fd) != 0 && !error) error = errno;
  return error;
}

static int write_stream(const char *path, const char *data, size_t size) {
  // O_NONBLOCK: a FIFO without a reader is an error, not a hang.
  int fd = open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  return fd < 0 ? errno : write_and_close(fd, data, size);
}

static int write_file(const char *path, const char *data, size_t size) {
  char *temporary;
  int fd = -1;
  if (asprintf(&temporary, "%s.%ld.tmp", path, (long)getpid()) < 0) return ENOMEM;
  fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int error = fd < 0 ? errno : write_and_close(fd, data, size);
  if (!error && rename(temporary, path) != 0) error = errno;
  if (error && fd >= 0) unlink(temporary);
  free(temporary);
  return error;
}

int mck_output_replace(const char *path, const char *data, size_t size) {
  struct stat st;
  if (stat(path, &st) != 0) return errno == ENOENT ? write_file(path, data, size) : errno;
  if (S_ISDIR(st.st_mode)) return EISDIR;
  if (is_stream(path, &st)) return write_stream(path, data, size);
  char *target = realpath(path, NULL); // a symbolic link stays a link
  if (!target) return errno;
  int error = write_file(target, data, size);
  free(target);
  return error;
}
