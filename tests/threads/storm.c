// RUN: %mpicc-check %s -o %t -pthread
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: four threads do all that there is under MPI_THREAD_MULTIPLE, each with objects of its own (MPI-3.1 12.4).
// tests/threads/tsan.test runs it again over a runtime that was built for ThreadSanitizer.
// CHECK: done
// CHECK: ==mpicc-check== 0 errors, 0 warnings
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, N = 32 };
static int rank, size, rounds = 10;
static MPI_Comm comms[THREADS];
static pthread_barrier_t together;

static void expect(int is_right, const char *what) {
  if (is_right) return;
  fprintf(stderr, "wrong: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *n; i++) ((int *)inout)[i] += ((int *)in)[i];
}

// Requests of every kind, through every completion, on a communicator that all threads use: their tags keep them apart.
static void messages(int me, int round) {
  int out[N], in[N], flag, n, which[2 * N], right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request r[2 * N];
  for (int i = 0; i < N; i++) {
    out[i] = me * 1000 + i;
    MPI_Irecv(&in[i], 1, MPI_INT, left, me * N + i, MPI_COMM_WORLD, &r[i]);
  }
  for (int i = 0; i < N; i++)
    (i % 2 ? MPI_Isend : MPI_Issend)(&out[i], 1, MPI_INT, right, me * N + i, MPI_COMM_WORLD, &r[N + i]);
  switch ((round + me) % 8) {
  case 0: MPI_Waitall(2 * N, r, MPI_STATUSES_IGNORE); break;
  case 1: for (int i = 0; i < 2 * N; i++) MPI_Wait(&r[i], MPI_STATUS_IGNORE); break;
  case 2: for (int i = 0; i < 2 * N; i++) MPI_Waitany(2 * N, r, &n, MPI_STATUS_IGNORE); break;
  case 3: for (int i = 0; i < 2 * N; i += n) MPI_Waitsome(2 * N, r, &n, which, MPI_STATUSES_IGNORE); break;
  case 4: do MPI_Testall(2 * N, r, &flag, MPI_STATUSES_IGNORE); while (!flag); break;
  case 5: for (int i = 0; i < 2 * N; i++) do MPI_Test(&r[i], &flag, MPI_STATUS_IGNORE); while (!flag); break;
  case 6: for (int i = 0; i < 2 * N; i += flag) MPI_Testany(2 * N, r, &n, &flag, MPI_STATUS_IGNORE); break;
  case 7: for (int i = 0; i < 2 * N; i += n > 0 ? n : 0) MPI_Testsome(2 * N, r, &n, which, MPI_STATUSES_IGNORE); break;
  }
  for (int i = 0; i < N; i++) expect(in[i] == out[i], "message");
}

static void persistent(int me) {
  int out = me, in = -1, flag;
  MPI_Request r[2];
  MPI_Recv_init(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[me], &r[0]);
  MPI_Send_init(&out, 1, MPI_INT, rank, 3, comms[me], &r[1]);
  for (int i = 0; i < 3; i++) {
    MPI_Startall(2, r);
    if (i == 1) MPI_Request_get_status(r[0], &flag, MPI_STATUS_IGNORE);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    expect(in == me, "persistent");
    in = -1, out = me;
  }
  MPI_Request_free(&r[0]), MPI_Request_free(&r[1]);
  MPI_Irecv(&in, 1, MPI_INT, rank, 9, comms[me], &r[0]);
  MPI_Cancel(&r[0]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
}

static void probes(int me) {
  int out = me, in = -1, flag = 0;
  MPI_Status status;
  MPI_Message message;
  MPI_Request r;
  MPI_Isend(&out, 1, MPI_INT, rank, 5, comms[me], &r);
  while (!flag) MPI_Improbe(MPI_ANY_SOURCE, 5, comms[me], &flag, &message, &status);
  MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Isend(&out, 1, MPI_INT, rank, 6, comms[me], &r);
  MPI_Probe(MPI_ANY_SOURCE, 6, comms[me], &status);
  MPI_Recv(&in, 1, MPI_INT, status.MPI_SOURCE, 6, comms[me], &status);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&out, 1, MPI_INT, rank, 7, &in, 1, MPI_INT, rank, 7, comms[me], &status);
  expect(in == me, "probe");
}

static void objects(int me) {
  int two[2] = {0, 1}, x[8] = {0}, flag;
  char value[8];
  MPI_Datatype vector, structure;
  MPI_Group group, part;
  MPI_Info info;
  MPI_Op op;
  MPI_Errhandler handler;
  MPI_Comm self;
  MPI_Type_vector(2, 1, 2, MPI_INT, &vector), MPI_Type_commit(&vector);
  MPI_Type_create_indexed_block(2, 1, two, MPI_INT, &structure), MPI_Type_commit(&structure);
  MPI_Sendrecv(x, 1, vector, rank, 8, x + 4, 1, structure, rank, 8, comms[me], MPI_STATUS_IGNORE);
  MPI_Type_free(&vector), MPI_Type_free(&structure);
  MPI_Comm_group(MPI_COMM_WORLD, &group);   // one handle, which all threads have
  MPI_Group_incl(group, 1, two, &part);
  MPI_Group_free(&part), MPI_Group_free(&group);
  MPI_Info_create(&info), MPI_Info_set(info, "k", "v"), MPI_Info_get(info, "k", 7, value, &flag), MPI_Info_free(&info);
  MPI_Op_create(add, 1, &op);
  MPI_Allreduce(x, x + 4, 2, MPI_INT, op, comms[me]);
  MPI_Op_free(&op);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler), MPI_Errhandler_free(&handler);
  MPI_Comm_dup(MPI_COMM_SELF, &self);
  MPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN);
  MPI_Comm_free(&self);
}

static void collectives(int me) {
  int x = 1, sum = 0;
  MPI_Request r[2];
  MPI_Iallreduce(&x, &sum, 1, MPI_INT, MPI_SUM, comms[me], &r[0]);
  MPI_Ibarrier(comms[me], &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  expect(sum == size, "Iallreduce");
  MPI_Bcast(&sum, 1, MPI_INT, 0, comms[me]);
  MPI_Barrier(comms[me]);
}

// The accesses of the threads are signalled, each of its own window and of the array that one of them is receiving into.
static void windows(int me) {
  int *base, out = me, got = -1, array[64];
  MPI_Win win;
  MPI_Request r;
  MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, comms[me], &base, &win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < 64; i++) base[i] = i;
  MPI_Win_fence(0, win);
  MPI_Put(&out, 1, MPI_INT, (rank + 1) % size, 3, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  MPI_Rget(&got, 1, MPI_INT, rank, 3, 1, MPI_INT, win, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Win_unlock(rank, win);
  expect(got == me, "Put");
  MPI_Irecv(array, 32, MPI_INT, rank, 10, comms[me], &r);
  for (int i = 32; i < 64; i++) array[i] = base[i] + 1;
  MPI_Send(array + 32, 32, MPI_INT, rank, 10, comms[me]);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  expect(array[0] == 33, "array");
  MPI_Win_free(&win);
}

static int query(void *extra, MPI_Status *status) {
  (void)extra;
  MPI_Status_set_elements(status, MPI_INT, 1), MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED, status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int release(void *extra) { return (void)extra, MPI_SUCCESS; }
static int cancel(void *extra, int is_complete) { return (void)extra, (void)is_complete, MPI_SUCCESS; }

// Thread 0 waits for what thread 1 completes; in between it blocks.
static MPI_Request general;
static void generalized(int me) {
  if (me == 0) MPI_Grequest_start(query, release, cancel, NULL, &general);
  pthread_barrier_wait(&together);
  if (me == 1) MPI_Grequest_complete(general);
  if (me == 0) MPI_Wait(&general, MPI_STATUS_IGNORE);
  pthread_barrier_wait(&together);
}

static void *work(void *argument) {
  int me = (int)(long)argument;
  for (int i = 0; i < rounds; i++) {
    messages(me, i);
    if ((i + me) % 2 == 0) persistent(me), probes(me), objects(me), collectives(me);
    if ((i + me) % 4 == 0) windows(me);   // while the other threads do all the rest
    if (i % 4 == 0) generalized(me);
  }
  return NULL;
}

static void *brief(void *argument) { return MPI_Comm_rank(MPI_COMM_WORLD, argument), NULL; }

int main(int argc, char **argv) {
  int level, unused[THREADS];
  pthread_t threads[THREADS];
  if (argc > 1) rounds = atoi(argv[1]);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (level < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  pthread_barrier_init(&together, NULL, THREADS);
  for (int i = 0; i < THREADS; i++) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++) MPI_Comm_free(&comms[i]);
  if (!rank) puts("done");
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, brief, &unused[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);   // they have ended just now
  MPI_Finalize();
  return 0;
}
