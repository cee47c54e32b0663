// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 0 waits for a message of rank 1, which is in MPI_Finalize already.
// CHECK: ERROR [deadlock] deadlock: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Finalize on rank 1
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    // CHECK: rank 0 waits in MPI_Recv(source 1, tag 0) for rank 1 finalize-recv.c:[[#@LINE+1]] in main
    MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("done\n");
  }
  // CHECK: rank 1 waits in MPI_Finalize for rank 0 finalize-recv.c:[[#@LINE+1]] in main
  MPI_Finalize();
  return 0;
}
// CHECK: help: a rank in MPI_Finalize calls nothing more
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
