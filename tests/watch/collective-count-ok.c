// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As collective-count, with as much on all ranks.
#include <mpi.h>

static int x[1000000];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Bcast(x, 1000000, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== no errors found
