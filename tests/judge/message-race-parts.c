// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check --check-options report=%t.whole -n 3 %t
// RUN: %mpirun-check --check-options log_budget=0:report=%t.cut -n 3 %t
// RUN: grep -h " by rank" %t.whole | sort -u > %t.1 && grep -h " by rank" %t.cut | sort -u | cmp - %t.1
// RUN: FileCheck %s < %t.cut
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logs are cut at each barrier, in the middle of all kinds of matters: each wildcard receive with another message on
// its way is found as in a whole run, and no other is.
#include <mpi.h>

static int rank, x[4];
static void send(int to, int tag) { MPI_Send(x, 1, MPI_INT, to, tag, MPI_COMM_WORLD); }
#define ANY MPI_ANY_SOURCE, tag, MPI_COMM_WORLD
static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

static void within(int tag) { // both messages are on their way
  if (rank) send(0, tag);
  for (int i = 0; i < 2 && rank == 0; i++) MPI_Recv(x, 1, MPI_INT, ANY, MPI_STATUS_IGNORE); // race
  barrier();
}
static void pending(int tag) { // posted before the cut, matched behind it
  MPI_Request r[2];
  for (int i = 0; i < 2 && rank == 0; i++) MPI_Irecv(&x[i], 1, MPI_INT, ANY, &r[i]); // race
  barrier();
  if (rank) send(0, tag);
  if (rank == 0) MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  barrier();
}
static void matched(int tag) { // one matches before the cut, is completed behind it; the other message comes later
  MPI_Request r[2];
  for (int i = 0; i < 2 && rank == 0; i++) MPI_Irecv(&x[i], 1, MPI_INT, ANY, &r[i]); // fixed
  if (rank == 1) send(0, tag);
  barrier();
  if (rank == 0) MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  barrier();
  if (rank == 2) send(0, tag);
  if (rank == 0) MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  barrier();
}
static void early(int tag) { // sent before the cut, received behind it
  if (rank) send(0, tag);
  barrier();
  for (int i = 0; i < 2 && rank == 0; i++) MPI_Recv(x, 1, MPI_INT, ANY, MPI_STATUS_IGNORE); // race
  barrier();
}
static void halves(int tag) { // both are sent before the cut, one is received before it and one behind it
  if (rank) send(0, tag);
  if (rank == 0) MPI_Recv(x, 1, MPI_INT, ANY, MPI_STATUS_IGNORE); // race
  barrier();
  if (rank == 0) MPI_Recv(x, 1, MPI_INT, ANY, MPI_STATUS_IGNORE); // fixed
  barrier();
}
static void ordered(int tag) { // the cut orders them
  if (rank == 1) send(0, tag);
  if (rank == 0) MPI_Recv(x, 1, MPI_INT, ANY, MPI_STATUS_IGNORE); // fixed
  barrier();
  if (rank == 2) send(0, tag);
  if (rank == 0) MPI_Recv(x, 1, MPI_INT, ANY, MPI_STATUS_IGNORE); // fixed
  barrier();
}
static void probed(int tag) { // a probe before the cut
  MPI_Status status;
  if (rank) send(0, tag);
  if (rank == 0) MPI_Probe(ANY, &status); // race
  barrier();
  for (int i = 0; i < 2 && rank == 0; i++)
    MPI_Recv(x, 1, MPI_INT, i ? 3 - status.MPI_SOURCE : status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  barrier();
}
static void persistent(int tag) { // started in one part after the other
  MPI_Request r;
  if (rank == 0) MPI_Recv_init(x, 1, MPI_INT, ANY, &r);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2 && rank == 0; k++) MPI_Start(&r), MPI_Wait(&r, MPI_STATUS_IGNORE); // race
    if (rank) send(0, tag);
    barrier();
  }
  if (rank == 0) MPI_Request_free(&r);
}
static void told(int tag) { // a message orders them
  if (rank == 1) send(0, tag), send(2, tag + 100);
  if (rank == 2) MPI_Recv(x, 1, MPI_INT, 1, tag + 100, MPI_COMM_WORLD, MPI_STATUS_IGNORE), send(0, tag);
  barrier();
  for (int i = 0; i < 2 && rank == 0; i++) MPI_Recv(x, 1, MPI_INT, ANY, MPI_STATUS_IGNORE); // race
  barrier();
}

static void unsafe(int tag) { // once, long before the last cut
  if (rank) send(3 - rank, tag);
  if (rank) MPI_Recv(x, 1, MPI_INT, 3 - rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  barrier();
}

int main(int argc, char **argv) {
  static void (*const phases[])(int) = {within, pending, matched, early, halves, ordered, probed, persistent, told};
  enum { N = sizeof phases / sizeof *phases };
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  unsafe(1000);
  for (int i = 0; i < 3 * N; i++) phases[i * 4 % N](i % 7);
  MPI_Finalize();
  return 0;
}
// CHECK: WARNING [deadlock.buffering]{{.*}}MPI_Send on rank 1, MPI_Send on rank 2
// CHECK: 0 errors, 1 warning, 7 notes
