// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right twin of datatype-overlap-w.c.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[4] = {0}, y[4], counts[2] = {1, 1}, from[2] = {0, 8};
  MPI_Datatype pair, types[2];
  MPI_Type_contiguous(2, MPI_INT, &pair), MPI_Type_commit(&pair);
  types[0] = types[1] = pair;
  int displs[2] = {8, 0};
  MPI_Alltoallw(x, counts, from, types, y, counts, displs, types, MPI_COMM_WORLD);
  // Every second element for each of them: the spans overlap, the bytes do not.
  MPI_Datatype odd[2];
  MPI_Type_vector(2, 1, 2, MPI_INT, &odd[0]), MPI_Type_commit(&odd[0]), odd[1] = odd[0];
  int shifted[2] = {0, 4};
  MPI_Alltoallw(x, counts, from, types, y, counts, shifted, odd, MPI_COMM_WORLD);
  MPI_Type_free(&odd[0]);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return size < 1;
}
