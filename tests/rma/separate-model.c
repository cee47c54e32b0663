// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the separate memory model a store and a put in one epoch conflict, even where they touch different bytes (MPI-3.1 11.7).
// CHECK: ==mpicc-check== ERROR [rma.model] a store and an update of one window in the separate memory model, of rank 0
#include "separate-model.h"

int main(int argc, char **argv) {
  int rank, x = 1, *memory;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(8 * sizeof x, sizeof x, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_fence(0, win);
  // CHECK: MPI_Put from rank 1 {{.*}}separate-model.c:[[#@LINE+3]] in main
  // CHECK: conflicts with store by rank 0 {{.*}}separate-model.c:[[#@LINE+1]] in main
  if (rank == 0) memory[0] = 1;
  if (rank == 1) MPI_Put(&x, 1, MPI_INT, 0, 5, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
