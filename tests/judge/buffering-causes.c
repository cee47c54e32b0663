// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two causes are two findings, however often they come.
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 2 ranks
// CHECK: the smallest message on the cycle has 4 bytes
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 2 ranks
// CHECK: the smallest message on the cycle has 36 bytes
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[1000] = {0}, y[1000];
  int other = 1 - rank;
  for (int i = 0; i < 50; i++) {
    MPI_Send(x, 1, MPI_INT, other, 5, MPI_COMM_WORLD);
    MPI_Recv(y, 1, MPI_INT, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(x, 9, MPI_INT, other, 6, MPI_COMM_WORLD);
    MPI_Recv(y, 9, MPI_INT, other, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 2 warnings, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
