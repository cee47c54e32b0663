// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Receives with as much room as there is memory, the whole variable over several members, and the rest of an array.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int one = 1, small[4] = {0};
  struct { int x[4], other; } s = {{0}, 0};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Irecv(small + 1, 3, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  MPI_Send(&one, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Irecv(s.x, 5, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  MPI_Send(&one, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return small[1] != 1 || s.x[0] != 1;
}
