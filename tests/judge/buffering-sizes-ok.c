// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The receives are posted before.
// CHECK: no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char x[3000] = {0}, y[3000];
  int sizes[3] = {3000, 40, 700};
  MPI_Request request;
  MPI_Irecv(y, 3000, MPI_CHAR, (rank + 2) % 3, 5, MPI_COMM_WORLD, &request);
  MPI_Send(x, sizes[rank], MPI_CHAR, (rank + 1) % 3, 5, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
