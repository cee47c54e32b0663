// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All columns of a matrix are under way, each once: they have no byte in common.
// CHECK: ==mpicc-check== no errors found
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
  for (int i = 0; i < 8; i++) MPI_Irecv(&matrix[0][i], 1, column, rank, i, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < 8; i++) MPI_Send(one, 8, MPI_DOUBLE, rank, i, MPI_COMM_WORLD);
  MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
  MPI_Type_free(&column);
  MPI_Finalize();
  return 0;
}
