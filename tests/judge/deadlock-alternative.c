// RUN: %mpicc-check %s -o %t && rm -f %t.order && %mpirun-check -n 4 %t %t.order 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run that ends well, and that deadlocks at each of these places if another message comes first.
#include <mpi.h>
#include "Inputs/hidden-order.h"

#define W MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
static int rank, x, y, z, step;
static void give(int to, int tag) { MPI_Send(&rank, 1, MPI_INT, to, tag, W); }
// The message of rank `first` comes first to rank 0, those of the others when it has been received.
static void first(int who) { if (rank && rank < 3 && rank != who) hidden_wait(step); }
static void next(void) { MPI_Barrier(W), step++; }

// CHECK: WARNING [deadlock.alternative] the program deadlocks if another message comes to a wildcard receive, and all ranks go on as in this run
static void classic(void) {
  first(2);
  if (rank == 0) {
    // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative.c:[[#@LINE+3]] in classic
    // CHECK: got: MPI_Send from rank 2
    // CHECK: could have got: MPI_Send from rank 1
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, W, IGNORE), hidden_done(step);
    // CHECK: rank 0 would wait for ever in MPI_Recv(source 1, tag 1) at deadlock-alternative.c:[[#@LINE+1]]
    MPI_Recv(&x, 1, MPI_INT, 1, 1, W, IGNORE);
    // CHECK: help: make the program right whichever message comes first, or name the source or the tag; to prove it: mpirun-check --take 0:1=1:1
  } else if (rank < 3) give(0, 1);
  next();
}
// The status of a receive that is not complete tells nothing.
// CHECK: WARNING [deadlock.alternative]
static void pending(void) {
  MPI_Request request;
  MPI_Status status;
  first(3);
  if (rank == 0) {
    // CHECK-NEXT: MPI_Irecv by rank 0 {{.*}}deadlock-alternative.c:[[#@LINE+1]] in pending
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 2, W, &request);
    MPI_Probe(3, 3, W, IGNORE), MPI_Recv(&z, 1, MPI_INT, 3, 3, W, IGNORE), hidden_done(step);
    // CHECK: rank 0 would wait for ever in MPI_Recv(source 1, tag 2) at deadlock-alternative.c:[[#@LINE+1]]
    MPI_Recv(&y, 1, MPI_INT, 1, 2, W, IGNORE);
    MPI_Wait(&request, &status);
    if (status.MPI_SOURCE != 3) MPI_Abort(W, 4);
  } else if (rank == 1) give(0, 2);
  else if (rank == 3) give(0, 2), give(0, 3);
  next();
}
// As many receives from any source as ranks, and then one from each of them.
// CHECK: WARNING [deadlock.alternative]
static void counting(void) {
  for (int i = 1; i < 4 && rank == 0; i++) {
    // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative.c:[[#@LINE+1]] in counting
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 4, W, IGNORE);
    if (i == 3) hidden_done(step);
  }
  if (rank) give(0, 4), hidden_wait(step), give(0, 4);
  for (int i = 1; i < 4 && rank == 0; i++)
    // CHECK: rank 0 would wait for ever in MPI_Recv(source {{[123]}}, tag 4) at deadlock-alternative.c:[[#@LINE+1]]
    MPI_Recv(&x, 1, MPI_INT, i, 4, W, IGNORE);
  next();
}
// Any tag: the message of the other tag is taken.
// CHECK: WARNING [deadlock.alternative]
static void tags(void) {
  first(2);
  if (rank == 0) {
    // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative.c:[[#@LINE+1]] in tags
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, W, IGNORE), hidden_done(step);
    // CHECK: rank 0 would wait for ever in MPI_Recv(any source, tag 6) at deadlock-alternative.c:[[#@LINE+1]]
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 6, W, IGNORE);
  } else if (rank < 3) give(0, rank == 1 ? 6 : 5);
  next();
}
// Which of two synchronous sends ends decides who can go on.
// CHECK: WARNING [deadlock.alternative]
static void synchronous(void) {
  first(1);
  if (rank == 0) {
    // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative.c:[[#@LINE+1]] in synchronous
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 7, W, IGNORE), hidden_done(step);
    MPI_Recv(&x, 1, MPI_INT, 3, 8, W, IGNORE);
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 7, W, IGNORE);
    // CHECK: rank 0 would wait for ever in MPI_Recv(source 3, tag 8) at deadlock-alternative.c:[[#@LINE-2]]
    // CHECK-NEXT: rank 1 would wait for ever in MPI_Ssend(destination 0, tag 7) at deadlock-alternative.c:[[#@LINE+1]]
  } else if (rank < 3) MPI_Ssend(&x, 1, MPI_INT, 0, 7, W);
  if (rank == 1) give(3, 8);
  // CHECK: rank 3 would wait for ever in MPI_Recv(source 1, tag 8) at deadlock-alternative.c:[[#@LINE+1]]
  if (rank == 3) MPI_Recv(&x, 1, MPI_INT, 1, 8, W, IGNORE), give(0, 8);
  next();
}
// The rank that waits makes others wait.
// CHECK: WARNING [deadlock.alternative]
static void chain(void) {
  MPI_Request requests[2];
  first(2);
  if (rank == 0) {
    // CHECK-NEXT: MPI_Irecv by rank 0 {{.*}}deadlock-alternative.c:[[#@LINE+1]] in chain
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 9, W, &requests[0]);
    MPI_Recv(&z, 1, MPI_INT, 2, 10, W, IGNORE), hidden_done(step);
    MPI_Irecv(&y, 1, MPI_INT, 1, 9, W, &requests[1]);
    // CHECK: rank 0 would wait for ever in MPI_Waitall at deadlock-alternative.c:[[#@LINE+1]]
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    give(3, 11);
  } else if (rank == 1) give(0, 9);
  else if (rank == 2) give(0, 9), give(0, 10);
  // CHECK: rank 3 would wait for ever in MPI_Recv(source 0, tag 11) at deadlock-alternative.c:[[#@LINE+1]]
  if (rank == 3) MPI_Recv(&x, 1, MPI_INT, 0, 11, W, IGNORE);
  next();
}
// A persistent receive, started once.
// CHECK: WARNING [deadlock.alternative]
static void persistent(void) {
  MPI_Request request;
  first(2);
  if (rank == 0) {
    MPI_Recv_init(&x, 1, MPI_INT, MPI_ANY_SOURCE, 12, W, &request);
    MPI_Start(&request);
    MPI_Wait(&request, IGNORE), hidden_done(step);
    // CHECK: rank 0 would wait for ever in MPI_Recv(source 1, tag 12) at deadlock-alternative.c:[[#@LINE+1]]
    MPI_Recv(&x, 1, MPI_INT, 1, 12, W, IGNORE);
    MPI_Request_free(&request);
  } else if (rank < 3) give(0, 12);
  next();
}
// CHECK: WARNING [deadlock.alternative]
static void exchange(void) {
  first(2);
  if (rank == 0) {
    // CHECK-NEXT: MPI_Sendrecv by rank 0 {{.*}}deadlock-alternative.c:[[#@LINE+1]] in exchange
    MPI_Sendrecv(&z, 1, MPI_INT, 3, 13, &x, 1, MPI_INT, MPI_ANY_SOURCE, 14, W, IGNORE), hidden_done(step);
    // CHECK: rank 0 would wait for ever in MPI_Recv(source 1, tag 14) at deadlock-alternative.c:[[#@LINE+1]]
    MPI_Recv(&x, 1, MPI_INT, 1, 14, W, IGNORE);
  } else if (rank < 3) give(0, 14);
  else MPI_Recv(&x, 1, MPI_INT, 0, 13, W, IGNORE);
  next();
}
// Ranks of the remote group of an intercommunicator.
// CHECK: WARNING [deadlock.alternative]
static void inter(void) {
  MPI_Comm half, inter;
  MPI_Comm_split(W, rank < 1, rank, &half);
  MPI_Intercomm_create(half, 0, W, rank < 1 ? 1 : 0, 15, &inter);
  if (rank == 2) hidden_wait(step);
  if (rank == 0) {
    // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative.c:[[#@LINE+1]] in inter
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 16, inter, IGNORE), hidden_done(step);
    // CHECK: rank 0 would wait for ever in MPI_Recv(source 1, tag 16) at deadlock-alternative.c:[[#@LINE+1]]
    MPI_Recv(&x, 1, MPI_INT, 1, 16, inter, IGNORE);
  } else if (rank > 1) MPI_Send(&x, 1, MPI_INT, 0, 16, inter);
  MPI_Comm_free(&inter), MPI_Comm_free(&half);
  next();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  hidden_open(argv[1]);
  MPI_Comm_rank(W, &rank);
  classic(), pending(), counting(), tags(), synchronous(), chain(), persistent(), exchange(), inter();
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 9 warnings
