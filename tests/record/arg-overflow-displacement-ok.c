// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The extent is that of the elements.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int mine = 0, count = 1, place = 8, all[9];
  MPI_Datatype far;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_create_resized(MPI_INT, 0, sizeof mine, &far);
  MPI_Type_commit(&far);
  MPI_Allgatherv(&mine, 1, MPI_INT, all, &count, &place, far, MPI_COMM_SELF);
  MPI_Type_free(&far);
  MPI_Finalize();
  return 0;
}
