// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Displacements by which one element is written twice (MPI-3.1 5.7).
// CHECK: ==mpicc-check== ERROR [buffer.overlap] recvbuf of MPI_Allgatherv: the counts and displacements write 4 bytes more than once
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int mine[2] = {0}, all[4], counts[2] = {2, 2}, places[2] = {2, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  places[0] = 1;
  // CHECK: MPI_Allgatherv on rank 0 {{.*}}buffer-overlap-displs.c:[[#@LINE+1]] in main
  MPI_Allgatherv(mine, 2, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
