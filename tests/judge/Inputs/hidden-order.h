// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An order that MPI does not know: it decides which message comes first in this run, and other runs may have another
// one. A file that all ranks have mapped holds a flag for each step.
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int *hidden_flags;
static void hidden_open(const char *path) {
  int file = open(path, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, 4096)) exit(5);
  hidden_flags = (volatile int *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (hidden_flags == MAP_FAILED) exit(5);
}
static void hidden_done(int step) { hidden_flags[step] = 1; }
static void hidden_wait(int step) {
  while (!hidden_flags[step]) sched_yield();
}
