// RUN: env OMPI_CC=gcc %mpicc -g -fno-omit-frame-pointer %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that was not recompiled; the receive is larger than the block.
// CHECK: ==mpicc-check== WARNING [arg.memory-room] recvbuf of MPI_Sendrecv: 248 bytes at offset 0 of a heap block of 240 bytes
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  double *numbers = malloc(30 * sizeof *numbers), one = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Sendrecv on rank 0 {{.*}}arg-memory-preload.c:[[#@LINE+1]] in main
  MPI_Sendrecv(&one, 1, MPI_DOUBLE, rank, 0, numbers, 31, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(numbers);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
