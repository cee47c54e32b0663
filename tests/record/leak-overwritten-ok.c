// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right twin of leak-overwritten.c.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Datatype t, copy;
  MPI_Type_contiguous(2, MPI_INT, &t);
  copy = t;
  MPI_Type_vector(2, 1, 3, MPI_INT, &t);
  MPI_Type_free(&t);
  MPI_Type_free(&copy);
  MPI_Finalize();
  return size < 1;
}
