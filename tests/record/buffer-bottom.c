// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A nonblocking collective over MPI_BOTTOM: of absolute addresses, in several variables (MPI-3.1 4.1.12).
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
  // CHECK: ERROR [buffer.modified-in-use] store to a buffer that a pending MPI_Ibcast is sending from
  // CHECK: store by rank 0 {{.*}}buffer-bottom.c:[[#@LINE+3]] in main
  // CHECK: ERROR [buffer.modified-in-use] store to a buffer that a pending MPI_Ibcast will write
  // CHECK: store by rank 1 {{.*}}buffer-bottom.c:[[#@LINE+1]] in main
  y[3] = other[0];
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 2 errors, 0 warnings, 0 notes
