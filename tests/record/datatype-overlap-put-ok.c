// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right twin of datatype-overlap-put.c.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[4] = {0}, mine[4] = {0};
  MPI_Win win;
  MPI_Datatype t;
  int lengths[2] = {2, 2};
  int places[2] = {0, 2};
  MPI_Type_indexed(2, lengths, places, MPI_INT, &t), MPI_Type_commit(&t);
  MPI_Win_create(mine, sizeof mine, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  if (!rank) MPI_Put(x, 4, MPI_INT, 1, 0, 1, t, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Type_free(&t);
  MPI_Finalize();
  return size < 1;
}
