// RUN: %mpicc-check %s -o %t && %mpirun-check -n 3 %t > %t.out 2>&1 && FileCheck %s < %t.out
// CHECK: ==mpicc-check== no errors found
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Like collective-synchronizes.c, but right whether collectives synchronize or not (MPI-3.1 5.14).
#include <mpi.h>

static int rank, x[3], y[3];
static MPI_Comm pair; // of ranks 0 and 1

static void send(int to, int tag) { MPI_Ssend(x, 1, MPI_INT, to, tag, MPI_COMM_WORLD); }
static void receive(int from, int tag) { MPI_Recv(y, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

static void behind(void) {
  MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) send(1, 1);
  if (rank == 1) receive(0, 1);
}

static void before(void) {
  if (rank == 0) receive(2, 2);
  if (rank == 2) send(0, 2);
  MPI_Gather(x, 1, MPI_INT, y, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

// The message is taken while the others are in the collective.
static void around(void) {
  MPI_Request request;
  if (rank == 2) MPI_Irecv(y, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
  MPI_Scan(x, y + 1, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) send(2, 3);
  if (rank == 2) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// A nonblocking collective is there before it is complete (5.12).
static void nonblocking(void) {
  MPI_Request request;
  if (rank == 1) receive(0, 4);
  MPI_Ibcast(x, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
  if (rank == 0) send(1, 4);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void order(void) {
  if (rank < 2) MPI_Barrier(pair);
  MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Reduce(x, y, 1, MPI_INT, MPI_SUM, 2, MPI_COMM_WORLD);
  if (rank < 2) MPI_Bcast(x, 1, MPI_INT, 1, pair);
}

// It is collective, and no library makes it wait.
static void freed(void) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (rank == 1) receive(0, 5);
  MPI_Comm_free(&copy);
  if (rank == 0) send(1, 5);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, 0, &pair);
  behind();
  before();
  around();
  nonblocking();
  order();
  freed();
  if (rank < 2) MPI_Comm_free(&pair);
  MPI_Finalize();
  return 0;
}
