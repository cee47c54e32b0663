// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=clocks=off %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Posted before, they take whatever comes.
// CHECK: no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[1000] = {0}, y[1000];
  int other = 1 - rank;
  MPI_Request requests[2];
  (void)other;
  if (rank == 0) {
    for (int r = 1; r < size; r++) MPI_Irecv(&y[r], 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[r - 1]);
    for (int r = 1; r < size; r++) MPI_Send(x, 1, MPI_INT, r, 5, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else {
    MPI_Send(x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    MPI_Recv(y, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
