// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of the handle outlives the window.
// CHECK: ==mpicc-check== ERROR [handle.freed] win of MPI_Win_get_attr
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int x = 0, flag;
  MPI_Aint *size;
  MPI_Win win, copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  copy = win;
  MPI_Win_free(&win);
  // CHECK: MPI_Win_get_attr on rank 0 {{.*}}handle-freed-win.c:[[#@LINE+1]] in main
  MPI_Win_get_attr(copy, MPI_WIN_SIZE, &size, &flag);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
