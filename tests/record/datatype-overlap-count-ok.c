// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right twin of datatype-overlap-count.c.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int a[4][4] = {{0}}, b[5][4] = {{0}};
  MPI_Datatype column, next;
  MPI_Type_vector(4, 1, 4, MPI_INT, &column);
  MPI_Type_create_resized(column, 0, sizeof(int), &next);
  MPI_Type_commit(&next);
  // A matrix transposed: four columns, each beginning one element behind the other.
  MPI_Sendrecv(a, 16, MPI_INT, 0, 0, b, 4, next, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // Sent, they may overlap.
  int more[4][5] = {{0}};
  MPI_Sendrecv(b, 5, next, 0, 0, more, 20, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&column), MPI_Type_free(&next);
  MPI_Finalize();
  return size < 1;
}
