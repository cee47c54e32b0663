// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of the handle outlives the communicator.
// CHECK: ==mpicc-check== ERROR [handle.freed] comm of MPI_Comm_rank
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Comm comm, copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  copy = comm;
  MPI_Comm_free(&comm);
  // CHECK: MPI_Comm_rank on rank 0 {{.*}}handle-freed-comm.c:[[#@LINE+1]] in main
  MPI_Comm_rank(copy, &rank);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
