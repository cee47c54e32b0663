// RUN: %mpicc-check %s -o %t -pthread
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: several threads make, use, complete and free objects of all kinds at once.
// CHECK: done
// CHECK: ==mpicc-check== 0 errors, 0 warnings, 1 note
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
enum { THREADS = 4, ROUNDS = 60 };
static int rank, size, right, left;
static MPI_Comm own[THREADS];
#define CHECK(x)                                                                                                       \
  do {                                                                                                                 \
    if (!(x)) {                                                                                                        \
      printf("rank %d line %d\n", rank, __LINE__);                                                                     \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                                    \
    }                                                                                                                  \
  } while (0)
// Handles come and go on all threads at once; what one thread frees, another one gets.
static void *work(void *arg) {
  int me = (int)(long)arg;
  MPI_Comm c = own[me];
  for (int i = 0; i < ROUNDS; i++) {
    MPI_Datatype t;
    MPI_Group g, h;
    MPI_Op op;
    MPI_Comm d, self;
    MPI_Request r[4];
    int a[8] = {i, me}, b[8], s, idx, flag;
    MPI_Type_vector(2, 1, 2 + me, MPI_INT, &t);
    MPI_Type_commit(&t);
    MPI_Irecv(b, 1, t, left, me, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(a, 1, t, right, me, MPI_COMM_WORLD, &r[1]);
    MPI_Irecv(&b[7], 1, MPI_INT, left, 100 + me, MPI_COMM_WORLD, &r[2]);
    MPI_Issend(&a[1], 1, MPI_INT, right, 100 + me, MPI_COMM_WORLD, &r[3]);
    MPI_Type_free(&t);
    MPI_Comm_group(c, &g);
    MPI_Group_incl(g, 1, &rank, &h);
    MPI_Group_size(h, &s);
    CHECK(s == 1);
    MPI_Group_free(&h);
    MPI_Group_free(&g);
    switch (i % 4) {
    case 0:
      MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
      break;
    case 1:
      for (int n = 0; n < 4;) {
        MPI_Testany(4, r, &idx, &flag, MPI_STATUS_IGNORE);
        n += flag;
      }
      break;
    case 2:
      for (int n = 0; n < 4; n++) MPI_Waitany(4, r, &idx, MPI_STATUS_IGNORE);
      break;
    case 3:
      for (int k = 3; k >= 0; k--) MPI_Wait(&r[k], MPI_STATUS_IGNORE);
      break;
    }
    CHECK(b[0] == i && b[7] == me);
    a[0] = b[0] = b[7] = 0;
    MPI_Op_create((MPI_User_function *)(void *)abort, 1, &op);
    MPI_Op_free(&op);
    if (i % 10 == 0) {
      MPI_Comm_dup(c, &d);
      MPI_Barrier(d);
      MPI_Comm_free(&d);
    }
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    MPI_Barrier(self);
    MPI_Comm_free(&self);
    MPI_Allreduce(&i, &s, 1, MPI_INT, MPI_MAX, c);
    CHECK(s == i);
    // matched probes: other threads probe for the same tags
    MPI_Message m;
    MPI_Status st;
    MPI_Request q;
    MPI_Isend(&me, 1, MPI_INT, rank, 7, MPI_COMM_WORLD, &q);
    MPI_Mprobe(rank, 7, MPI_COMM_WORLD, &m, &st);
    MPI_Mrecv(&s, 1, MPI_INT, &m, MPI_STATUS_IGNORE);
    CHECK(s >= 0 && s < THREADS);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    // wildcards, where every thread gets any
    MPI_Isend(&me, 1, MPI_INT, right, 8, MPI_COMM_WORLD, &q);
    MPI_Recv(&s, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &st);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
  }
  return NULL;
}
int main(int argc, char **argv) {
  int provided;
  pthread_t t[THREADS];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  right = (rank + 1) % size, left = (rank + size - 1) % size;
  for (int i = 0; i < THREADS; i++) MPI_Comm_dup(MPI_COMM_WORLD, &own[i]);
  for (long i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < THREADS; i++) MPI_Comm_free(&own[i]);
  if (!rank) puts("done");
  MPI_Finalize();
}
