// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What MPI_Get brings is read before the epoch ends.
// CHECK: ==mpicc-check== ERROR [rma.race-local] 
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int x = 1, w = 0, y = 0;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(&w, sizeof w, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  if (rank == 0) {
    MPI_Get(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    // CHECK: load by rank 0 {{.*}}local-get-load.c:[[#@LINE+1]] in main
    y = x;
  }
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  return MPI_Finalize() + (y < 0);
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
