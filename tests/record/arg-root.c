// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The root is no rank of the communicator.
// CHECK: ==mpicc-check== ERROR [arg.root] root of MPI_Bcast
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int x = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  // CHECK: MPI_Bcast on rank 0 {{.*}}arg-root.c:[[#@LINE+1]] in main
  MPI_Bcast(&x, 1, MPI_INT, 2, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
