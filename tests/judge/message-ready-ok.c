// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each ready send knows that its receive is posted: by a barrier, by a message, by a chain of messages over a third rank, by a synchronous send that
// has been received, by a reduction to the sender, by a broadcast from the receiver, by a message that a probe or MPI_Request_get_status has seen.
// CHECK: no errors found
#include <mpi.h>

static int rank, x = 1, y, z;
static MPI_Request request;
static void post(void) { MPI_Irecv(&z, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); }
static void token(int from, int to) {
  if (rank == from) MPI_Send(&x, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
  if (rank == to) MPI_Recv(&y, 1, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
// Rank 1 tells rank 0, which looks without receiving.
static void seen(int is_probed) {
  MPI_Request look;
  int is_there = 0;
  if (rank == 1) MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  if (rank != 0) return;
  if (!is_probed) MPI_Irecv(&y, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &look);
  while (!is_there)
    if (is_probed) MPI_Iprobe(1, 1, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    else MPI_Request_get_status(look, &is_there, MPI_STATUS_IGNORE);
  MPI_Rsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (is_probed) MPI_Recv(&y, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else MPI_Wait(&look, MPI_STATUS_IGNORE);
}
static void ready(void) {
  if (rank == 0) MPI_Rsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Request persistent;
  int sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 2; i++) {
    if (rank == 1) post();
    MPI_Barrier(MPI_COMM_WORLD);
    ready();
    if (rank == 1) post();
    token(1, 0);
    ready();
    if (rank == 1) post();
    token(1, 2), token(2, 0);
    ready();
    if (rank == 0) MPI_Ssend(&x, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    if (rank == 1) post(), MPI_Recv(&y, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    ready();
    if (rank == 1) post();
    MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    ready();
    if (rank == 1) post();
    MPI_Bcast(&sum, 1, MPI_INT, 1, MPI_COMM_WORLD);
    ready();
    if (rank == 1) post();
    seen(i);
    if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&x, 1, MPI_INT, rank ^ (rank < 2), 3, &y, 1, MPI_INT, rank ^ (rank < 2), 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 1) post();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Rsend_init(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &persistent);
    MPI_Start(&persistent);
    MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    MPI_Request_free(&persistent);
  }
  if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 2) MPI_Irecv(&y, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request), MPI_Rsend(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD), MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
