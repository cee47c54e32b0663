// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The block is as large as what is sent, each time.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  char copy[20000];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (size_t n = 20000; n >= 15000; n -= 5000) {
    char *bytes = calloc(n, 1);
    MPI_Sendrecv(bytes, (int)n, MPI_CHAR, rank, 0, copy, (int)n, MPI_CHAR, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(bytes);
  }
  MPI_Finalize();
  return 0;
}
