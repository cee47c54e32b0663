// RUN: %mpicc-check %s -o %t && rm -f %t.order && %mpirun-check -n 4 %t %t.order 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that are right whichever message comes first, because they look at what came, or because nothing depends on
// it: notes only.
#include <mpi.h>
#include "Inputs/hidden-order.h"

#define W MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
static int rank, x, y, z, step;
static MPI_Status status;
static void give(int to, int tag) { MPI_Send(&rank, 1, MPI_INT, to, tag, W); }
static int any(int tag, MPI_Status *s) {
  int from = -1;
  MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, tag, W, s);
  return from;
}
static void take(int from, int tag) { MPI_Recv(&x, 1, MPI_INT, from, tag, W, IGNORE); }
static void first(int who) { if (rank && rank < 3 && rank != who) hidden_wait(step); }
static void next(void) { MPI_Barrier(W), step++; }

static void other(void) {  // receives from the other one
  first(2);
  if (rank == 0) any(1, &status), hidden_done(step), take(3 - status.MPI_SOURCE, 1);
  else if (rank < 3) give(0, 1);
  next();
}
static void other_pending(void) {
  MPI_Request request;
  first(2);
  if (rank == 0) {
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 2, W, &request);
    MPI_Wait(&request, &status), hidden_done(step);
    MPI_Recv(&y, 1, MPI_INT, 3 - status.MPI_SOURCE, 2, W, IGNORE);
  } else if (rank < 3) give(0, 2);
  next();
}
static void data(void) {  // the data say who it was
  for (int i = 0; i < 2 && rank == 0; i++) {
    int who = any(3, IGNORE);
    if (!i) hidden_done(step);
    take(who, 3);
  }
  if (rank == 1) hidden_wait(step);
  if (rank == 1 || rank == 2) give(0, 3), give(0, 3);
  next();
}
static void answered(void) {  // the second message is sent when the first one was answered
  if (rank == 0)
    for (int i = 1; i < 4; i++) {
      int who = any(4, IGNORE);
      give(who, 5), take(who, 4);
    }
  else give(0, 4), take(0, 5), give(0, 4);
  next();
}
static void counted(void) {  // all from any source
  for (int i = 0; i < 6 && rank == 0; i++) any(6, IGNORE);
  if (rank) give(0, 6), give(0, 6);
  next();
}
static void barrier(void) {  // what a barrier orders cannot come earlier
  if (rank == 0) any(7, IGNORE);
  if (rank == 2) give(0, 7);
  MPI_Barrier(W);
  if (rank == 1) give(0, 7);
  if (rank == 0) take(1, 7);
  next();
}
static void tags(void) {
  first(2);
  if (rank == 0) any(8, IGNORE), hidden_done(step), take(1, 9);
  else if (rank < 3) give(0, rank == 1 ? 9 : 8);
  next();
}
static void probed(void) {
  for (int i = 1; i < 4 && rank == 0; i++) {
    MPI_Probe(MPI_ANY_SOURCE, 10, W, &status);
    take(status.MPI_SOURCE, 10), take(status.MPI_SOURCE, 10);
  }
  if (rank) give(0, 10), give(0, 10);
  next();
}
static void polled(void) {
  for (int n = 0; n < 3 && rank == 0;) {
    int flag = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, W, &flag, &status);
    if (flag) take(status.MPI_SOURCE, status.MPI_TAG), n++;
  }
  if (rank) give(0, 10 + rank);
  MPI_Barrier(W);
  next();
}
static void workers(void) {  // a master with nonblocking receives
  MPI_Request requests[3];
  int from[3], left = 12, index;
  if (rank == 0) {
    for (int i = 0; i < 3; i++) MPI_Irecv(&from[i], 1, MPI_INT, MPI_ANY_SOURCE, 14, W, &requests[i]);
    for (int open = 3; open; left--) {
      MPI_Waitany(3, requests, &index, &status);
      int more = left > 3;
      MPI_Send(&more, 1, MPI_INT, status.MPI_SOURCE, 15, W);
      if (more) MPI_Irecv(&from[index], 1, MPI_INT, MPI_ANY_SOURCE, 14, W, &requests[index]);
      else open--, MPI_Recv(&z, 1, MPI_INT, status.MPI_SOURCE, 16, W, IGNORE);
    }
  } else {
    for (int more = 1; more;) {
      give(0, 14);
      MPI_Recv(&more, 1, MPI_INT, 0, 15, W, IGNORE);
    }
    give(0, 16);
  }
  next();
}
static void dispatch(void) {  // what is done depends on the tag
  int open = 3;
  while (rank == 0 && open) {
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, W, &status);
    if (status.MPI_TAG == 17) give(status.MPI_SOURCE, 18), take(status.MPI_SOURCE, 17);
    else open--;
  }
  if (rank) give(0, 17), take(0, 18), give(0, 17), give(0, 19);
  next();
}
static void synchronous(void) {
  for (int i = 1; i < 4 && rank == 0; i++) any(20, IGNORE);
  if (rank) MPI_Ssend(&x, 1, MPI_INT, 0, 20, W);
  next();
}
static void comms(void) {  // the copy of a communicator has messages of its own
  MPI_Comm copy;
  MPI_Comm_dup(W, &copy);
  first(2);
  if (rank == 0) any(21, IGNORE), hidden_done(step), MPI_Recv(&x, 1, MPI_INT, 1, 21, copy, IGNORE);
  else if (rank == 1) MPI_Send(&x, 1, MPI_INT, 0, 21, copy);
  else if (rank == 2) give(0, 21);
  MPI_Comm_free(&copy);
  next();
}
static void token(void) {
  if (rank == 0) give(1, 22), any(22, IGNORE);
  else any(22, IGNORE), give((rank + 1) % 4, 22);
  next();
}
static void nobody(void) {
  if (rank == 0) MPI_Recv(&x, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, W, IGNORE);
  if (rank == 0) any(23, IGNORE), take(MPI_PROC_NULL, 23);
  if (rank == 1) give(0, 23);
  next();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  hidden_open(argv[1]);
  MPI_Comm_rank(W, &rank);
  other(), other_pending(), data(), answered(), counted(), barrier(), tags(), probed(), polled(), workers();
  dispatch(), synchronous(), comms(), token(), nobody();
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 0 warnings, {{[0-9]+}} notes
