// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right twin of leak-overwritten-group.c.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Group all, one;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  for (int i = 0; i < 2; i++) {
    MPI_Group_incl(all, 1, &i, &one);
    MPI_Group_free(&one);
  }
  MPI_Group_free(&all);
  MPI_Finalize();
  return size < 1;
}
