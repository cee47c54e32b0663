// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copy is used while the window lives.
// CHECK: ==mpicc-check== no errors found
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
  MPI_Win_get_attr(copy, MPI_WIN_SIZE, &size, &flag);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
