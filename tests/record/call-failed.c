// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two processes make no grid of two by two.
// CHECK: ==mpicc-check== ERROR [call.failed] {{.*}}MPI_Cart_create
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  // CHECK: MPI_Cart_create on rank 0 {{.*}}call-failed.c:[[#@LINE+1]] in main
  MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 2}, (int[]){0, 0}, 0, &grid);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
