// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two columns under way, one of them twice.
// CHECK: ==mpicc-check== ERROR [buffer.overlap] buffer of MPI_Irecv will be written over a buffer that a pending MPI_Irecv will write
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  double matrix[8][8] = {{0}}, one[8] = {0};
  MPI_Request requests[8];
  MPI_Datatype column;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_vector(8, 1, 8, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Irecv(&matrix[0][3], 1, column, rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&matrix[0][4], 1, column, rank, 1, MPI_COMM_WORLD, &requests[1]);
  // CHECK: MPI_Irecv on rank 0 {{.*}}buffer-overlap-columns.c:[[#@LINE+1]] in main
  MPI_Irecv(&matrix[4][3], 4, MPI_DOUBLE, rank, 2, MPI_COMM_WORLD, &requests[2]);
  for (int tag = 0; tag < 2; tag++) MPI_Send(one, 8, MPI_DOUBLE, rank, tag, MPI_COMM_WORLD);
  MPI_Send(one, 4, MPI_DOUBLE, rank, 2, MPI_COMM_WORLD);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Type_free(&column);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
