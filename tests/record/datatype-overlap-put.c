// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A target type that has an element twice.
// CHECK: ==mpicc-check== ERROR [datatype.self-overlap] target_datatype of MPI_Put has bytes that would be written twice
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
  int places[2] = {0, 1};
  MPI_Type_indexed(2, lengths, places, MPI_INT, &t), MPI_Type_commit(&t);
  MPI_Win_create(mine, sizeof mine, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  // CHECK: MPI_Put on rank 0 {{.*}}datatype-overlap-put.c:[[#@LINE+1]] in main
  if (!rank) MPI_Put(x, 4, MPI_INT, 1, 0, 1, t, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Type_free(&t);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
