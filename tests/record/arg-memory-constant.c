// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broadcast into a constant on all ranks but the root.
// CHECK: ==mpicc-check== ERROR [arg.memory] buffer of MPI_Bcast is written, but table is a constant
#include <mpi.h>

static const int table[2] = {1, 2};

int main(int argc, char **argv) {
  int rank;
  int copy[2] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Bcast on rank 1 {{.*}}arg-memory-constant.c:[[#@LINE+1]] in main
  MPI_Bcast((void *)table, 2, MPI_INT, 0, MPI_COMM_WORLD);
  (void)copy;
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
