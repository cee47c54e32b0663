// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Aligned memory.
#include "aligned.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static size_t alignment = 64;

static int request_memory(void **memory, size_t bytes) { return posix_memalign(memory, alignment, bytes ? bytes : 1); }

void *aligned_get(size_t bytes) {
  void *memory = NULL;
  int error = request_memory(&memory, bytes);
  if (error) {
    fprintf(stderr, "no memory: %zu bytes\n", bytes);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return memory;
}

void aligned_release(void *memory) { free(memory); }
