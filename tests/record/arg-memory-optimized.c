// RUN: %mpicc-check -O2 %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same after optimization, through a function that is inlined, in an array whose length is known at run time only.
// CHECK: ==mpicc-check== ERROR [arg.memory] buffer of MPI_Bcast: 40 bytes at offset 4 of {{the variable numbers|a variable}} of 40 bytes
#include <mpi.h>

static inline void broadcast(int *buffer, int n) { MPI_Bcast(buffer, n, MPI_INT, 0, MPI_COMM_WORLD); }

int main(int argc, char **argv) {
  int rank;
  int n = argc + 9, numbers[n];
  for (int i = 0; i < n; i++) numbers[i] = i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: called from {{.*}}arg-memory-optimized.c:[[#@LINE+1]] in main
  broadcast(numbers + 1, n);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
