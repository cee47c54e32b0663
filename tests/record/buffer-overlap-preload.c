// RUN: env OMPI_CC=gcc %mpicc -g -fno-omit-frame-pointer %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A receive into a buffer that is being sent, in a program that was not recompiled.
// CHECK: ==mpicc-check== ERROR [buffer.overlap] buf of MPI_Recv will be written over a buffer that a pending MPI_Isend is sending from
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int number = 0, one = 1;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Isend(&number, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&one, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[1]);
  // CHECK: MPI_Recv on rank 0 {{.*}}buffer-overlap-preload.c:[[#@LINE+1]] in main
  MPI_Recv(&number, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Recv(&one, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
