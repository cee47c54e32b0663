// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not=ERROR --implicit-check-not=WARNING
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A persistent send that is completed before the receive is started.
// CHECK: WARNING [deadlock.buffering] deadlock if standard sends are not buffered: 2 ranks wait for each other: MPI_Wait on rank 0, MPI_Wait on rank 1
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[1000] = {0}, y[1000];
  int other = 1 - rank;
  MPI_Request requests[2];
  MPI_Send_init(x, 5, MPI_INT, other, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(y, 5, MPI_INT, other, 5, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2; k++) {
      MPI_Start(&requests[k]);
      MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    }
  }
  for (int k = 0; k < 2; k++) MPI_Request_free(&requests[k]);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 1 warning, 0 notes in {{.*}} on 2 ranks ({{[0-9,]+}} MPI calls){{$}}
