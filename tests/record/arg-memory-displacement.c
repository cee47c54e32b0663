// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The displacements are in bytes, but should be in elements.
// CHECK: ==mpicc-check== ERROR [arg.memory] recvbuf of MPI_Allgatherv: 40 bytes at offset 0 of a heap block of 16 bytes
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  int mine[2] = {0}, counts[2] = {2, 2}, places[2] = {0, 2}, *all = malloc(4 * sizeof *all);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  places[1] *= sizeof *all;
  // CHECK: MPI_Allgatherv on rank 0 {{.*}}arg-memory-displacement.c:[[#@LINE+1]] in main
  MPI_Allgatherv(mine, 2, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  free(all);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
