// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More than the global variable holds.
// CHECK: ==mpicc-check== ERROR [arg.memory] sendbuf of MPI_Sendrecv: 40 bytes at offset 16 of the variable state of 32 bytes
#include <mpi.h>

static struct { double position[2], velocity[2]; } state;

int main(int argc, char **argv) {
  int rank;
  double copy[8];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: MPI_Sendrecv on rank 0 {{.*}}arg-memory-global.c:[[#@LINE+1]] in main
  MPI_Sendrecv(state.velocity, 5, MPI_DOUBLE, rank, 0, copy, 5, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
