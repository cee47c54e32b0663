// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broadcast from a constant at the root, into a variable elsewhere.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

static const int table[2] = {1, 2};

int main(int argc, char **argv) {
  int rank;
  int copy[2] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(rank == 0 ? (void *)table : copy, 2, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
