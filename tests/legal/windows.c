// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: one-sided communication: every synchronization, disjoint or atomic accesses.
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, right, left;

static void fences(void) {   // MPI-3.1 11.5.1
  int *m, x[16], y[16];
  MPI_Win w, w2;
  MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &m, &w);
  static int other[64];
  MPI_Win_create(other, sizeof other, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w2);
  for (int i = 0; i < 64; i++) m[i] = i, other[i] = i;             // before the fence
  MPI_Win_fence(MPI_MODE_NOPRECEDE, w), MPI_Win_fence(0, w2);
  for (int i = 0; i < 8; i++) x[i] = i;
  MPI_Put(x, 4, MPI_INT, right, 0, 4, MPI_INT, w);
  MPI_Put(x + 4, 4, MPI_INT, left, 4, 4, MPI_INT, w);              // disjoint
  MPI_Put(x, 8, MPI_INT, right, 0, 8, MPI_INT, w2);
  MPI_Get(y, 8, MPI_INT, right, 32, 8, MPI_INT, w);
  MPI_Get(y + 8, 8, MPI_INT, right, 32, 8, MPI_INT, w);            // two reads
  for (int i = 16; i < 32; i++) m[i] += m[i + 16];                 // bytes that nobody puts; reads beside gets
  MPI_Win_fence(0, w), MPI_Win_fence(MPI_MODE_NOSUCCEED, w2);
  for (int i = 0; i < 16; i++) m[i] = y[i] = x[i] = other[i] = 0;  // after it everything is ours
  MPI_Win_fence(0, w);
  for (int i = 0; i < 3; i++) MPI_Accumulate(x, 8, MPI_INT, i, 0, 8, MPI_INT, MPI_SUM, w);   // 11.7.1: the same operation
  MPI_Get_accumulate(NULL, 0, MPI_INT, y, 8, MPI_INT, right, 0, 8, MPI_INT, MPI_NO_OP, w);
  MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT, w);
  if (m[20] < 0) abort();
  MPI_Win_fence(0, w);
  // derived types with gaps: even and odd elements
  MPI_Datatype even;
  MPI_Type_vector(8, 1, 2, MPI_INT, &even), MPI_Type_commit(&even);
  if (rank < 2) MPI_Put(x, 8, MPI_INT, 0, rank, 1, even, w);
  if (rank == 2) MPI_Get(y, 8, MPI_INT, 0, 32, 1, even, w);
  if (rank == 0) m[33] = 1;
  MPI_Type_free(&even);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, w);
  MPI_Win_free(&w), MPI_Win_free(&w2);
}

static void groups(void) {   // 11.5.2
  int m[4] = {0}, x = rank;
  MPI_Win w;
  MPI_Group world, to, from;
  MPI_Win_create(m, sizeof m, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &right, &to), MPI_Group_incl(world, 1, &left, &from);
  for (int i = 0; i < 3; i++) {
    if (!(i & 1)) m[0] = -1;
    MPI_Win_post(from, i & 1 ? MPI_MODE_NOSTORE : 0, w);
    MPI_Win_start(to, 0, w);
    MPI_Put(&x, 1, MPI_INT, right, 0, 1, MPI_INT, w);
    MPI_Win_complete(w);
    x++;
    int flag = 0;
    if (i) MPI_Win_wait(w);
    else while (!flag) MPI_Win_test(w, &flag);
    if (m[0] != left + i) abort();
    x = rank + i + 1;
  }
  MPI_Group_free(&world), MPI_Group_free(&to), MPI_Group_free(&from), MPI_Win_free(&w);
}

static void locks(void) {   // 11.5.3, 11.5.4, 11.3.4, 11.3.5
  int *m, one = 1, old, zero = 0, x[4] = {0}, y[4];
  MPI_Win w;
  MPI_Request r[3];
  MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &m, &w);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, w);
  for (int i = 0; i < 16; i++) m[i] = 0;
  MPI_Win_unlock(rank, w);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int t = 0; t < size; t++) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, t, 0, w);
    MPI_Get(y, 1, MPI_INT, t, 0, 1, MPI_INT, w);
    MPI_Win_flush(t, w);
    y[0]++;
    MPI_Put(y, 1, MPI_INT, t, 0, 1, MPI_INT, w);
    MPI_Win_unlock(t, w);
  }
  MPI_Win_lock(MPI_LOCK_SHARED, right, 0, w);
  MPI_Put(x, 1, MPI_INT, right, 4 + rank, 1, MPI_INT, w);
  MPI_Win_flush_local(right, w);
  x[0] = 1;
  MPI_Win_unlock(right, w);
  MPI_Barrier(MPI_COMM_WORLD);   // below rank 1 waits under a shared lock for rank 0: nobody may still need an exclusive one
  MPI_Win_lock_all(0, w);
  MPI_Rput(x, 1, MPI_INT, right, 8, 1, MPI_INT, w, &r[0]);
  MPI_Rget(y, 1, MPI_INT, right, 9, 1, MPI_INT, w, &r[1]);
  MPI_Raccumulate(&one, 1, MPI_INT, 0, 10, 1, MPI_INT, MPI_SUM, w, &r[2]);
  MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
  x[0] = y[0] = 0;
  MPI_Rget_accumulate(&one, 1, MPI_INT, &old, 1, MPI_INT, 0, 10, 1, MPI_INT, MPI_SUM, w, &r[0]);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 11, MPI_SUM, w);
  MPI_Fetch_and_op(NULL, &y[1], MPI_INT, 0, 11, MPI_NO_OP, w);
  MPI_Compare_and_swap(&one, &zero, &y[2], MPI_INT, 0, 12, w);
  MPI_Win_flush_all(w);
  old++, y[1]++, y[2]++;
  MPI_Put(&one, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, w);
  // One side polls its window while the other puts (11.7, example 11.9).
  if (rank == 0) MPI_Accumulate(&one, 1, MPI_INT, 1, 15, 1, MPI_INT, MPI_REPLACE, w), MPI_Win_flush(1, w);
  if (rank == 1) {
    int flag;   // lets the library progress
    while (*(volatile int *)&m[15] != 1) MPI_Win_sync(w), MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
  }
  MPI_Win_unlock_all(w);
  MPI_Win_free(&w);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  right = (rank + 1) % size, left = (rank + size - 1) % size;
  fences();
  groups();
  locks();
  if (!rank) puts("done");
  MPI_Finalize();
  return 0;
}
