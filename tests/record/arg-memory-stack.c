// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array on the stack is one element shorter than the broadcast. Two buffers that are too short for the one count of
// their call are one finding.
// CHECK: ==mpicc-check== ERROR [arg.memory] buffer of MPI_Bcast: 44 bytes at offset 0
// CHECK-SAME: of the variable numbers of 40 bytes
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  int numbers[10] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Bcast on rank 0 {{.*}}arg-memory-stack.c:[[#@LINE+1]] in main
  MPI_Bcast(numbers, 11, MPI_INT, 0, MPI_COMM_WORLD);
  int *given = calloc(10, sizeof *given), *sums = calloc(10, sizeof *sums);
  // CHECK: ERROR [arg.memory] {{send|recv}}buf of MPI_Scan: 44 bytes at offset 0 of a heap block of 40 bytes
  // CHECK: MPI_Scan on rank 0 {{.*}}arg-memory-stack.c:[[#@LINE+2]] in main
  // CHECK-NEXT: also {{send|recv}}buf of MPI_Scan: 44 bytes at offset 0 of a heap block of 40 bytes
  MPI_Scan(given, sums, 11, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  free(given);
  free(sums);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 2 errors, 0 warnings, 0 notes
