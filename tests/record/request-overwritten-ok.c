// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each has a variable of its own.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int x[2] = {1, 2}, y[2];
  MPI_Request request[2];
  MPI_Irecv(&y[0], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request[0]);
  MPI_Irecv(&y[1], 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request[1]);
  MPI_Send(&x[0], 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  MPI_Send(&x[1], 1, MPI_INT, 0, 1, MPI_COMM_SELF);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
