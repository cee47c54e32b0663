// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// It is asked whether it is initialized.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int is_initialized;
  MPI_Init(&argc, &argv);
  MPI_Initialized(&is_initialized);
  if (!is_initialized) MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
