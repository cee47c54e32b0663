// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A communicator of the wrong kind.
// CHECK: ==mpicc-check== ERROR [handle.kind] comm of MPI_Cart_shift is not a communicator with a Cartesian topology
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int neighbors[2];
  // CHECK: MPI_Cart_shift on rank 0 {{.*}}handle-kind.c:[[#@LINE+1]] in main
  MPI_Cart_shift(MPI_COMM_WORLD, 0, 1, &neighbors[0], &neighbors[1]);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
