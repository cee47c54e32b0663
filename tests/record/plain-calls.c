// RUN: rm -rf %t.d && mkdir -p %t.d/plain %t.d/other && %mpicc-check -O1 %s -o %t.d/run
// RUN: %expect 0 %mpirun-check --check-options log_dir=%t.d/plain:keep_logs=1 \
// RUN:   -n 2 %t.d/run funneled > %t.d/plain.out 2>&1
// RUN: %expect 0 %mpirun-check --check-options log_dir=%t.d/other:keep_logs=1 \
// RUN:   -n 2 %t.d/run serialized > %t.d/other.out 2>&1
// The places in the log differ, since call stacks are defined earlier.
// RUN: echo 's/^\([0-9]*\):[0-9]*/\1/; s/waits=[0-9]*/waits/' > %t.d/without-places
// RUN: %mpicc-check-log %t.d/plain/mpicc-check-* | sed -f %t.d/without-places > %t.d/plain.events
// RUN: %mpicc-check-log %t.d/other/mpicc-check-* | sed -f %t.d/without-places > %t.d/other.events
// RUN: diff %t.d/plain.events %t.d/other.events
// RUN: %mpirun-check -n 2 %t.d/run wrong > %t.d/wrong 2>&1 || true
// RUN: FileCheck %s --check-prefix=WRONG < %t.d/wrong
// RUN: FileCheck %s < %t.d/plain.events
// CHECK-DAG: MPI_Send
// CHECK-DAG: MPI_Irecv
// CHECK-DAG: MPI_Wait
// CHECK-DAG: MPI_Allreduce
// CHECK-DAG: MPI_Bcast
// CHECK-DAG: MPI_Barrier
// CHECK-DAG: MPI_Put
// CHECK-DAG: MPI_Get
// CHECK-DAG: MPI_Accumulate
// CHECK-DAG: MPI_Win_flush
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls with which one look finds nothing wrong take a quick way (record/p2p/plain-message.h and its kin), below
// MPI_THREAD_SERIALIZED. The same program at that level goes the usual way: the logs must have the same events, whether
// the arguments are plain or just not so. Calls with wrong arguments are found behind plain ones of the same place.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, KINDS = 9 };
static int rank, peer;
static double local[8][N], *heap;

// Arguments of the k-th message: plain ones, and each of the reasons not to be.
struct message {
  void *buffer;
  int count, peer, tag;
  MPI_Datatype type;
  MPI_Comm comm;
};
static MPI_Datatype column, resized;
static MPI_Comm twin;
static struct message message_of(int k, int which) {
  struct message m = {heap + which * N, 4, peer, 7, MPI_DOUBLE, MPI_COMM_WORLD};
  switch (k % KINDS) {
  case 1: m.count = 0; break;
  case 2: m.count = 0, m.buffer = NULL; break;
  case 3: m.type = column, m.count = 2; break;
  case 4: m.comm = twin; break;
  case 5: m.peer = MPI_PROC_NULL; break;
  case 6: m.buffer = local[which]; break;
  case 7: m.type = resized, m.count = 3; break;
  case 8: m.type = MPI_BYTE, m.count = 8 * N, m.tag = 32768 - 1; break;
  default: break;
  }
  return m;
}

static void messages(int k) {
  struct message s = message_of(k, 0), r = message_of(k, 1);
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status status;
  MPI_Irecv(r.buffer, r.count, r.type, r.peer, r.tag, r.comm, &requests[0]);
  MPI_Isend(s.buffer, s.count, s.type, s.peer, s.tag, s.comm, &requests[1]);
  MPI_Wait(&requests[0], k % 2 ? &status : MPI_STATUS_IGNORE);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE); // null
  if (rank == 0) {
    MPI_Send(s.buffer, s.count, s.type, s.peer, s.tag, s.comm);
    MPI_Recv(r.buffer, r.count, r.type, r.peer, k % 4 ? r.tag : MPI_ANY_TAG, r.comm, &status);
  } else {
    MPI_Recv(r.buffer, r.count, r.type, r.peer, r.tag, r.comm, MPI_STATUS_IGNORE);
    MPI_Send(s.buffer, s.count, s.type, s.peer, s.tag, s.comm);
  }
  MPI_Recv_init(r.buffer, r.count, r.type, r.peer, r.tag, r.comm, &requests[0]);
  MPI_Start(&requests[0]);
  MPI_Isend(s.buffer, s.count, s.type, s.peer, s.tag, s.comm, &requests[1]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Request_free(&requests[0]);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *n; i++) ((double *)inout)[i] += ((double *)in)[i];
}

static void collectives(int k, MPI_Op own) {
  double mine = k, sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(heap, heap + N, k, MPI_DOUBLE, k % 2 ? MPI_MAX : own, k % 3 ? MPI_COMM_WORLD : twin);
  MPI_Allreduce(MPI_IN_PLACE, heap, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(heap, k, k % 2 ? MPI_DOUBLE : column, k % 2, MPI_COMM_WORLD);
  MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, k % 3 ? twin : MPI_COMM_WORLD);
  MPI_Barrier(k % 2 ? MPI_COMM_WORLD : twin);
}

static void operations(int k, MPI_Win win, double *memory) {
  double one = k, *from = k % 4 == 3 ? memory + N : heap; // a buffer in window memory
  MPI_Datatype type = k % 5 == 4 ? column : MPI_DOUBLE;
  int target = k % 6 == 5 ? rank : peer;
  MPI_Put(&one, 1, MPI_DOUBLE, target, k % 8, 1, MPI_DOUBLE, win);
  MPI_Win_flush(target, win);
  for (int i = 0; i < 3; i++) MPI_Put(from, 1, type, peer, 16 + i, 1, type, win), MPI_Win_flush_local(peer, win);
  MPI_Get(local[2], k % 3, MPI_DOUBLE, target, 32, k % 3, MPI_DOUBLE, win);
  MPI_Get(local[3], 2, MPI_DOUBLE, k % 7 ? peer : MPI_PROC_NULL, 40, 16, k % 7 ? MPI_BYTE : MPI_DOUBLE, win);
  MPI_Win_flush(peer, win);
  MPI_Accumulate(from, 1, type, target, 64 + k % 4, 1, type, k % 3 ? MPI_SUM : MPI_REPLACE, win);
  MPI_Accumulate(heap, k % 2, MPI_DOUBLE, peer, 80, k % 2, MPI_DOUBLE, k % 5 ? MPI_MAX : MPI_MIN, win);
  MPI_Win_flush(peer, win);
  if (target == rank) MPI_Win_flush(rank, win);
}

static void windows(int n) {
  double *memory;
  MPI_Win win;
  MPI_Win_allocate(2 * N * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_fence(0, win);
  if (rank == 0)
    MPI_Put(heap, 2, MPI_DOUBLE, 1, 0, 2, MPI_DOUBLE, win), MPI_Put(heap, 2, MPI_DOUBLE, 1, 4, 2, MPI_DOUBLE, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  for (int k = 0; k < n; k++) {
    if (k % 2 != rank) { // in turns, so that there is no race
      if (k % 3) MPI_Win_lock_all(0, win);
      else MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win), MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
      operations(k, win, memory);
      if (k % 3) MPI_Win_unlock_all(win);
      else MPI_Win_unlock(1, win), MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_free(&win);
}

// The same place, plain at first, then wrong. The wrong messages go to nobody.
static void send_one(double *buffer, int count, MPI_Datatype type, int to, int tag) {
  MPI_Send(buffer, count, type, to, tag, MPI_COMM_WORLD);
}
static void be_wrong(void) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Datatype late;
  MPI_Type_contiguous(2, MPI_DOUBLE, &late);
  if (rank == 0)
    for (int k = 0; k < 5; k++) {
      // WRONG-DAG: dest of MPI_Send is 7, but the ranks are 0 to 1
      // WRONG-DAG: tag of MPI_Send is negative (-3)
      // WRONG-DAG: datatype of MPI_Send {{.*}}not committed
      // WRONG-DAG: count of MPI_Send is negative (-1)
      send_one(heap, k == 4 ? -1 : 1, k == 3 ? late : MPI_DOUBLE, k == 1 ? 7 : 1, k == 2 ? -3 : 0);
    }
  else MPI_Recv(heap, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&late);
  // WRONG-DAG: {{.*}}MPI_Allreduce {{.*}}overlap
  MPI_Allreduce(heap, heap + 1, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int level;
  const char *how = argc > 1 ? argv[1] : "";
  MPI_Init_thread(&argc, &argv, strcmp(how, "serialized") ? MPI_THREAD_FUNNELED : MPI_THREAD_SERIALIZED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  peer = 1 - rank;
  heap = calloc(8 * N, sizeof *heap);
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Type_vector(2, 1, 8, MPI_DOUBLE, &column);
  MPI_Type_create_resized(MPI_DOUBLE, 0, 16, &resized);
  MPI_Type_commit(&column), MPI_Type_commit(&resized);
  MPI_Op own;
  MPI_Op_create(add, 1, &own);
  if (!strcmp(how, "wrong")) be_wrong();
  else {
    for (int k = 0; k < 2 * KINDS; k++) messages(k), collectives(k, own);
    windows(24);
  }
  MPI_Op_free(&own);
  MPI_Type_free(&column), MPI_Type_free(&resized);
  MPI_Comm_free(&twin);
  free(heap);
  MPI_Finalize();
  return 0;
}
