// RUN: %mpicc-check -O1 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the bytes of a window come from that no variable has: the call that allocated them, or else that made the window.
#include <mpi.h>
#include <stdlib.h>

static int rank, x[4];

// CHECK: ERROR [rma.race] {{.*}}bytes 4..7
// CHECK: the 32 bytes were allocated by MPI_Win_allocate {{.*}}memory.c:[[#@LINE+4]] in allocate
static void allocate(void) {
  int *memory;
  MPI_Win win;
  MPI_Win_allocate(32, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_fence(0, win);
  if (rank) MPI_Put(x, 1, MPI_INT, 0, 4, 1, MPI_INT, win);
  else memory[1] = 1;
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
}
// CHECK: ERROR [rma.race] {{.*}}bytes 8..11
// CHECK: the window begins in memory of MPI_Alloc_mem {{.*}}memory.c:[[#@LINE+4]] in alloc_mem
static void alloc_mem(void) {
  int *memory;
  MPI_Win win;
  MPI_Alloc_mem(100, MPI_INFO_NULL, &memory);
  MPI_Win_create(memory, 64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  if (rank) MPI_Put(x, 1, MPI_INT, 0, 8, 1, MPI_INT, win);
  else memory[2] = 1;
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Free_mem(memory);
}
// CHECK: ERROR [rma.race] {{.*}}bytes 12..15
// CHECK: the window of 48 bytes was made by MPI_Win_create {{.*}}memory.c:[[#@LINE+4]] in heap
static void heap(void) {
  int *memory = malloc(100);
  MPI_Win win;
  MPI_Win_create(memory, 48, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank) MPI_Put(x, 1, MPI_INT, 0, 12, 1, MPI_INT, win);
  else memory[3] = 1;
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(&win);
  free(memory);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  allocate(), alloc_mem(), heap();
  MPI_Finalize();
  return 0;
}
