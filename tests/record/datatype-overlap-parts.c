// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two parts of a gathered buffer that share an element.
// CHECK: ==mpicc-check== ERROR [datatype.self-overlap] displs[0] and [1] of MPI_Gatherv place parts of the receive buffer on the same bytes
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[2] = {rank, rank}, y[8] = {0}, counts[2] = {2, 2};
  int displs[2] = {0, 1};
  // CHECK: MPI_Gatherv on rank 0 {{.*}}datatype-overlap-parts.c:[[#@LINE+1]] in main
  MPI_Gatherv(x, 2, MPI_INT, y, counts, displs, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
