// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As collective-type-alltoallw, with fitting types.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  char x[64] = {0}, y[64];
  int ones[4] = {1, 1, 1, 1}, places[4] = {0, 8, 16, 24};
  MPI_Datatype to[4], from[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; i++) to[i] = rank % 2 ? MPI_DOUBLE : MPI_LONG, from[i] = i % 2 ? MPI_DOUBLE : MPI_LONG;
  MPI_Alltoallw(x, ones, places, to, y, ones, places, from, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== no errors found
