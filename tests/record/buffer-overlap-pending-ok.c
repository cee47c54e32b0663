// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two receives under way are neighbors.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int numbers[4] = {0}, two[2] = {0};
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Irecv(numbers, 2, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(numbers + 2, 2, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[1]);
  for (int tag = 0; tag < 2; tag++) MPI_Send(two, 2, MPI_INT, rank, tag, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
