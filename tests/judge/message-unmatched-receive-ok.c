// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Receives that no message comes to, but that are cancelled: completed, or freed at once (MPI-3.1 3.8.4), so that nobody knows whether the message of
// tag 8 went to the first or to the second; and a persistent one that is never started.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x[4] = {0};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(x, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
    MPI_Send(x, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
  } else {
    MPI_Irecv(&x[0], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(&x[1], 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Request_free(&request);
    MPI_Irecv(&x[2], 1, MPI_CHAR, 0, 7, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Request_free(&request);
    MPI_Recv_init(&x[3], 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Recv(&x[2], 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&x[3], 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
