// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As collective-count-gatherv, with the counts of the root.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  int x[8] = {0}, y[64], counts[4] = {1, 2, 3, 4}, places[4] = {0, 8, 16, 24};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Gatherv(x, rank + 1, MPI_INT, y, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== no errors found
