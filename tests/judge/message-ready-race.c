// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the receiver tells comes from before it posts the receive, or goes to another rank; a broadcast tells its root nothing.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x = 1, y;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    // CHECK: WARNING [message.ready-race] a ready send may be started before its receive is posted
    // CHECK-NEXT: MPI_Rsend from rank 0 {{.*}}message-ready-race.c:[[#@LINE+8]] in main
    // CHECK-NEXT: MPI_Recv on rank 1 {{.*}}message-ready-race.c:[[#@LINE+1]] in main
    MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
  }
  if (rank == 2) MPI_Recv(&y, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) {
    MPI_Recv(&y, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Rsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  }
  MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK: WARNING [message.ready-race] a ready send may be started before its receive is posted
  // CHECK-NEXT: MPI_Rsend from rank 0 {{.*}}message-ready-race.c:[[#@LINE+2]] in main
  // CHECK-NEXT: MPI_Recv on rank 2 {{.*}}message-ready-race.c:[[#@LINE+2]] in main
  if (rank == 0) MPI_Rsend(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
  if (rank == 2) MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
// CHECK: 0 errors, 2 warnings
