// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Receives and sends are completed together.
// CHECK: no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 0, y[3];
  MPI_Request requests[6];
  int n = 0;
  for (int r = 0; r < size; r++)
    if (r != rank) MPI_Isend(&x, 1, MPI_INT, r, 5, MPI_COMM_WORLD, &requests[n++]);
  for (int r = 0; r < size; r++)
    if (r != rank) MPI_Irecv(&y[r], 1, MPI_INT, r, 5, MPI_COMM_WORLD, &requests[n++]);
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
