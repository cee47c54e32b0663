// RUN: mkdir -p %t.d && %mpicc -w -O1 -shared -fPIC %S/Inputs/faulty.c -o %t.d/stand-in.so -ldl
// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check --flow=content -n 3 --oversubscribe -x LD_PRELOAD=%t.d/stand-in.so %t lose \
// RUN:   2>&1 | FileCheck %s
// The recorder, too, has all PMPI_ names: the library behind it is no unseen code of the program.
// RUN: %expect66 %mpirun-check --flow -n 3 --oversubscribe -x LD_PRELOAD=%t.d/stand-in.so %t lose 2>&1 | \
// RUN:   FileCheck %s --check-prefix=RECORDED
// RECORDED: ==mpicc-check== 39 errors, 0 warnings, 1 note
// RUN: %expect 0 %mpirun-check --flow=content -n 3 --oversubscribe %t 2>&1 | FileCheck %s --check-prefix=RIGHT
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A right program on a faulty library: each fault is found on its call, among calls that the same library carries out
// rightly. On the real library nothing is found.
// RIGHT: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { N = 600 };
static int rank, size;
static int x[2 * N], y[2 * N], sum;

// This rank's library is wrong from here on, or right again.
static void fault(int of, const char *name) {
  if (rank == of && name) setenv("FAULT", name, 1);
  else unsetenv("FAULT");
}
static void fill(int seed) {
  for (int i = 0; i < 2 * N; i++) x[i] = seed * 100000 + rank * 10000 + i;
  memset(y, 0, sizeof y);
}

static void send(int n, MPI_Datatype type) {
  if (rank == 0) MPI_Send(x, n, type, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(y, n, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void messages(MPI_Datatype spread) {
  fill(1), send(N, MPI_INT), send(50, spread);
  fault(0, "flipped-bit");
  // CHECK-DAG: ERROR [flow.content] other data came than was sent: bytes 1152..1279 of 2400
  // CHECK-DAG: sent by MPI_Send of rank 0 {{.*}}faults.c:[[#@LINE+1]] in messages
  if (rank == 0) MPI_Send(x, N, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(y, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  fault(0, NULL), fill(2), send(N, MPI_INT), fault(0, "doubled-fragment");
  // CHECK-DAG: sent by MPI_Send of rank 0 {{.*}}faults.c:[[#@LINE+1]] in messages
  if (rank == 0) MPI_Send(x, 512, MPI_INT, 1, 0, MPI_COMM_WORLD);
  // CHECK-DAG: received by MPI_Recv on rank 1 {{.*}}faults.c:[[#@LINE+1]] in messages
  if (rank == 1) MPI_Recv(y, 512, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK-DAG: bytes 1024..1151 hold what was sent as bytes 0..127
  fault(0, NULL), fill(3), send(N, MPI_INT), fault(0, "reordered-fragments");
  // CHECK-DAG: sent by MPI_Send of rank 0 {{.*}}faults.c:[[#@LINE+1]] in messages
  if (rank == 0) MPI_Send(x, 512, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(y, 512, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK-DAG: bytes 0..127 and 1024..1151 were exchanged
  fault(0, NULL), fill(4), send(50, spread), fault(0, "as-contiguous");
  // CHECK-DAG: sent by MPI_Send of rank 0 {{.*}}faults.c:[[#@LINE+1]] in messages
  if (rank == 0) MPI_Send(x, 50, spread, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(y, 50, spread, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  fault(0, NULL), fill(5), send(N, MPI_INT), fault(1, "unpack-mismatch");
  if (rank == 0) MPI_Send(x, 50, spread, 1, 0, MPI_COMM_WORLD);
  // CHECK-DAG: received by MPI_Recv on rank 1 {{.*}}faults.c:[[#@LINE+1]] in messages
  if (rank == 1) MPI_Recv(y, 50, spread, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  fault(1, NULL), fill(6), send(N, MPI_INT), fault(0, "dropped-tail");
  // CHECK-DAG: ERROR [flow.content] the status tells another length than was sent
  // CHECK-DAG: sent by MPI_Send of rank 0 {{.*}}faults.c:[[#@LINE+1]] in messages
  if (rank == 0) MPI_Send(x, N, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(y, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK-DAG: 2400 bytes were sent, the status tells 2396
  fault(0, NULL), fill(7), send(N, MPI_INT), fault(1, "stale-data");
  if (rank == 0) MPI_Send(x, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
  // CHECK-DAG: received by MPI_Recv on rank 1 {{.*}}faults.c:[[#@LINE+1]] in messages
  if (rank == 1) MPI_Recv(y + 700, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK-DAG: from byte 0 on: 60 ae 0a 00 61 ae 0a 00 was sent, 00 00 00 00 00 00 00 00 came
  fault(1, NULL), send(N, MPI_INT), fault(0, "swapped-messages");
  fill(8);
  // CHECK-DAG: sent by MPI_Send of rank 0 {{.*}}faults.c:[[#@LINE+1]] in messages
  if (rank == 0) MPI_Send(x, 20, MPI_INT, 1, 0, MPI_COMM_WORLD);
  fault(0, NULL), fill(9);
  // CHECK-DAG: what came was sent by MPI_Send of rank 0 after it {{.*}}faults.c:[[#@LINE+1]] in messages
  if (rank == 0) MPI_Send(x, 20, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(y, 20, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Recv(y, 20, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void requests(void) {
  MPI_Request request, several[2];
  int index;
  fill(10), fault(0, "late-send");
  // CHECK-DAG: sent by MPI_Isend of rank 0 {{.*}}faults.c:[[#@LINE+1]] in requests
  if (rank == 0) MPI_Isend(x, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
  if (rank == 1) MPI_Irecv(y, N, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
  fault(0, NULL);
  if (rank == 0) fill(11);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
  fault(0, "previous-content");
  if (rank == 0) MPI_Send_init(x, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
  fault(0, NULL);
  for (int k = 0; k < 3; k++) {
    if (rank == 1) MPI_Recv(y, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // CHECK-DAG: sent by MPI_Send_init of rank 0 {{.*}}faults.c:[[#@LINE+1]] in requests
    if (rank == 0) MPI_Start(&request);
    if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    fill(12 + k);
  }
  if (rank == 0) MPI_Request_free(&request);
  fault(1, "wrong-index");
  if (rank == 0) MPI_Send(x, 4, MPI_INT, 1, 2, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Irecv(y, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, several);
    MPI_Irecv(y + 4, 4, MPI_INT, 0, 2, MPI_COMM_WORLD, several + 1);
    // CHECK-DAG: ERROR [flow.content] MPI_Waitany names another request than the one that is complete
    // CHECK-DAG: MPI_Waitany on rank 1 {{.*}}faults.c:[[#@LINE+1]] in requests
    MPI_Waitany(2, several, &index, MPI_STATUS_IGNORE);
    sum += y[4 * index]; // of the operation that is said to be complete
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Send(x, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
  fault(1, "wrong-index");
  // The index of a request that is complete already.
  // CHECK-DAG: MPI_Waitany on rank 1 {{.*}}faults.c:[[#@LINE+1]] in requests
  if (rank == 1) MPI_Waitany(2, several, &index, MPI_STATUS_IGNORE);
  // CHECK-DAG: index 1 is returned, whose handle was null before, but the handle {{.*}} is that of index 0
  fault(1, "probe-length");
  if (rank == 0) MPI_Send(x, 4, MPI_INT, 1, 2, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Status status;
    // CHECK-DAG: received by MPI_Probe on rank 1 {{.*}}faults.c:[[#@LINE+1]] in requests
    MPI_Probe(0, 2, MPI_COMM_WORLD, &status);
    MPI_Recv(y, 4, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  fault(1, NULL);
}

static void statuses(void) {
  MPI_Status status;
  fill(20), fault(1, "status-count");
  if (rank == 0) MPI_Send(x, N, MPI_INT, 1, 7, MPI_COMM_WORLD);
  // CHECK-DAG: received by MPI_Recv on rank 1 {{.*}}faults.c:[[#@LINE+1]] in statuses
  if (rank == 1) MPI_Recv(y, N, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
  fault(1, NULL), send(N, MPI_INT), fault(1, "status-source");
  if (rank == 0) MPI_Send(x, N, MPI_INT, 1, 7, MPI_COMM_WORLD);
  // CHECK-DAG: received by MPI_Recv on rank 1 {{.*}}faults.c:[[#@LINE+1]] in statuses
  if (rank == 1) MPI_Recv(y, N, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
  // CHECK-DAG: the status says source 1 and tag 7, the receive asked for source 0 and tag 7
  fault(1, NULL), send(N, MPI_INT), fault(1, "status-tag");
  if (rank == 0) MPI_Send(x, N, MPI_INT, 1, 7, MPI_COMM_WORLD);
  // CHECK-DAG: received by MPI_Recv on rank 1 {{.*}}faults.c:[[#@LINE+1]] in statuses
  if (rank == 1) MPI_Recv(y, N, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
  // CHECK-DAG: the status says source 0 and tag 8, the receive asked for source 0 and tag 7
  fault(1, NULL);
}

// A wildcard has only the status to say what came. Messages that follow on both channels are right.
static void wildcards(void) {
  fill(25), fault(1, "status-other-source");
  if (rank == 0) MPI_Send(x, 50, MPI_INT, 1, 7, MPI_COMM_WORLD);
  // CHECK-DAG: ERROR [flow.content] the status names another source than that of the message that came
  // CHECK-DAG: received by MPI_Recv on rank 1 {{.*}}faults.c:[[#@LINE+1]] in wildcards
  if (rank == 1) MPI_Recv(y, N, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // CHECK-DAG: the status says rank 2 and tag 7; the data is that of a message of rank 0 with tag 7
  fault(1, "status-tag"), MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Send(x + 50, 50, MPI_INT, 1, 7, MPI_COMM_WORLD);
  // CHECK-DAG: ERROR [flow.content] the status names another tag than that of the message that came
  // CHECK-DAG: received by MPI_Recv on rank 1 {{.*}}faults.c:[[#@LINE+1]] in wildcards
  if (rank == 1) MPI_Recv(y, N, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  fault(1, NULL), MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 1; k < 4; k++) {
    if (rank != 1) MPI_Send(x + 100 * k, 50, MPI_INT, 1, k == 3 ? 8 : 7, MPI_COMM_WORLD);
    for (int from = 0; from < 3 && rank == 1; from += 2)
      MPI_Recv(y, 50, MPI_INT, from, k == 3 ? 8 : 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

// Counts of elements, of messages that end within an element and within a basic type, too.
static void partly(MPI_Datatype spread) {
  MPI_Datatype mixed, parts[] = {MPI_CHAR, MPI_DOUBLE_INT, MPI_SHORT};
  int n, blocks[] = {3, 2, 1};
  MPI_Aint places[] = {0, 8, 40};
  MPI_Count many;
  MPI_Status status;
  MPI_Type_create_struct(3, blocks, places, parts, &mixed), MPI_Type_commit(&mixed);
  for (int bytes = 0; bytes < 70; bytes++) {
    MPI_Sendrecv(x, bytes, MPI_BYTE, rank, 7, y, 4 * N, MPI_BYTE, rank, 7, MPI_COMM_WORLD, &status);
    MPI_Get_elements(&status, spread, &n), MPI_Get_elements(&status, mixed, &n), MPI_Get_elements(&status, MPI_INT, &n);
    MPI_Get_elements_x(&status, mixed, &many), MPI_Get_elements(&status, MPI_DOUBLE_INT, &n);
  }
  MPI_Type_free(&mixed);
}

static void answers(MPI_Datatype spread) {
  char packed[4096];
  int n, at = 0;
  MPI_Status status;
  MPI_Sendrecv(x, 50, MPI_INT, rank, 7, y, N, MPI_INT, rank, 7, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &n), MPI_Get_count(&status, MPI_DOUBLE, &n), MPI_Get_count(&status, spread, &n);
  MPI_Pack(x, 20, spread, packed, sizeof packed, &at, MPI_COMM_WORLD), at = 0;
  MPI_Unpack(packed, sizeof packed, &at, y, 20, spread, MPI_COMM_WORLD), at = 0;
  fault(1, "get-count");
  // CHECK-DAG: ERROR [flow.content] MPI_Get_count tells another count than the status has bytes for
  // CHECK-DAG: MPI_Get_count on rank 1 {{.*}}faults.c:[[#@LINE+1]] in answers
  MPI_Get_count(&status, MPI_INT, &n);
  partly(spread), fault(1, "get-elements");
  // CHECK-DAG: ERROR [flow.content] MPI_Get_elements tells another number of elements than the status has bytes for
  // CHECK-DAG: MPI_Get_elements on rank 1 {{.*}}faults.c:[[#@LINE+1]] in answers
  MPI_Get_elements(&status, spread, &n);
  fault(1, "pack-bit");
  // CHECK-DAG: ERROR [flow.content] MPI_Pack has made other bytes of the data
  // CHECK-DAG: MPI_Pack on rank 1 {{.*}}faults.c:[[#@LINE+1]] in answers
  MPI_Pack(x, 20, spread, packed, sizeof packed, &at, MPI_COMM_WORLD);
  fault(1, "unpack-gaps"), at = 0;
  // CHECK-DAG: ERROR [flow.content] MPI_Unpack has made other bytes of the data
  // CHECK-DAG: MPI_Unpack on rank 1 {{.*}}faults.c:[[#@LINE+1]] in answers
  MPI_Unpack(packed, sizeof packed, &at, y, 20, spread, MPI_COMM_WORLD);
  fault(1, NULL);
}

static void collectives(void) {
  int counts[8], displs[8];
  for (int r = 0; r < 8; r++) counts[r] = 20, displs[r] = 30 * r;
  fill(30), MPI_Bcast(x, N, MPI_INT, 0, MPI_COMM_WORLD);
  fill(31), fault(2, "bcast-tail");
  // CHECK-DAG: received by MPI_Bcast on rank 2 {{.*}}faults.c:[[#@LINE+1]] in collectives
  MPI_Bcast(x, N, MPI_INT, 0, MPI_COMM_WORLD);
  fault(2, NULL), fill(32), MPI_Gatherv(x, 20, MPI_INT, y, counts, displs, MPI_INT, 1, MPI_COMM_WORLD);
  fault(1, "gatherv-unscaled");
  // CHECK-DAG: received by MPI_Gatherv on rank 1 {{.*}}faults.c:[[#@LINE+1]] in collectives
  MPI_Gatherv(x, 20, MPI_INT, y, counts, displs, MPI_INT, 1, MPI_COMM_WORLD);
  fault(1, NULL), fill(33), MPI_Alltoall(x, 10, MPI_INT, y, 10, MPI_INT, MPI_COMM_WORLD), fill(34);
  fault(0, "reversed-copy");
  // CHECK-DAG: result of MPI_Alltoall on rank 0 {{.*}}faults.c:[[#@LINE+1]] in collectives
  MPI_Alltoall(x, 10, MPI_INT, y, 10, MPI_INT, MPI_COMM_WORLD);
  fault(0, NULL), MPI_Allgather(x, 10, MPI_INT, y, 10, MPI_INT, MPI_COMM_WORLD), fault(2, "exchanged-blocks");
  // CHECK-DAG: received by MPI_Allgather on rank 2 {{.*}}faults.c:[[#@LINE+1]] in collectives
  MPI_Allgather(x, 10, MPI_INT, y, 10, MPI_INT, MPI_COMM_WORLD);
  fault(2, NULL);
}

static void reductions(void) {
  double a[40], b[40];
  for (int i = 0; i < 40; i++) a[i] = rank * 0.37 + i * 1e-3;
  MPI_Allreduce(a, b, 40, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  setenv("FAULT", "wrong-operation", 1);
  // CHECK-DAG: result of MPI_Allreduce on rank 0 {{.*}}faults.c:[[#@LINE+1]] in reductions
  MPI_Allreduce(a, b, 40, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  fault(0, NULL), MPI_Allreduce(a, b, 40, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), fault(0, "skipped-element");
  // CHECK-DAG: result of MPI_Allreduce on rank 0 {{.*}}faults.c:[[#@LINE+1]] in reductions
  MPI_Allreduce(a, b, 40, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  fault(1, "one-rank-differs");
  // CHECK-DAG: result of MPI_Allreduce on rank 1 {{.*}}faults.c:[[#@LINE+1]] in reductions
  MPI_Allreduce(a, b, 40, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  fault(1, NULL), MPI_Allreduce(x, y, 40, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  enum { LARGE = 100000 };
  int *large = calloc(2 * LARGE, sizeof *large);
  for (int i = 0; i < LARGE; i++) large[i] = rank + i + 1;
  MPI_Allreduce(large, large + LARGE, LARGE, MPI_INT, MPI_SUM, MPI_COMM_WORLD), fault(2, "skipped-element");
  // CHECK-DAG: result of MPI_Allreduce on rank 2 {{.*}}faults.c:[[#@LINE+1]] in reductions
  MPI_Allreduce(large, large + LARGE, LARGE, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  fault(2, NULL), free(large);
}

// Each group gets what the other one gives.
static void between_groups(void) {
  MPI_Comm group, two;
  int root = rank == 0 ? MPI_ROOT : rank == 1 ? 0 : MPI_PROC_NULL, counts[] = {rank == 1 ? 20 : 8, 12};
  MPI_Comm_split(MPI_COMM_WORLD, rank == 1, rank, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank == 1 ? 0 : 1, 5, &two);
  fill(45), MPI_Allreduce(x, y, 20, MPI_INT, MPI_SUM, two), MPI_Reduce(x, y, 20, MPI_INT, MPI_SUM, root, two);
  MPI_Reduce_scatter(x, y, counts, MPI_INT, MPI_SUM, two);
  fill(46), fault(1, "skipped-element");
  // CHECK-DAG: result of MPI_Allreduce on rank 1 {{.*}}faults.c:[[#@LINE+1]] in between_groups
  MPI_Allreduce(x, y, 20, MPI_INT, MPI_SUM, two);
  fault(1, NULL), fill(47), fault(2, "skipped-element");
  // CHECK-DAG: result of MPI_Allreduce on rank 2 {{.*}}faults.c:[[#@LINE+1]] in between_groups
  MPI_Allreduce(x, y, 20, MPI_INT, MPI_MAX, two);
  fault(2, NULL), MPI_Comm_free(&two), MPI_Comm_free(&group);
}

// Associative, and not commutative.
static void take_left(void *in, void *inout, int *n, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *n; i++)
    if (((int *)in)[i]) ((int *)inout)[i] = ((int *)in)[i];
}
static void take_left_pair(void *in, void *inout, int *n, MPI_Datatype *type) {
  (void)type;
  struct pair {
    int a, b;
  } *left = in, *right = inout;
  for (int i = 0; i < *n; i++)
    if (left[i].a) right[i] = left[i];
}
static void own_operations(void) {
  MPI_Op left;
  MPI_Op_create(take_left, 0, &left);
  fill(40), MPI_Allreduce(x, y, 40, MPI_INT, left, MPI_COMM_WORLD);
  MPI_Scan(x, y, 40, MPI_INT, left, MPI_COMM_WORLD);
  setenv("FAULT", "operand-order", 1);
  // CHECK-DAG: ERROR [flow.content] the result of a reduction (operation of the program) is wrong
  // CHECK-DAG: result of MPI_Allreduce on rank {{.*}}faults.c:[[#@LINE+1]] in own_operations
  MPI_Allreduce(x, y, 40, MPI_INT, left, MPI_COMM_WORLD);
  fault(0, NULL);
  // Of elements of several numbers; the type is gone when the result is computed again.
  MPI_Datatype pair;
  MPI_Op_free(&left), MPI_Op_create(take_left_pair, 0, &left);
  MPI_Type_contiguous(2, MPI_INT, &pair), MPI_Type_commit(&pair);
  fill(41), MPI_Allreduce(x, y, 20, pair, left, MPI_COMM_WORLD);
  setenv("FAULT", "operand-order", 1);
  // CHECK-DAG: result of MPI_Allreduce on rank {{.*}}faults.c:[[#@LINE+1]] in own_operations
  MPI_Allreduce(x, y, 20, pair, left, MPI_COMM_WORLD);
  fault(0, NULL), MPI_Type_free(&pair), MPI_Op_free(&left);
}

// A spoiled message does not hide that another one of this line is lost.
static void lose(bool is_lossy) {
  for (int k = 0; k < 3; k++) {
    fill(60 + k), fault(0, k == 1 ? "flipped-bit" : NULL);
    // CHECK-DAG: ERROR [message.lost] message of {{.*}} is never received
    // CHECK-DAG: sent by MPI_Send of rank 0 {{.*}}faults.c:[[#@LINE+2]] in lose
    // CHECK-DAG: MPI_Send from rank 0 {{.*}}faults.c:[[#@LINE+1]] in lose
    if (rank == 0 && (k < 2 || is_lossy)) MPI_Send(x, 20, MPI_INT, 1, 40, MPI_COMM_WORLD);
    if (rank == 1 && k < 2) MPI_Recv(y, 20, MPI_INT, 0, 40, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char **argv) {
  MPI_Datatype spread;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Type_vector(2, 3, 5, MPI_INT, &spread);
  MPI_Type_commit(&spread);
  messages(spread);
  requests();
  statuses();
  wildcards();
  answers(spread);
  collectives();
  reductions();
  between_groups();
  own_operations();
  lose(argc > 1);
  MPI_Type_free(&spread);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 39 errors, 0 warnings, 1 note
