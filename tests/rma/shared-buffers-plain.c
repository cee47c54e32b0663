// RUN: env OMPI_CC=gcc %mpicc -g -fno-omit-frame-pointer %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two operations of one process that use the same bytes, and memory that is freed, in a program that was not recompiled.
// CHECK-DAG: ==mpicc-check== ERROR [rma.race-local] MPI_Put reads the result buffer of MPI_Get before that is complete
// CHECK-DAG: ==mpicc-check== ERROR [rma.race-local] free of the origin buffer of MPI_Put before that is complete
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, *memory, number = 0;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(4 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    // CHECK-DAG: in use since MPI_Get {{.*}}shared-buffers-plain.c:[[#@LINE+1]] in main
    MPI_Get(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    // CHECK-DAG: MPI_Put on rank 0 {{.*}}shared-buffers-plain.c:[[#@LINE+1]] in main
    MPI_Put(&number, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
    MPI_Win_flush_local(1, win);
    number = 3; // not seen, and right
    int *block = malloc(sizeof *block);
    *block = 1;
    MPI_Put(block, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    // CHECK-DAG: free by rank 0 {{.*}}shared-buffers-plain.c:[[#@LINE+1]] in main
    free(block);
    number += 1;
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 2 errors, 0 warnings, 0 notes
