// RUN: %mpicc-check %s -o %t && %mpirun-check -n 3 %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out && FileCheck %s --check-prefix=PLACES < %t.out
// RUN: env MPICC_CHECK_OPTIONS=collectives_synchronize=0 %mpirun-check -n 3 %t 2>&1 | FileCheck %s --check-prefix=OFF
// OFF-NOT: deadlock.collective
// OFF: ==mpicc-check== no errors found
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A collective may wait for all ranks, and need not. These runs end because it did not (MPI-3.1 5.14).
#include <mpi.h>

static int rank, x[3], y[3];
static MPI_Comm pair; // of ranks 0 and 1

static void send(int to, int tag) { MPI_Ssend(x, 1, MPI_INT, to, tag, MPI_COMM_WORLD); }
static void receive(int from, int tag) { MPI_Recv(y, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

// The root leaves before the others come.
static void bcast(void) {
  if (rank == 1) receive(0, 1);
  MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) send(1, 1);
}
// CHECK-DAG: if collectives synchronize: 2 ranks wait for each other: MPI_Bcast on rank 0, MPI_Recv on rank 1
// PLACES: WARNING [deadlock.collective] deadlock if collectives synchronize: 2 ranks wait
// PLACES:  rank 0 would wait in MPI_Bcast for {{.*}} collective-synchronizes.c:[[#@LINE-5]] in bcast
// PLACES:  rank 1 would wait in MPI_Recv(source 0, tag 1) for rank 0  collective-synchronizes.c:15 in receive
// PLACES:  rank 1 calls MPI_Bcast only behind that {{ *}}collective-synchronizes.c:[[#@LINE-7]] in bcast
// PLACES:  here a collective returned before all ranks had called it

// Those that give leave before the root comes.
static void gather(void) {
  if (rank == 0) receive(2, 2);
  MPI_Gather(x, 1, MPI_INT, y, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 2) send(0, 2);
}
// CHECK-DAG: if collectives synchronize: 2 ranks wait for each other: MPI_Recv on rank 0, MPI_Gather on rank 2
// CHECK-DAG: MPI_Gather for {{.*}} collective-synchronizes.c:[[#@LINE-4]] in gather

// Lower ranks leave before higher ones come. What is sent is received late.
static void scan(void) {
  MPI_Request request;
  if (rank == 2) receive(0, 3);
  MPI_Scan(x, y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Isend(x, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}
// CHECK-DAG: if collectives synchronize: 2 ranks wait for each other: MPI_Scan on rank 0, MPI_Recv on rank 2
// CHECK-DAG: MPI_Scan for {{.*}} collective-synchronizes.c:[[#@LINE-7]] in scan

// Two communicators, in two orders.
static void order(void) {
  if (rank == 1) MPI_Barrier(pair);
  MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Barrier(pair);
}
// CHECK-DAG: if collectives synchronize: 2 ranks wait for each other: MPI_Bcast on rank 0, MPI_Barrier on rank 1
// CHECK-DAG: MPI_Barrier for rank 0 {{ *}}collective-synchronizes.c:[[#@LINE-5]] in order

// Both: the send would have to be buffered, too.
static void both(void) {
  if (rank == 0) MPI_Send(x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
  MPI_Reduce(x, y, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 1) receive(0, 5);
}
// CHECK-DAG: synchronize and standard sends are not buffered: 2 ranks wait for each other: MPI_Send on rank 0, MPI_Red
// CHECK-DAG: the smallest message on the cycle has 4 bytes
// CHECK: ==mpicc-check== 0 errors, 5 warnings, 0 notes

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, 0, &pair);
  bcast();
  MPI_Barrier(MPI_COMM_WORLD);
  gather();
  MPI_Barrier(MPI_COMM_WORLD);
  scan();
  MPI_Barrier(MPI_COMM_WORLD);
  order();
  MPI_Barrier(MPI_COMM_WORLD);
  both();
  if (rank < 2) MPI_Comm_free(&pair);
  MPI_Finalize();
  return 0;
}
