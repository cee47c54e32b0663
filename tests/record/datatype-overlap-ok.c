// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right twin of datatype-overlap.c.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[4] = {0}, y[8];
  MPI_Datatype t;
  int lengths[2] = {2, 2};
  int places[2] = {0, 2};
  MPI_Type_indexed(2, lengths, places, MPI_INT, &t);
  MPI_Type_commit(&t);
  MPI_Sendrecv(x, 4, MPI_INT, rank, 0, y, 1, t, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // To send the same bytes twice is right.
  MPI_Datatype twice;
  places[1] = 1;
  MPI_Type_indexed(2, lengths, places, MPI_INT, &twice), MPI_Type_commit(&twice);
  MPI_Sendrecv(x, 1, twice, rank, 0, y, 1, t, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&twice);
  MPI_Type_free(&t);
  MPI_Finalize();
  return size < 1;
}
