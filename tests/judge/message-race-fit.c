// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check --take 0:1=1,0:2=2,0:3=1,0:4=2,0:5=1:3 -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages that could have come to a wildcard receive, and do not fit: they are too large, or have another type.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data[4] = {0}, more[4] = {0};
  float number = 1;
  MPI_Request request;
  MPI_Datatype pair;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  // CHECK: WARNING [message.race] a wildcard receive takes whichever of several messages comes first, and one of them would be truncated
  // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}message-race-fit.c:[[#@LINE+2]] in main
  if (rank == 0) {
    MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(data, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else MPI_Send(data, rank, MPI_INT, 0, 0, MPI_COMM_WORLD);
  // CHECK-NEXT: got: MPI_Send from rank 1 {{.*}}message-race-fit.c:[[#@LINE-1]] in main
  // CHECK-NEXT: could have got: MPI_Send from rank 2 {{.*}}message-race-fit.c:[[#@LINE-2]] in main
  // CHECK-NEXT: 1 of 1 receive here could have got another message; up to 2 ranks could be first
  // CHECK-NEXT: it got 4 bytes with tag 0, and could have got 8 bytes with tag 0
  // CHECK-NEXT: the other message: 2 MPI_INT; the receive: 1 MPI_INT
  // CHECK-NEXT: help: name the source or the tag, or make room for every message that may come; to see it: mpirun-check --take 0:1=2:0

  MPI_Barrier(MPI_COMM_WORLD);
  // CHECK: WARNING [message.race] a wildcard receive takes whichever of several messages comes first, and one of them has another type than the receive
  // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}message-race-fit.c:[[#@LINE+1]] in main
  if (rank == 0) MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
    MPI_Recv(&number, 1, MPI_FLOAT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else if (rank == 1) MPI_Send(data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  else MPI_Send(&number, 1, MPI_FLOAT, 0, 1, MPI_COMM_WORLD);
  // CHECK: the other message: 1 MPI_FLOAT; the receive: 1 MPI_INT

  MPI_Barrier(MPI_COMM_WORLD);
  // CHECK: WARNING [message.race] a wildcard receive takes whichever of several messages comes first, and one of them would be truncated
  // CHECK-NEXT: MPI_Irecv by rank 0 {{.*}}message-race-fit.c:[[#@LINE+2]] in main
  if (rank == 0) {
    MPI_Irecv(data, 1, pair, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &request);
    MPI_Recv(more, 4, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else MPI_Send(data, rank == 1 ? 4 : 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
  // CHECK: the other message: 4 MPI_INT; the receive: 1 of a datatype made by MPI_Type_{{.*}} at message-race-fit.c:

  MPI_Barrier(MPI_COMM_WORLD);
  // CHECK: WARNING [message.race] a wildcard receive takes whichever of several messages comes first, and one of them would be truncated
  // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}message-race-fit.c:[[#@LINE+2]] in main
  if (rank == 0) {
    MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(data, 2, MPI_INT, 2, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) MPI_Send(data, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
  else MPI_Send(data, 2, MPI_INT, 0, 4, MPI_COMM_WORLD);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 4 warnings, 0 notes
