// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 2 expects a double of rank 0, which sends a long.
// CHECK: ==mpicc-check== ERROR [collective.type] what MPI_Alltoallw sends and receives differs in type
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
  if (rank == 2) from[0] = MPI_DOUBLE;
  // CHECK: MPI_Alltoallw on rank 0 {{.*}}collective-type-alltoallw.c:[[#@LINE+1]] in main
  MPI_Alltoallw(x, ones, places, to, y, ones, places, from, MPI_COMM_WORLD);
  // CHECK: rank 0 sends 1 MPI_LONG to rank 2, which expects 1 MPI_DOUBLE
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
