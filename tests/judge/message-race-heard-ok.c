// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun-check --check-options clocks=lamport -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun-check --check-options clocks=online -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rank 2 sends only when it has seen the message that rank 0 sends behind its wildcard receive: by a probe that names it, or by
// MPI_Request_get_status (MPI-3.1 3.8.1, 3.7.6). So its own cannot come there.
#include <mpi.h>

static int rank, x;
static void send(int to, int tag) { MPI_Send(&x, 1, MPI_INT, to, tag, MPI_COMM_WORLD); }
static void receive(int from, int tag) { MPI_Recv(&x, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

int main(int argc, char **argv) {
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int way = 0; way < 3; way++) {
    int is_there = 0;
    if (rank == 1) send(0, 1);
    if (rank == 0) {
      receive(MPI_ANY_SOURCE, 1);
      send(2, 2);
      receive(2, 1);
    }
    if (rank == 2) {
      int source = way == 1 ? 0 : MPI_ANY_SOURCE;
      if (way) MPI_Irecv(&x, 1, MPI_INT, source, 2, MPI_COMM_WORLD, &request);
      while (!is_there)
        if (way) MPI_Request_get_status(request, &is_there, MPI_STATUS_IGNORE);
        else MPI_Iprobe(0, 2, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
      MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
      if (way) MPI_Wait(&request, MPI_STATUS_IGNORE);
      else receive(0, 2);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== no errors found
