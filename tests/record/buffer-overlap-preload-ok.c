// RUN: env OMPI_CC=gcc %mpicc -g -fno-omit-frame-pointer %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same buffer sent twice at once (MPI-3.1 3.7.2), and received into afterwards.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int number = 0, one = 1, two = 2;
  MPI_Request requests[3];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Irecv(&two, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&number, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&number, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Recv(&one, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Sendrecv(&one, 1, MPI_INT, rank, 2, &number, 1, MPI_INT, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
