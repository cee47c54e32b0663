// RUN: %mpicc-check %s -o %t -pthread
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: fences with assertions, empty groups, locks made of atomics, request-based, dynamic and shared windows.
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int rank, size, right, left;
#define CHECK(x)                                                                                                       \
  do {                                                                                                                 \
    if (!(x)) {                                                                                                        \
      printf("rank %d line %d\n", rank, __LINE__);                                                                     \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                                    \
    }                                                                                                                  \
  } while (0)
static void asserts(void) {
  int *m;
  MPI_Win w;
  MPI_Win_allocate(1024, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &m, &w);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 256; i++) m[i] = i;
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOPUT * (k == 1), w);
    int g[4], s = 5;
    if (k == 1) MPI_Get(g, 4, MPI_INT, right, 8, 4, MPI_INT, w);
    else MPI_Put(&s, 1, MPI_INT, right, rank, 1, MPI_INT, w);
    MPI_Win_fence(MPI_MODE_NOSTORE * (k == 1) | MPI_MODE_NOSUCCEED, w);
    if (k == 1) CHECK(g[3] == 11);
    m[0]++;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  // accumulates of one operation and basic type at one place, from all, in one epoch; and reads by the same operation
  // kind
  MPI_Win_fence(0, w);
  if (!rank) m[9] = 0;
  MPI_Win_fence(0, w);
  int one = 1, old;
  MPI_Accumulate(&one, 1, MPI_INT, 0, 9, 1, MPI_INT, MPI_SUM, w);
  MPI_Get_accumulate(&one, 1, MPI_INT, &old, 1, MPI_INT, 0, 9, 1, MPI_INT, MPI_SUM, w);
  MPI_Win_fence(0, w);
  if (!rank) CHECK(m[9] == 2 * size);
  MPI_Win_fence(0, w);
  MPI_Get_accumulate(NULL, 0, MPI_INT, &old, 1, MPI_INT, 0, 9, 1, MPI_INT, MPI_NO_OP, w);
  MPI_Accumulate(&one, 1, MPI_INT, 0, 9, 1, MPI_INT, MPI_SUM, w);
  MPI_Win_fence(0, w);
  MPI_Accumulate(&rank, 1, MPI_INT, 0, 10, 1, MPI_INT, MPI_REPLACE, w);
  MPI_Win_fence(0, w);
  // puts of overlapping ranges in different epochs, self puts, zero counts on top of others
  MPI_Put(&one, 1, MPI_INT, rank, 20, 1, MPI_INT, w);
  MPI_Win_fence(0, w);
  if (rank == 1) MPI_Put(&one, 1, MPI_INT, 0, 20, 1, MPI_INT, w);
  MPI_Put(NULL, 0, MPI_INT, 0, 20, 0, MPI_INT, w);
  MPI_Win_fence(0, w);
  CHECK(m[20] == 1);
  MPI_Win_free(&w);
}
static void pscw(void) {
  int m[4] = {0}, x = rank + 1;
  MPI_Win w;
  MPI_Group all, none, r, l;
  MPI_Win_create(m, sizeof m, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  MPI_Win_get_group(w, &all);
  MPI_Group_incl(all, 0, NULL, &none);
  MPI_Group_incl(all, 1, &right, &r);
  MPI_Group_incl(all, 1, &left, &l);
  MPI_Win_post(none, 0, w);
  MPI_Win_start(none, 0, w);
  MPI_Win_complete(w);
  MPI_Win_wait(w);
  for (int i = 0; i < 3; i++) {
    m[0] = i;
    MPI_Win_post(l, 0, w);
    MPI_Win_start(r, 0, w);
    MPI_Put(&x, 1, MPI_INT, right, 1, 1, MPI_INT, w);
    MPI_Win_complete(w);
    x++;
    MPI_Win_wait(w);
    CHECK(m[1] == left + 1 + i);
    m[1] = 0;
  }
  // only exposure or only access
  if (rank == 0) {
    MPI_Group o;
    int z = 1;
    MPI_Group_incl(all, 1, &z, &o);
    MPI_Win_post(o, 0, w);
    int f = 0;
    while (!f) MPI_Win_test(w, &f);
    CHECK(m[2] == 9);
    MPI_Group_free(&o);
  }
  if (rank == 1) {
    MPI_Group o;
    int z = 0, n = 9;
    MPI_Group_incl(all, 1, &z, &o);
    MPI_Win_start(o, 0, w);
    MPI_Put(&n, 1, MPI_INT, 0, 2, 1, MPI_INT, w);
    MPI_Win_complete(w);
    MPI_Group_free(&o);
  }
  MPI_Group_free(&all);
  MPI_Group_free(&none);
  MPI_Group_free(&r);
  MPI_Group_free(&l);
  MPI_Win_free(&w);
}
static void locks(void) {
  int *m;
  MPI_Win w;
  MPI_Win_allocate(64 * 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &m, &w);
  memset(m, 0, 256);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, w);
  MPI_Win_sync(w);
  MPI_Barrier(MPI_COMM_WORLD);
  int one = 1, zero = 0, old, me = rank + 1;
  for (int k = 0; k < 5; k++) { // a spin lock at rank 0
    do {
      MPI_Compare_and_swap(&me, &zero, &old, MPI_INT, 0, 0, w);
      MPI_Win_flush(0, w);
    } while (old);
    MPI_Get(&old, 1, MPI_INT, 0, 1, 1, MPI_INT, w);
    MPI_Win_flush(0, w);
    old++;
    MPI_Put(&old, 1, MPI_INT, 0, 1, 1, MPI_INT, w);
    MPI_Win_flush(0, w);
    MPI_Fetch_and_op(&zero, &old, MPI_INT, 0, 0, MPI_REPLACE, w);
    MPI_Win_flush(0, w);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(w);
  if (!rank) CHECK(m[1] == 5 * size);
  MPI_Request q[4];
  int a[4], b[4] = {1, 2, 3, 4};
  for (int i = 0; i < 4; i++) MPI_Rput(&b[i], 1, MPI_INT, right, 4 + i, 1, MPI_INT, w, &q[i]);
  MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
  b[0] = 9;
  MPI_Win_flush_all(w);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 4; i++) MPI_Rget(&a[i], 1, MPI_INT, right, 4 + i, 1, MPI_INT, w, &q[i]);
  for (int i = 0, idx; i < 4; i++) {
    MPI_Waitany(4, q, &idx, MPI_STATUS_IGNORE);
    CHECK(a[idx] == idx + 1);
    a[idx] = 0;
  }
  MPI_Raccumulate(&one, 1, MPI_INT, 0, 12, 1, MPI_INT, MPI_SUM, w, &q[0]);
  MPI_Wait(&q[0], MPI_STATUS_IGNORE);
  b[0] = 3;
  MPI_Put(b, 1, MPI_INT, right, 13, 1, MPI_INT, w);
  MPI_Win_flush_local(right, w);
  b[0] = 4;
  MPI_Win_flush_local_all(w);
  MPI_Win_unlock_all(w);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, w);
  m[13]++;
  MPI_Win_unlock(rank, w);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, left, 0, w);
  MPI_Get(a, 1, MPI_INT, left, 13, 1, MPI_INT, w);
  MPI_Win_unlock(left, w);
  // two windows, several locks at once
  MPI_Win w2;
  int n = 0;
  MPI_Win_create(rank ? NULL : &n, rank ? 0 : 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w2);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w2);
  MPI_Win_lock(MPI_LOCK_SHARED, right, 0, w);
  if (right) MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w);
  MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, w2);
  MPI_Accumulate(&one, 1, MPI_INT, right, 14, 1, MPI_INT, MPI_MAX, w);
  MPI_Win_unlock(0, w2);
  MPI_Win_unlock(right, w);
  if (right) MPI_Win_unlock(0, w);
  MPI_Win_free(&w2);
  MPI_Win_free(&w);
  CHECK(rank || n == size);
}
static void dynamic(void) {
  MPI_Win w;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  for (int k = 0; k < 3; k++) {
    int *m = calloc(16, 4);
    MPI_Win_attach(w, m, 64);
    MPI_Aint at, there;
    MPI_Get_address(m, &at);
    MPI_Sendrecv(&at, 1, MPI_AINT, left, 0, &there, 1, MPI_AINT, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_lock(MPI_LOCK_SHARED, right, 0, w);
    MPI_Put(&rank, 1, MPI_INT, right, MPI_Aint_add(there, 8), 1, MPI_INT, w);
    MPI_Win_unlock(right, w);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(m[2] == left);
    MPI_Win_detach(w, m);
    free(m);
  }
  MPI_Win_free(&w);
}
static void shared(void) {
  MPI_Win w;
  int *m, *n, du;
  MPI_Aint sz;
  MPI_Win_allocate_shared(rank ? 64 : 0, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &m, &w);
  MPI_Win_shared_query(w, MPI_PROC_NULL, &sz, &du, &n);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, w);
  if (rank == 1)
    for (int i = 0; i < 16; i++) m[i] = 0;
  MPI_Win_sync(w);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(w);
  if (rank == 1) {
    m[4] = 42;
    __atomic_store_n(&m[0], 1, __ATOMIC_RELEASE);
  } else {
    MPI_Win_shared_query(w, 1, &sz, &du, &n);
    while (!__atomic_load_n(&n[0], __ATOMIC_ACQUIRE)) MPI_Win_sync(w);
    CHECK(n[4] == 42);
    n[5 + rank] = 1;
  }
  MPI_Win_sync(w);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(w);
  if (rank == 1) CHECK(m[5] == 1);
  MPI_Win_unlock_all(w);
  MPI_Win_fence(0, w);
  if (rank == 1) m[8] = 3;
  MPI_Win_fence(0, w);
  if (rank != 1) CHECK(n[8] == 3);
  MPI_Win_fence(0, w);
  MPI_Win_free(&w);
  // window on the stack and on memory that is reused after it
  for (int k = 0; k < 4; k++) {
    int here[8];
    memset(here, 0, sizeof here);
    MPI_Win_create(here, sizeof here, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    MPI_Win_fence(0, w);
    MPI_Put(&rank, 1, MPI_INT, right, k, 1, MPI_INT, w);
    MPI_Win_fence(0, w);
    CHECK(here[k] == left);
    MPI_Win_free(&w);
    here[k] = 0;
  }
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  right = (rank + 1) % size, left = (rank + size - 1) % size;
  asserts();
  pscw();
  locks();
  dynamic();
  shared();
  if (!rank) puts("done");
  MPI_Finalize();
}
