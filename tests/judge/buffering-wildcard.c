// RUN: %mpicc-check %s -o %t
// RUN: env MPICC_CHECK_OPTIONS=clocks=off %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two send to rank 0 while it sends to them: its wildcard receives come too late.
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 2 ranks wait for each other: MPI_Send on rank 0, MPI_Send on rank 1
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[1000] = {0}, y[1000];
  int other = 1 - rank;
  (void)other;
  if (rank == 0) {
    for (int r = 1; r < size; r++) MPI_Send(x, 1, MPI_INT, r, 5, MPI_COMM_WORLD);
    for (int r = 1; r < size; r++) MPI_Recv(y, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    MPI_Recv(y, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  // CHECK: wildcard receives match as they did in this run
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes in {{.*}} on 3 ranks ({{[0-9,]+}} MPI calls){{$}}
