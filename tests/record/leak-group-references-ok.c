// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each reference is freed.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Group kept, other;
  MPI_Comm_group(MPI_COMM_WORLD, &kept);
  for (int i = 0; i < 3; i++) {
    MPI_Comm_group(MPI_COMM_WORLD, &other);
    MPI_Group_free(&other);
  }
  MPI_Group_free(&kept);
  MPI_Finalize();
  return 0;
}
