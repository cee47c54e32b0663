// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier is on the wrong side of the receive: it tells the receiver that the message is under way. Three times, one finding.
// CHECK: ==mpicc-check== ERROR [message.ready] a ready send is started before its receive is posted
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 3; i++) {
    // CHECK-NEXT: on rank 0, 3 times
    // CHECK-NEXT: MPI_Rsend from rank 0 {{.*}}message-ready.c:[[#@LINE+1]] in main
    if (rank == 0) MPI_Rsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    // CHECK-NEXT: MPI_Recv on rank 1 {{.*}}message-ready.c:[[#@LINE+1]] in main
    if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
// CHECK-NEXT: rank 1 posts the receive after a message or collective has told it that rank 0 was beyond the send
// CHECK: 1 error, 0 warnings
