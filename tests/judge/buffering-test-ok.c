// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop of tests that would fail without buffers: what the program does then is not known, so nothing is said.
// CHECK: no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[1000] = {0}, y[1000];
  int other = 1 - rank;
  MPI_Request request;
  int flag = 0;
  MPI_Isend(x, 1, MPI_INT, other, 5, MPI_COMM_WORLD, &request);
  while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  MPI_Recv(y, 1, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
