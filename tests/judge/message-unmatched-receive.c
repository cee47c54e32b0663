// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three receives that nothing is sent for: the second of a channel, one with a wildcard, and one whose request is freed. Each is reported once, not also
// as a request that is never completed.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x[4] = {0};
  MPI_Request request[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
  } else {
    MPI_Irecv(&x[0], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request[0]);
    // CHECK: ERROR [message.unmatched-receive] a receive that no message ever comes to
    // CHECK-NEXT: MPI_Irecv on rank 1 {{.*}}message-unmatched-receive.c:[[#@LINE+2]] in main
    // CHECK-NEXT: only 1 such messages
    MPI_Irecv(&x[1], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request[1]);
    // CHECK: ERROR [message.unmatched-receive] a receive that no message ever comes to
    // CHECK-NEXT: MPI_Irecv on rank 1 {{.*}}message-unmatched-receive.c:[[#@LINE+2]] in main
    // CHECK-NEXT: it waits for a message from any rank with tag 6; none is sent
    MPI_Irecv(&x[2], 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &request[2]);
    // CHECK: ERROR [message.unmatched-receive] a receive that no message ever comes to
    // CHECK-NEXT: MPI_Irecv on rank 1 {{.*}}message-unmatched-receive.c:[[#@LINE+1]] in main
    MPI_Irecv(&x[3], 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request[3]);
    MPI_Request_free(&request[3]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 3 errors, 0 warnings, 0 notes
