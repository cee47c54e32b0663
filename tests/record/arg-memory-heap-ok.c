// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As many elements as are sent were allocated.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  int *numbers = calloc(1000, sizeof *numbers), copy[1000];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  numbers = realloc(numbers, 1000 * sizeof *numbers);
  MPI_Sendrecv(numbers, 1000, MPI_INT, rank, 0, copy, 1000, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  free(numbers);
  MPI_Finalize();
  return 0;
}
