// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// They make one of two by one.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 1}, (int[]){0, 0}, 0, &grid);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
