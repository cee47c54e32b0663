// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A nonblocking collective over MPI_BOTTOM, and stores beside what it uses.
#include <mpi.h>

static int x[4], y[4];

int main(int argc, char **argv) {
  int lengths[2] = {1, 2}, other[4] = {0};
  MPI_Aint places[2];
  MPI_Datatype type;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Get_address(&x[0], &places[0]);
  MPI_Get_address(&y[2], &places[1]);
  MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Ibcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD, &request);
  x[1] = y[1] = other[0] = 1;
  y[1] = other[0];
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== no errors found
