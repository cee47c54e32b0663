// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 4 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As collective-count-alltoallv, with fitting counts.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  int x[64] = {0}, y[64], to[4], from[4], places[4] = {0, 16, 32, 48};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; i++) to[i] = rank + 2 * i, from[i] = i + 2 * rank;
  MPI_Alltoallv(x, to, places, MPI_INT, y, from, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== no errors found
