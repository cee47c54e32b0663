// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All ranks would take a message from anyone, and nobody has sent one.
// CHECK: ERROR [deadlock] deadlock: 3 ranks wait for each other: MPI_Recv on rank 0, MPI_Recv on rank 1, MPI_Recv on rank 2
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  int x = 0, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // CHECK: rank 0 waits in MPI_Recv(source any, tag 1) for any of ranks 1,2 any-source.c:[[#@LINE+3]] in main
  // CHECK: rank 1 waits in MPI_Recv(source any, tag 1) for any of ranks 0,2 any-source.c:[[#@LINE+2]] in main
  // CHECK: rank 2 waits in MPI_Recv(source any, tag 1) for any of ranks 0,1 any-source.c:[[#@LINE+1]] in main
  MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(&x, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD);
  if (rank == 0) printf("done\n");
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes in {{.*}} on 3 ranks ({{[0-9,]+}} MPI calls){{$}}
