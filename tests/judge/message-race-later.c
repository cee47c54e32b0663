// RUN: %mpicc-check %s -o %t && rm -f %t.order && %mpirun-check -n 3 %t %t.order 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// RUN: rm -f %t.order && %mpirun-check --check-options predict=0 -n 3 %t %t.order held 2>&1 | \
// RUN:   FileCheck %s --check-prefix=HELD --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The other message fits a wildcard receive. The one that it leaves does not fit the later receive that gets it then.
#include <mpi.h>
#include <stdio.h>
#include "Inputs/hidden-order.h"

// CHECK: WARNING [deadlock.alternative]
// CHECK: called from message-race-later.c:[[#NAMED:]] in named
#define W MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
static int rank, step, data[4], more[4];
static float number;
// The messages of rank 1 come first.
static void give(int n1, int n2, int tag) {
  if (rank == 1) MPI_Ssend(data, n1, MPI_INT, 0, tag, W), hidden_done(step);
  if (rank == 2) hidden_wait(step), MPI_Send(data, n2, MPI_INT, 0, tag, W);
}
static void next(void) { MPI_Barrier(W), step++; }
static void take(int n, int tag) { MPI_Recv(data, n, MPI_INT, MPI_ANY_SOURCE, tag, W, IGNORE); }

// CHECK: WARNING [message.race] a wildcard receive takes whichever {{.*}} and a later receive would be truncated
static void smaller(void) {
  if (!rank) {
    // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}message-race-later.c:[[#@LINE+1]] in smaller
    MPI_Recv(data, 4, MPI_INT, MPI_ANY_SOURCE, 0, W, IGNORE);
    // CHECK: later: MPI_Recv by rank 0 {{.*}}message-race-later.c:[[#@LINE+1]] in smaller
    MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, 0, W, IGNORE);
  }
  // CHECK: if all ranks go on as in this run, the later receive gets a message of rank 1: 4 MPI_INT;
  // CHECK-SAME: the receive: 1 MPI_INT
  // CHECK: help: name the source or the tag, or make room for every message that may come;
  // CHECK-SAME: to see it: mpirun-check --take 0:1=2:0
  give(4, 1, 0);
  next();
}
// The second message of rank 1 is the one that is left over: of one sender the order stays.
// CHECK: WARNING [message.race] {{.*}} a later receive would be truncated
static void shifted(void) {
  if (!rank) {
    // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}message-race-later.c:[[#@LINE+1]] in shifted
    MPI_Recv(data, 4, MPI_INT, MPI_ANY_SOURCE, 1, W, IGNORE);
    MPI_Recv(data, 4, MPI_INT, MPI_ANY_SOURCE, 1, W, IGNORE); // this one leaves it, too
    // CHECK: later: MPI_Recv by rank 0 {{.*}}message-race-later.c:[[#@LINE+1]] in shifted
    MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, 1, W, IGNORE);
  }
  // CHECK: the later receive gets a message of rank 1: 3 MPI_INT; the receive: 1 MPI_INT
  // CHECK: WARNING [message.race] {{.*}} a later receive would be truncated
  // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}message-race-later.c:[[#@LINE-6]] in shifted
  if (rank == 1) MPI_Send(data, 2, MPI_INT, 0, 1, W);
  give(3, 1, 1);
  next();
}
// CHECK: WARNING [message.race] {{.*}} and a later receive would get another type than its own
static void typed(void) {
  if (!rank) {
    // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}message-race-later.c:[[#@LINE+1]] in typed
    MPI_Recv(data, 16, MPI_PACKED, MPI_ANY_SOURCE, 2, W, IGNORE);
    // CHECK: later: MPI_Recv by rank 0 {{.*}}message-race-later.c:[[#@LINE+1]] in typed
    MPI_Recv(&number, 1, MPI_FLOAT, MPI_ANY_SOURCE, 2, W, IGNORE);
  } else if (rank == 1) MPI_Ssend(data, 1, MPI_INT, 0, 2, W), hidden_done(step);
  else hidden_wait(step), MPI_Send(&number, 1, MPI_FLOAT, 0, 2, W);
  next();
}
// Both receives are posted before anything is known of either.
// CHECK: WARNING [message.race] {{.*}} a later receive would be truncated
static void pending(void) {
  MPI_Request r[2];
  MPI_Status s[2];
  if (!rank) {
    // CHECK-NEXT: MPI_Irecv by rank 0 {{.*}}message-race-later.c:[[#@LINE+1]] in pending
    MPI_Irecv(data, 4, MPI_INT, MPI_ANY_SOURCE, 3, W, &r[0]);
    // CHECK: later: MPI_Irecv by rank 0 {{.*}}message-race-later.c:[[#@LINE+1]] in pending
    MPI_Irecv(more, 1, MPI_INT, MPI_ANY_SOURCE, 3, W, &r[1]);
    MPI_Waitall(2, r, s);
    if (s[0].MPI_SOURCE == 7) puts("never");
  }
  give(3, 1, 3);
  next();
}
// Right: room for all; the status says who it was; the next receive names the sender, or a send does.
static void fits(void) {
  if (!rank) take(4, 4), take(4, 4);
  give(4, 1, 4);
  next();
}
static void told(void) {
  MPI_Status s;
  if (!rank) {
    MPI_Recv(data, 4, MPI_INT, MPI_ANY_SOURCE, 5, W, &s);
    MPI_Recv(data, s.MPI_SOURCE == 1 ? 1 : 4, MPI_INT, MPI_ANY_SOURCE, 5, W, IGNORE);
  }
  give(4, 1, 5);
  next();
}
static void answered(void) {
  if (!rank) {
    take(4, 6);
    MPI_Send(data, 1, MPI_INT, 1, 7, W); // the data may have said that it was rank 1
    take(1, 6);
  }
  give(4, 1, 6);
  if (rank == 1) MPI_Recv(data, 1, MPI_INT, 0, 7, W, IGNORE);
  next();
}
// The synchronous sender would wait for the later receive, and no rank would come out of the barrier. So nothing is
// truncated: it is a deadlock, and without predictions of deadlocks nothing is said but that the order is open.
// HELD: NOTE [message.race] {{.*}} their sizes differ
// HELD: 0 errors, 0 warnings, 1 note
static void held(void) {
  if (!rank) MPI_Recv(data, 4, MPI_INT, MPI_ANY_SOURCE, 9, W, IGNORE);
  if (rank == 1) MPI_Ssend(data, 4, MPI_INT, 0, 9, W), hidden_done(step);
  if (rank == 2) hidden_wait(step), MPI_Send(data, 1, MPI_INT, 0, 9, W);
  MPI_Barrier(W);
  if (!rank) MPI_Recv(more, 1, MPI_INT, MPI_ANY_SOURCE, 9, W, IGNORE);
  next();
}
// The receive that got the other message names its sender: that one would wait, and none behind it is reached.
static void named(void) {
  if (!rank) {
    take(4, 8);
    MPI_Recv(data, 1, MPI_INT, 2, 8, W, IGNORE);
    take(1, 8);
  }
  give(4, 1, 8);
  if (rank == 1) MPI_Send(data, 1, MPI_INT, 0, 8, W);
  next();
}
// One place twice: what the first one leaves is larger and fits, what the second one leaves does not.
// CHECK: WARNING [message.race] {{.*}} a later receive would be truncated
static void twice(void) {
  for (int i = 0; i < 2; i++) {
    if (!rank) {
      // CHECK-NEXT: on rank 0, 2 times
      // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}message-race-later.c:[[#@LINE+1]] in twice
      MPI_Recv(data, 4, MPI_INT, MPI_ANY_SOURCE, 10, W, IGNORE);
      // CHECK: later: MPI_Recv by rank 0 {{.*}}message-race-later.c:[[#@LINE+1]] in twice
      MPI_Recv(more, i ? 1 : 4, MPI_INT, MPI_ANY_SOURCE, 10, W, IGNORE);
    }
    // CHECK: the later receive gets a message of rank 1: 3 MPI_INT; the receive: 1 MPI_INT
    give(i ? 3 : 4, 1, 10);
    next();
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(W, &rank);
  hidden_open(argv[1]);
  if (argc > 2) held();
  else smaller(), shifted(), typed(), pending(), fits(), told(), answered(), named(), twice();
  MPI_Finalize();
  return 0;
}
