// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One element less than is sent was allocated.
// CHECK: ==mpicc-check== ERROR [arg.memory] sendbuf of MPI_Sendrecv: 4000 bytes at offset 0 of a heap block of 3996 bytes
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  int *numbers = calloc(1000, sizeof *numbers), copy[1000];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  numbers = realloc(numbers, 999 * sizeof *numbers);
  // CHECK: MPI_Sendrecv on rank 0 {{.*}}arg-memory-heap.c:[[#@LINE+1]] in main
  MPI_Sendrecv(numbers, 1000, MPI_INT, rank, 0, copy, 1000, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(numbers);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
