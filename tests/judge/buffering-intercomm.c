// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 4 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exchange over an intercommunicator: ranks are those of the other group.
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 2 ranks wait for each other: MPI_Send on rank 0, MPI_Send on rank 1
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 0, y, side = rank % 2, local;
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 9, &inter);
  MPI_Comm_rank(half, &local);
  // CHECK: rank 0 would wait in MPI_Send(destination 0, tag 5, another communicator, 4 bytes) for rank 1 buffering-intercomm.c:[[#@LINE+1]] in main
  MPI_Send(&x, 1, MPI_INT, local, 5, inter);
  MPI_Recv(&y, 1, MPI_INT, local, 5, inter, MPI_STATUS_IGNORE);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes in {{.*}} on 4 ranks ({{[0-9,]+}} MPI calls){{$}}
