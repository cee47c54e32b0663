// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each rank sends with tag 1 and waits for tag 2.
// CHECK: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Waitall on rank 0, MPI_Waitall on rank 1
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  int x = 0, y;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Isend(&x, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&y, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, &requests[1]);
  // CHECK: rank 0 waits in MPI_Waitall(2 requests) for rank 1 waitall.c:[[#@LINE+2]] in main
  // CHECK: rank 1 waits in MPI_Waitall(2 requests) for rank 0 waitall.c:[[#@LINE+1]] in main
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  // CHECK: rank 0's MPI_Waitall lacks MPI_Isend(dest 1, tag 1), MPI_Irecv(source 1, tag 2)
  // CHECK: near miss: rank {{[01]}} has sent rank {{[01]}} a message with tag 1 that is not received; rank {{[01]}} asks for tag 2
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
