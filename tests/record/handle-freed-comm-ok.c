// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copy is used while the communicator lives.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Comm comm, copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  copy = comm;
  MPI_Comm_rank(copy, &rank);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
