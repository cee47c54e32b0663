// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 5 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One rank receives first, and the ring is none.
// CHECK: no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 0, y, right = (rank + 1) % size, left = (rank + size - 1) % size;
  if (rank) MPI_Send(&x, 1, MPI_INT, right, 5, MPI_COMM_WORLD);
  MPI_Recv(&y, 1, MPI_INT, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!rank) MPI_Send(&x, 1, MPI_INT, right, 5, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
