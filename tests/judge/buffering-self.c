// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A message to itself that is not expected yet.
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 1 rank waits for itself: MPI_Send on rank 0
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[1000] = {0}, y[1000];
  int other = 1 - rank;
  (void)other;
  // CHECK: rank 0 would wait in MPI_Send(destination 0, tag 5, 4 bytes) for itself buffering-self.c:[[#@LINE+1]] in main
  MPI_Send(x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  MPI_Recv(y, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes in {{.*}} on 1 rank ({{[0-9,]+}} MPI calls){{$}}
