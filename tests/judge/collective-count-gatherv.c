// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 2 sends less than the root has for it in recvcounts.
// CHECK: ==mpicc-check== ERROR [collective.count] what MPI_Gatherv sends and receives differs in amount
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  int x[8] = {0}, y[64], counts[4] = {1, 2, 3, 4}, places[4] = {0, 8, 16, 24};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // CHECK: MPI_Gatherv on rank 2 {{.*}}collective-count-gatherv.c:[[#@LINE+1]] in main
  MPI_Gatherv(x, rank < 2 ? rank + 1 : 1, MPI_INT, y, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK: rank 2 sends 1 MPI_INT to rank 0, which expects 3 MPI_INT
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
