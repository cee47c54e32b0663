// RUN: %mpicc-check -O2 %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The array is as long as the message.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

static inline void broadcast(int *buffer, int n) { MPI_Bcast(buffer, n, MPI_INT, 0, MPI_COMM_WORLD); }

int main(int argc, char **argv) {
  int rank;
  int n = argc + 9, numbers[n];
  for (int i = 0; i < n; i++) numbers[i] = i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  broadcast(numbers + 1, n - 1);
  MPI_Finalize();
  return 0;
}
