// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The displacements are in elements.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank;
  int mine[2] = {0}, counts[2] = {2, 2}, places[2] = {0, 2}, *all = malloc(4 * sizeof *all);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allgatherv(mine, 2, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  free(all);
  MPI_Finalize();
  return 0;
}
