// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After it.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Finalize();
  return 0;
}
