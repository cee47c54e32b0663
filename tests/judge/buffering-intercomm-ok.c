// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 4 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One group receives first.
// CHECK: no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 0, y, side = rank % 2, local;
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 9, &inter);
  MPI_Comm_rank(half, &local);
  if (side) MPI_Send(&x, 1, MPI_INT, local, 5, inter);
  MPI_Recv(&y, 1, MPI_INT, local, 5, inter, MPI_STATUS_IGNORE);
  if (!side) MPI_Send(&x, 1, MPI_INT, local, 5, inter);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
