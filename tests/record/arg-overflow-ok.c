// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One element: the extent does not count.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int number = 0;
  MPI_Datatype far;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)1 << 61, &far);
  MPI_Type_commit(&far);
  MPI_Bcast(&number, 1, far, 0, MPI_COMM_SELF);
  MPI_Type_free(&far);
  MPI_Finalize();
  return 0;
}
