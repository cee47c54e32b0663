// RUN: env OMPI_CC=gcc %mpicc -g -fno-omit-frame-pointer %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The receive is as large as the block.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  double *numbers = malloc(30 * sizeof *numbers), one = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Sendrecv(&one, 1, MPI_DOUBLE, rank, 0, numbers, 30, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(numbers);
  MPI_Finalize();
  return 0;
}
