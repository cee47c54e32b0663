// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A window is made and never freed.
// CHECK: ==mpicc-check== WARNING [leak.win] 
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int x = 0;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Win_create on rank 0 {{.*}}leak-win.c:[[#@LINE+1]] in main
  MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
