// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: dynamic and shared windows, a window on a part of the ranks, windows made and freed in turn.
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size, x = 1, *m, *theirs, unit;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int right = (rank + 1) % size;
  MPI_Win w;
  // MPI-3.1 11.2.4
  static int attached[8];
  MPI_Aint at, there, bytes;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  MPI_Win_attach(w, attached, sizeof attached);
  MPI_Get_address(attached, &at);
  MPI_Sendrecv(&at, 1, MPI_AINT, (rank + size - 1) % size, 0, &there, 1, MPI_AINT, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Win_lock_all(0, w);
  MPI_Put(&x, 1, MPI_INT, right, there, 1, MPI_INT, w);
  MPI_Win_flush(right, w);
  x = 2;
  MPI_Win_unlock_all(w);
  MPI_Barrier(MPI_COMM_WORLD);
  attached[0]++;
  MPI_Win_fence(0, w);
  MPI_Put(&x, 1, MPI_INT, right, MPI_Aint_add(there, 4), 1, MPI_INT, w);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, w);
  MPI_Win_detach(w, attached);
  MPI_Win_free(&w);
  // 11.2.3: shared memory, stores and loads by the neighbours themselves
  MPI_Win_allocate_shared(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &m, &w);
  MPI_Win_shared_query(w, right, &bytes, &unit, &theirs);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, w);
  m[0] = rank;
  MPI_Win_sync(w), MPI_Barrier(MPI_COMM_WORLD), MPI_Win_sync(w);
  if (theirs[0] != right) abort();
  theirs[1] = rank;
  MPI_Win_sync(w), MPI_Barrier(MPI_COMM_WORLD), MPI_Win_sync(w);
  m[1]++;
  MPI_Win_unlock_all(w);
  MPI_Win_fence(0, w);
  theirs[2] = 3, m[3] = 4;
  MPI_Win_fence(0, w);
  m[2]++;
  MPI_Win_fence(MPI_MODE_NOSUCCEED, w);
  MPI_Win_free(&w);
  // in turn, the same memory and handle, a part of the ranks, sizes that differ, nothing at all
  MPI_Comm c;
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &c);
  for (int i = 0; i < 5; i++) {
    MPI_Comm on = i & 1 ? c : MPI_COMM_WORLD;
    int n;
    MPI_Comm_size(on, &n);
    if (n == 1) continue;   // Open MPI has no windows on one process here
    MPI_Win_create(rank || i < 3 ? attached : NULL, rank || i < 3 ? sizeof attached : 0, 4, MPI_INFO_NULL, on, &w);
    attached[rank] = i;
    MPI_Win_fence(0, w);
    if (i < 3) MPI_Put(&x, 1, MPI_INT, n - 1, rank, 1, MPI_INT, w);
    MPI_Win_fence(0, w);
    attached[rank] = i;
    MPI_Win_free(&w);
    attached[7] = i;
  }
  MPI_Comm_free(&c);
  // Two windows on one communicator with fences in turn; the buffer of one is the window of no other.
  MPI_Win a, b;
  static int s[4], t[4];
  MPI_Win_create(s, sizeof s, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &a);
  MPI_Win_create(t, sizeof t, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &b);
  MPI_Win_fence(0, a), MPI_Win_fence(0, b);
  for (int i = 0; i < 4; i++) {
    MPI_Put(&x, 1, MPI_INT, right, 0, 1, MPI_INT, i & 1 ? a : b);
    (i & 1 ? t : s)[0] = i;
    MPI_Win_fence(0, i & 1 ? a : b);
    (i & 1 ? s : t)[0] = i;
    MPI_Win_fence(0, i & 1 ? a : b);
    MPI_Win_fence(0, i & 1 ? b : a);
  }
  MPI_Win_free(&b), MPI_Win_free(&a);
  if (!rank) puts("done");
  MPI_Finalize();
  return 0;
}
