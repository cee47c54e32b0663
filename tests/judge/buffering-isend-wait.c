// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A nonblocking send that is completed before the receive is no better than a blocking one.
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 2 ranks wait for each other: MPI_Wait on rank 0, MPI_Wait on rank 1
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[1000] = {0}, y[1000];
  int other = 1 - rank;
  MPI_Request request;
  MPI_Isend(x, 10, MPI_INT, other, 5, MPI_COMM_WORLD, &request);
  // CHECK: rank 0 would wait in MPI_Wait of MPI_Isend(destination 1, tag 5, 40 bytes) for rank 1 buffering-isend-wait.c:[[#@LINE+1]] in main
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Recv(y, 10, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
