// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same without mistakes in what is not executed.
// RUN: %mpicc-check %s -o %t 2>&1 | count 0
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

static void report(int *value) {
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(value, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank, value[2] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1) report(value);
  if (rank == 1) MPI_Recv(value, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) MPI_Send(value, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
  MPI_Finalize();
}
