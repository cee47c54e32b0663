// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Displacements by which each element is written once.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int mine[2] = {0}, all[4], counts[2] = {2, 2}, places[2] = {2, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allgatherv(mine, 2, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
