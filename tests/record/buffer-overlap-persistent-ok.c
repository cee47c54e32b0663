// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two persistent receives into one buffer, one after the other.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int number, one = 1;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 2; i++) MPI_Recv_init(&number, 1, MPI_INT, rank, i, MPI_COMM_WORLD, &requests[i]);
  for (int i = 0; i < 2; i++) {
    MPI_Start(&requests[i]);
    MPI_Send(&one, 1, MPI_INT, rank, i, MPI_COMM_WORLD);
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < 2; i++) MPI_Request_free(&requests[i]);
  MPI_Finalize();
  return 0;
}
