// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both send before they receive (MUST, Fig. 1c): it works because 400 bytes are buffered, and hangs with more.
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 2 ranks wait for each other: MPI_Send on rank 0, MPI_Send on rank 1
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[1000] = {0}, y[1000];
  int other = 1 - rank;
  // CHECK: rank 0 would wait in MPI_Send(destination 1, tag 5, 400 bytes) for rank 1 buffering-exchange.c:[[#@LINE+2]] in main
  // CHECK: rank 1 would wait in MPI_Send(destination 0, tag 5, 400 bytes) for rank 0 buffering-exchange.c:[[#@LINE+1]] in main
  MPI_Send(x, 100, MPI_INT, other, 5, MPI_COMM_WORLD);
  // CHECK: rank 1 receives rank 0's message only behind that, in MPI_Recv buffering-exchange.c:[[#@LINE+2]] in main
  // CHECK: rank 0 receives rank 1's message only behind that, in MPI_Recv buffering-exchange.c:[[#@LINE+1]] in main
  MPI_Recv(y, 100, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK: the smallest message on the cycle has 400 bytes
  // CHECK: here messages are buffered up to about {{[0-9]+}} bytes
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
