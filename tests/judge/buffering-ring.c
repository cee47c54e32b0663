// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 5 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everybody sends to the right before it receives from the left.
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 5 ranks wait for each other: MPI_Send on ranks 0-4
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 0, y, right = (rank + 1) % size, left = (rank + size - 1) % size;
  // CHECK: rank 3 would wait in MPI_Send(destination 4, tag 5, 4 bytes) for rank 4 buffering-ring.c:[[#@LINE+1]] in main
  MPI_Send(&x, 1, MPI_INT, right, 5, MPI_COMM_WORLD);
  MPI_Recv(&y, 1, MPI_INT, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes in {{.*}} on 5 ranks ({{[0-9,]+}} MPI calls){{$}}
