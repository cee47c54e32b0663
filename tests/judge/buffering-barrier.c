// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A send before a barrier, its receive behind it.
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 2 ranks wait for each other: MPI_Send on rank 0, MPI_Barrier on rank 2
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[1000] = {0}, y[1000];
  int other = 1 - rank;
  if (rank == 0) MPI_Send(x, 1, MPI_INT, 2, 5, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 2) MPI_Recv(y, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes in {{.*}} on 3 ranks ({{[0-9,]+}} MPI calls){{$}}
