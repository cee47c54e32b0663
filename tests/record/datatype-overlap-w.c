// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two parts of an MPI_Alltoallw that share bytes.
// CHECK: ==mpicc-check== ERROR [datatype.self-overlap] rdispls[0] and [1] of MPI_Alltoallw place parts of the receive buffer on the same bytes
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
  int displs[2] = {8, 4};
  // CHECK: MPI_Alltoallw on rank 0 {{.*}}datatype-overlap-w.c:[[#@LINE+1]] in main
  MPI_Alltoallw(x, counts, from, types, y, counts, displs, types, MPI_COMM_WORLD);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
