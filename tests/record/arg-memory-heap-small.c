// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small block, of which the allocator gives out more bytes than were asked for; the send begins in its middle.
// CHECK: ==mpicc-check== ERROR [arg.memory] sendbuf of MPI_Sendrecv: 16 bytes at offset 16 of a heap block of 28 bytes
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  int *numbers = calloc(7, sizeof *numbers), copy[8];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Sendrecv on rank 0 {{.*}}arg-memory-heap-small.c:[[#@LINE+1]] in main
  MPI_Sendrecv(numbers + 4, 4, MPI_INT, rank, 0, copy, 4, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(numbers);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
