// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two persistent receives into one buffer, both active.
// CHECK: ==mpicc-check== ERROR [buffer.overlap] buffer of MPI_Recv_init will be written over a buffer that a pending MPI_Recv_init will write
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  int number, one = 1;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 2; i++) MPI_Recv_init(&number, 1, MPI_INT, rank, i, MPI_COMM_WORLD, &requests[i]);
  // CHECK: MPI_Recv_init on rank 0 {{.*}}buffer-overlap-persistent.c:[[#@LINE+1]] in main
  MPI_Startall(2, requests);
  for (int i = 0; i < 2; i++) MPI_Send(&one, 1, MPI_INT, rank, i, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2; i++) MPI_Request_free(&requests[i]);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
