// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seven processes make no grid with two rows.
// CHECK: ==mpicc-check== ERROR [call.failed] {{.*}}MPI_Dims_create
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int dims[2] = {2, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  // CHECK: MPI_Dims_create on rank 0 {{.*}}call-failed.c:[[#@LINE+1]] in main
  MPI_Dims_create(7, 2, dims);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
