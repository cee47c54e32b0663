// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both ranks receive before they send (MUST, Fig. 1b).
// CHECK: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1
#include <mpi.h>
#include <stdio.h>
#include "busy.h"

int main(int argc, char **argv) {
  int rank, size;
  int x = 0, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    // CHECK: rank 0 waits in MPI_Recv(source 1, tag 5) for rank 1 recv-recv.c:[[#@LINE+1]] in main
    MPI_Recv(&y, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
  } else {
    compute();
    // CHECK: rank 1 waits in MPI_Recv(source 0, tag 6) for rank 0 recv-recv.c:[[#@LINE+1]] in main
    MPI_Recv(&y, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
// CHECK: help: let some of them send first
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
