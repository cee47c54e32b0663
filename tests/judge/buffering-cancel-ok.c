// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When MPI_Cancel was called, MPI_Wait returns whatever others do (MPI-3.1 3.8.4), also where the message is sent all the same.
// CHECK: no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x = 0, y, flag = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Status status;
    MPI_Isend(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    MPI_Send(&flag, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&flag, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!flag) MPI_Recv(&y, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
