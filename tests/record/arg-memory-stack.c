// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array on the stack is one element shorter than the broadcast.
// CHECK: ==mpicc-check== ERROR [arg.memory] buffer of MPI_Bcast: 44 bytes at offset 0 of the variable numbers of 40 bytes
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int numbers[10] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Bcast on rank 0 {{.*}}arg-memory-stack.c:[[#@LINE+1]] in main
  MPI_Bcast(numbers, 11, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
