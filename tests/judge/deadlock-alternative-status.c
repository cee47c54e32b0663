// RUN: %mpicc-check -O0 %s -o %t && rm -f %t.order && %mpirun-check -n 4 %t %t.order 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// RUN: %mpicc-check -O2 %s -o %t && rm -f %t.order && %mpirun-check -n 4 %t %t.order 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program gives a status and does not look at what another message changes. So it goes on as in this run, and
// deadlocks at each of these places if another message comes first.
#include <mpi.h>
#include "Inputs/hidden-order.h"

#define W MPI_COMM_WORLD
#define IGNORE MPI_STATUS_IGNORE
static int rank, x, step, values[8];
static void give(int to, int tag) { MPI_Send(&rank, 1, MPI_INT, to, tag, W); }
// The message of rank `first` comes first to rank 0, those of the others when it has been received.
static void first(int who) { if (rank && rank < 3 && rank != who) hidden_wait(step); }
static void next(void) { MPI_Barrier(W), step++; }

// CHECK: WARNING [deadlock.alternative] the program deadlocks if another message comes to a wildcard receive, and all ranks go on as in this run
static void unread(void) {
  MPI_Status status;
  first(2);
  if (rank == 0) {
    // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative-status.c:[[#@LINE+1]] in unread
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, W, &status), hidden_done(step);
    // CHECK: rank 0 would wait for ever in MPI_Recv(source 1, tag 1) at deadlock-alternative-status.c:[[#@LINE+1]]
    MPI_Recv(&x, 1, MPI_INT, 1, 1, W, &status);
  } else if (rank < 3) give(0, 1);
  next();
}
// Only whether it went well.
// CHECK: WARNING [deadlock.alternative]
static void error(void) {
  MPI_Status status = {0};
  first(2);
  if (rank == 0) {
    // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative-status.c:[[#@LINE+1]] in error
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 2, W, &status), hidden_done(step);
    if (status.MPI_ERROR != MPI_SUCCESS) MPI_Abort(W, 3);
    MPI_Recv(&x, 1, MPI_INT, 1, 2, W, IGNORE);
  } else if (rank < 3) give(0, 2);
  next();
}
// The size, which is the same for both messages.
// CHECK: WARNING [deadlock.alternative]
static void size(void) {
  MPI_Status status;
  int n = 0;
  first(2);
  if (rank == 0) {
    // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative-status.c:[[#@LINE+1]] in size
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 3, W, &status), hidden_done(step);
    MPI_Get_count(&status, MPI_INT, &n);
    if (n == 1) MPI_Recv(&x, 1, MPI_INT, 1, 3, W, IGNORE);
  } else if (rank < 3) give(0, 3);
  next();
}
// One variable: what is read is the status of the second receive.
// CHECK: WARNING [deadlock.alternative]
static void again(void) {
  MPI_Status status;
  first(2);
  if (rank == 0) {
    // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative-status.c:[[#@LINE+1]] in again
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 4, W, &status), hidden_done(step);
    MPI_Recv(&x, 1, MPI_INT, 1, 4, W, &status);
    if (status.MPI_SOURCE != 1) MPI_Abort(W, 4);
  } else if (rank < 3) give(0, 4);
  next();
}
// The status of the completion.
// CHECK: WARNING [deadlock.alternative]
static void completed(void) {
  MPI_Request request;
  MPI_Status statuses[1];
  first(2);
  if (rank == 0) {
    // CHECK-NEXT: MPI_Irecv by rank 0 {{.*}}deadlock-alternative-status.c:[[#@LINE+1]] in completed
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 5, W, &request);
    MPI_Waitall(1, &request, statuses), hidden_done(step);
    MPI_Recv(&x, 1, MPI_INT, 1, 5, W, IGNORE);
  } else if (rank < 3) give(0, 5);
  next();
}
// A probe whose source goes to the receive. Its name stands in a variable.
// CHECK: WARNING [deadlock.alternative]
static void probed(void) {
  MPI_Status status;
  first(2);
  if (rank == 0) {
    int n, from;
    // CHECK-NEXT: MPI_Probe by rank 0 {{.*}}deadlock-alternative-status.c:[[#@LINE+1]] in probed
    MPI_Probe(MPI_ANY_SOURCE, 6, W, &status);
    from = status.MPI_SOURCE;
    MPI_Get_count(&status, MPI_INT, &n);
    MPI_Recv(&x, n, MPI_INT, from, 6, W, IGNORE), hidden_done(step);
    // CHECK: rank 0 would wait for ever in MPI_Recv(source 1, tag 6) at deadlock-alternative-status.c:[[#@LINE+1]]
    MPI_Recv(&x, 1, MPI_INT, 1, 6, W, IGNORE);
  } else if (rank < 3) give(0, 6);
  next();
}
// Any tag, and a loop of MPI_Iprobe.
// CHECK: WARNING [deadlock.alternative]
static void polled(void) {
  MPI_Status status;
  int flag = 0;
  first(2);
  if (rank == 0) {
    // CHECK-NEXT: MPI_Iprobe by rank 0 {{.*}}deadlock-alternative-status.c:[[#@LINE+1]] in polled
    while (!flag) MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, W, &flag, &status);
    MPI_Recv(&x, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, W, &status), hidden_done(step);
    // CHECK: rank 0 would wait for ever in MPI_Recv(source 1, tag 7) at deadlock-alternative-status.c:[[#@LINE+1]]
    MPI_Recv(&x, 1, MPI_INT, 1, 7, W, IGNORE);
  } else if (rank < 3) give(0, rank == 1 ? 7 : 8);
  next();
}
// A matched probe.
// CHECK: WARNING [deadlock.alternative]
static void matched(void) {
  MPI_Message message;
  MPI_Status status;
  first(2);
  if (rank == 0) {
    // CHECK-NEXT: MPI_Mprobe by rank 0 {{.*}}deadlock-alternative-status.c:[[#@LINE+1]] in matched
    MPI_Mprobe(MPI_ANY_SOURCE, 9, W, &message, &status);
    MPI_Mrecv(&x, 1, MPI_INT, &message, IGNORE), hidden_done(step);
    // CHECK: rank 0 would wait for ever in MPI_Recv(source 1, tag 9) at deadlock-alternative-status.c:[[#@LINE+1]]
    MPI_Recv(&x, 1, MPI_INT, 1, 9, W, IGNORE);
  } else if (rank < 3) give(0, 9);
  next();
}
// The statuses of both are ignored.
// CHECK: WARNING [deadlock.alternative]
static void ignored(void) {
  MPI_Message message;
  int flag = 0;
  first(2);
  if (rank == 0) {
    // CHECK-NEXT: MPI_Improbe by rank 0 {{.*}}deadlock-alternative-status.c:[[#@LINE+1]] in ignored
    while (!flag) MPI_Improbe(MPI_ANY_SOURCE, 10, W, &flag, &message, IGNORE);
    MPI_Mrecv(&x, 1, MPI_INT, &message, IGNORE), hidden_done(step);
    // CHECK: rank 0 would wait for ever in MPI_Recv(source 1, tag 10) at deadlock-alternative-status.c:[[#@LINE+1]]
    MPI_Recv(&x, 1, MPI_INT, 1, 10, W, IGNORE);
  } else if (rank < 3) give(0, 10);
  next();
}
// Right programs: the data of the first message say which rank is next, by arithmetic, a table, a branch, a copy, a
// function, and behind MPI_Wait.
static int other_of(int who) { return 3 - who; }
static void named(void) {
  static const int others[] = {0, 2, 1};
  for (int way = 0; way < 6; way++) {
    MPI_Request request;
    int got = 0, to = 0;
    first(2);
    if (rank == 0 && way == 5) {
      MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 11, W, &request);
      MPI_Wait(&request, IGNORE), hidden_done(step);
      MPI_Recv(&x, 1, MPI_INT, 3 - got, 11, W, IGNORE);
    } else if (rank == 0) {
      MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 11, W, IGNORE), hidden_done(step);
      if (got == 1) to = 2;
      else to = 1;
      int kept = got;
      if (way == 0) MPI_Recv(&x, 1, MPI_INT, 3 - got, 11, W, IGNORE);
      if (way == 1) MPI_Recv(&x, 1, MPI_INT, others[got], 11, W, IGNORE);
      if (way == 2) MPI_Recv(&x, 1, MPI_INT, to, 11, W, IGNORE);
      if (way == 3) MPI_Recv(&x, 1, MPI_INT, 3 - kept, 11, W, IGNORE);
      if (way == 4) MPI_Recv(&x, 1, MPI_INT, other_of(got), 11, W, IGNORE);
    } else if (rank < 3) give(0, 11);
    next();
  }
}
// They say which of two calls is made.
static void chosen(void) {
  int got = 0;
  first(2);
  if (rank == 0) {
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 12, W, IGNORE), hidden_done(step);
    if (got == 1) MPI_Recv(&x, 1, MPI_INT, 2, 12, W, IGNORE);
    else MPI_Recv(&x, 1, MPI_INT, 1, 12, W, IGNORE);
  } else if (rank < 3) give(0, 12);
  next();
}
// A variable of the module has got another value before it names a rank.
// CHECK: WARNING [deadlock.alternative]
static int token;
static void replaced(void) {
  first(2);
  if (rank == 0) {
    // CHECK-NEXT: MPI_Recv by rank 0 {{.*}}deadlock-alternative-status.c:[[#@LINE+1]] in replaced
    MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 13, W, IGNORE), hidden_done(step);
    MPI_Recv(&x, 1, MPI_INT, 1, 13, W, IGNORE);
    for (token = 3; token < 4; token++) MPI_Send(&x, 1, MPI_INT, token, 13, W);
  } else if (rank < 3) give(0, 13);
  else MPI_Recv(&x, 1, MPI_INT, 0, 13, W, IGNORE);
  next();
}
// Right programs: it has another value on one way only; it names a rank in the next turn, and in the next call.
static void half(int way) {
  if (way == 0) MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 14, W, IGNORE);
  else MPI_Recv(&x, 1, MPI_INT, 3 - token, 14, W, IGNORE);
}
static void kept(void) {
  for (int way = 0; way < 3; way++) {
    first(2);
    if (rank == 0 && way == 0) {
      MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 14, W, IGNORE), hidden_done(step);
      if (step < 0) token = 1;
      MPI_Recv(&x, 1, MPI_INT, 3 - token, 14, W, IGNORE);
    } else if (rank == 0 && way == 1) {
      for (int i = 0; i < 2; i++) {
        if (i) MPI_Recv(&x, 1, MPI_INT, 3 - token, 14, W, IGNORE);
        else MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 14, W, IGNORE), hidden_done(step);
      }
    } else if (rank == 0) half(0), hidden_done(step), half(1);
    else if (rank < 3) give(0, 14);
    next();
  }
}

// Right programs: another function makes the rank, of a variable, a value, a result, memory.
static int other;
static void hear(int *to) { MPI_Recv(to, 1, MPI_INT, MPI_ANY_SOURCE, 15, W, IGNORE), hidden_done(step); }
static int heard(void) {
  int from;
  hear(&from);
  return from;
}
static void ask_other(void) { MPI_Recv(&x, 1, MPI_INT, 3 - other, 15, W, IGNORE); }
static void ask(int from) { MPI_Recv(&x, 1, MPI_INT, 3 - from, 15, W, IGNORE); }
static void ask_at(const int *from) { MPI_Recv(&x, 1, MPI_INT, 3 - *from, 15, W, IGNORE); }
static void apart(void) {
  for (int way = 0, mine = 0; way < 3; way++) {
    first(2);
    if (rank == 0 && way == 0) hear(&other), ask_other();
    else if (rank == 0 && way == 1) mine = heard(), ask(mine);
    else if (rank == 0) hear(&mine), ask_at(&mine);
    else if (rank < 3) give(0, 15);
    next();
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  hidden_open(argv[1]);
  MPI_Comm_rank(W, &rank);
  unread(), error(), size(), again(), completed(), probed(), polled(), matched(), ignored(), named(), chosen();
  replaced(), kept(), apart();
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 0 errors, 10 warnings
