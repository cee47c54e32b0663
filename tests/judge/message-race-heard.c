// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 2 has sent before it looks: what the probe and MPI_Request_get_status tell it comes too late, and its message may be first.
// CHECK: ==mpicc-check== NOTE [message.race]
// CHECK-SAME: a wildcard receive takes whichever of several messages comes first
#include <mpi.h>

static int rank, x;
static void send(int to, int tag) { MPI_Send(&x, 1, MPI_INT, to, tag, MPI_COMM_WORLD); }
static void receive(int from, int tag) { MPI_Recv(&x, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

int main(int argc, char **argv) {
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int way = 0; way < 2; way++) {
    int is_there = 0;
    if (rank == 1) send(0, 1);
    if (rank == 0) {
      // CHECK: MPI_Recv by rank 0 {{.*}}message-race-heard.c:[[#@LINE+1]] in main
      MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      send(2, 2);
      MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 2) {
      if (way) MPI_Irecv(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
      MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
      while (!is_there)
        if (way) MPI_Request_get_status(request, &is_there, MPI_STATUS_IGNORE);
        else MPI_Iprobe(0, 2, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
      if (way) MPI_Wait(&request, MPI_STATUS_IGNORE);
      else receive(0, 2);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: 2 of 2 receives here could have got another message
// CHECK: ==mpicc-check== 0 errors, 0 warnings, 1 note
