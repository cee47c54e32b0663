// RUN: %mpicc-check -O0 %s -o %t && rm -f %t.order && %mpirun-check -n 4 %t %t.order 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// RUN: %mpicc-check -O2 %s -o %t && rm -f %t.order && %mpirun-check -n 4 %t %t.order 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same calls with programs that look at the status, and are right whichever message comes first.
#include <mpi.h>
#include <string.h>
#include "Inputs/hidden-order.h"

#define W MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
static int rank, x, step, values[8];
static MPI_Status shared;
static void give(int to, int tag) { MPI_Send(&rank, 1, MPI_INT, to, tag, W); }
static void first(int who) { if (rank && rank < 3 && rank != who) hidden_wait(step); }
static void next(void) { MPI_Barrier(W), step++; }

static void looked(void) {
  MPI_Status status;
  first(2);
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, W, &status), hidden_done(step);
    MPI_Recv(&x, 1, MPI_INT, status.MPI_SOURCE == 1 ? 2 : 1, 1, W, IGNORE);
  } else if (rank < 3) give(0, 1);
  next();
}
static void copied(void) {
  MPI_Status status, copy;
  first(2);
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 2, W, &status), hidden_done(step);
    copy = status;
    MPI_Recv(&x, 1, MPI_INT, 3 - copy.MPI_SOURCE, 2, W, IGNORE);
  } else if (rank < 3) give(0, 2);
  next();
}
// The sizes tell the senders apart.
static void size(void) {
  MPI_Status status;
  int n = 0;
  first(2);
  if (rank == 0) {
    MPI_Recv(values, 2, MPI_INT, MPI_ANY_SOURCE, 3, W, &status), hidden_done(step);
    MPI_Get_count(&status, MPI_INT, &n);
    MPI_Recv(values, 2, MPI_INT, 3 - n, 3, W, IGNORE);
  } else if (rank < 3) MPI_Send(values, rank, MPI_INT, 0, 3, W);
  next();
}
__attribute__((noinline)) static int other(const MPI_Status *status) { return 3 - status->MPI_SOURCE; }
static void called(void) {
  MPI_Status status;
  first(2);
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 4, W, &status), hidden_done(step);
    MPI_Recv(&x, 1, MPI_INT, other(&status), 4, W, IGNORE);
  } else if (rank < 3) give(0, 4);
  next();
}
static void completed(void) {
  MPI_Request request;
  MPI_Status statuses[2], *last = &statuses[1];
  first(2);
  if (rank == 0) {
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 5, W, &request);
    MPI_Wait(&request, last), hidden_done(step);
    MPI_Recv(&x, 1, MPI_INT, 3 - statuses[1].MPI_SOURCE, 5, W, IGNORE);
  } else if (rank < 3) give(0, 5);
  next();
}
// A status of the module, which another function reads.
static int last(void) { return shared.MPI_SOURCE; }
static void global(void) {
  first(2);
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 6, W, &shared), hidden_done(step);
    MPI_Recv(&x, 1, MPI_INT, 3 - last(), 6, W, IGNORE);
  } else if (rank < 3) give(0, 6);
  next();
}
// The source goes to the receive, and is asked for once more.
static void probed(void) {
  MPI_Status status;
  first(2);
  if (rank == 0) {
    MPI_Probe(MPI_ANY_SOURCE, 7, W, &status);
    MPI_Recv(&x, 1, MPI_INT, status.MPI_SOURCE, 7, W, IGNORE), hidden_done(step);
    MPI_Recv(&x, 1, MPI_INT, 3 - status.MPI_SOURCE, 7, W, IGNORE);
  } else if (rank < 3) give(0, 7);
  next();
}
// The status of the receive behind it has the source, too.
static void received(void) {
  MPI_Status status, second;
  first(2);
  if (rank == 0) {
    MPI_Probe(MPI_ANY_SOURCE, 8, W, &status);
    MPI_Recv(&x, 1, MPI_INT, status.MPI_SOURCE, 8, W, &second), hidden_done(step);
    MPI_Recv(&x, 1, MPI_INT, 3 - second.MPI_SOURCE, 8, W, IGNORE);
  } else if (rank < 3) give(0, 8);
  next();
}
// A receive that happens to name the rank that was found.
static void named(void) {
  MPI_Status status;
  int flag = 0;
  first(1);
  if (rank == 0) {
    MPI_Probe(MPI_ANY_SOURCE, 9, W, &status);
    MPI_Recv(&x, 1, MPI_INT, 1, 9, W, IGNORE), hidden_done(step);
    MPI_Recv(&x, 1, MPI_INT, 2, 9, W, IGNORE);
    if (flag) MPI_Recv(&x, 1, MPI_INT, status.MPI_SOURCE, 9, W, IGNORE);
  } else if (rank < 3) give(0, 9);
  next();
}
static void matched(void) {
  MPI_Message message;
  MPI_Status status;
  first(2);
  if (rank == 0) {
    MPI_Mprobe(MPI_ANY_SOURCE, 10, W, &message, IGNORE);
    MPI_Mrecv(&x, 1, MPI_INT, &message, &status), hidden_done(step);
    MPI_Recv(&x, 1, MPI_INT, 3 - status.MPI_SOURCE, 10, W, IGNORE);
  } else if (rank < 3) give(0, 10);
  next();
}
// It is asked for before it is complete.
static void asked(void) {
  MPI_Request request;
  MPI_Status status;
  int flag = 0;
  first(2);
  if (rank == 0) {
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 11, W, &request);
    while (!flag) MPI_Request_get_status(request, &flag, &status);
    MPI_Wait(&request, IGNORE), hidden_done(step);
    MPI_Recv(&x, 1, MPI_INT, 3 - status.MPI_SOURCE, 11, W, IGNORE);
  } else if (rank < 3) give(0, 11);
  next();
}
// A loop: the status of the last turn is read in this one.
static void turns(void) {
  MPI_Status status;
  first(2);
  for (int i = 0; i < 2 && rank == 0; i++) {
    MPI_Recv(&x, 1, MPI_INT, i ? 3 - status.MPI_SOURCE : MPI_ANY_SOURCE, 12, W, &status);
    if (!i) hidden_done(step);
  }
  if (rank == 1 || rank == 2) give(0, 12);
  next();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  hidden_open(argv[1]);
  MPI_Comm_rank(W, &rank);
  looked(), copied(), size(), called(), completed(), global(), probed(), received(), named(), matched(), asked(), turns();
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 0 warnings, {{[0-9]+}} notes
