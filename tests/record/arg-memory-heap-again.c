// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same address again, but the block is smaller by now.
// CHECK: ==mpicc-check== ERROR [arg.memory] sendbuf of MPI_Sendrecv: 20000 bytes at offset 0 of a heap block of 15000 bytes
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  char copy[20000];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (size_t n = 20000; n >= 15000; n -= 5000) {
    char *bytes = calloc(n, 1);
  // CHECK: MPI_Sendrecv on rank 0 {{.*}}arg-memory-heap-again.c:[[#@LINE+1]] in main
    MPI_Sendrecv(bytes, 20000, MPI_CHAR, rank, 0, copy, 20000, MPI_CHAR, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(bytes);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
