// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The root has room for one process only.
// CHECK: ==mpicc-check== ERROR [arg.memory] recvbuf of MPI_Gather: 8 bytes at offset 0 of a heap block of 4 bytes
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  int one = 1, *all = malloc(2 * sizeof *all);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  all = realloc(all, sizeof *all);
  // CHECK: MPI_Gather on rank 0 {{.*}}arg-memory-gather.c:[[#@LINE+1]] in main
  MPI_Gather(&one, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  free(all);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
