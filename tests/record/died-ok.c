// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right twin of the died-*.c programs: nobody dies, and leaving by exit() after MPI_Finalize is no death.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, x = 1, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Sendrecv(&x, 1, MPI_INT, 1 - rank, 0, &y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  exit(0);
}
