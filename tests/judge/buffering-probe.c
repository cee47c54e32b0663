// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A probe for the second message, while the first is not received.
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 2 ranks wait for each other: MPI_Send on rank 0, MPI_Probe on rank 1
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[1000] = {0}, y[1000];
  int other = 1 - rank;
  if (rank == 0) {
    MPI_Send(x, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
    MPI_Send(x, 1, MPI_INT, other, 2, MPI_COMM_WORLD);
  } else {
    // CHECK: rank 1 would wait in MPI_Probe for rank 0 buffering-probe.c:[[#@LINE+1]] in main
    MPI_Probe(other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(y, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(y, 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
