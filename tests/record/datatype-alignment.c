// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Doubles at an address that is no multiple of eight.
// CHECK: ==mpicc-check== WARNING [datatype.alignment] a buffer of MPI_Sendrecv is not aligned for MPI_DOUBLE: its address is no multiple of 8
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char memory[3 * sizeof(double)] __attribute__((aligned(8))) = {0};
  double y[2];
  // CHECK: MPI_Sendrecv on rank 0 {{.*}}datatype-alignment.c:[[#@LINE+1]] in main
  MPI_Sendrecv(memory + 4, 2, MPI_DOUBLE, 0, 0, y, 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return size < 1;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes
