// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sent in one order, received in the other: the first send must be buffered (MPI-3.1 3.5, example 3.6 turned round).
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 2 ranks wait for each other: MPI_Send on rank 0, MPI_Recv on rank 1
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[1000] = {0}, y[1000];
  int other = 1 - rank;
  if (rank == 0) {
    // CHECK: rank 0 would wait in MPI_Send(destination 1, tag 1, 4 bytes) for rank 1 buffering-tags.c:[[#@LINE+1]] in main
    MPI_Send(x, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
    MPI_Send(x, 1, MPI_INT, other, 2, MPI_COMM_WORLD);
  } else {
    // CHECK: rank 1 would wait in MPI_Recv(source 0, tag 2) for rank 0 buffering-tags.c:[[#@LINE+1]] in main
    MPI_Recv(y, 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(y, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
