// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All that the global variable holds, from one of its members on.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

static struct { double position[2], velocity[2]; } state;

int main(int argc, char **argv) {
  int rank;
  double copy[8];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Sendrecv(state.position, 4, MPI_DOUBLE, rank, 0, copy, 4, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
