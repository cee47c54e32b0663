// A profiling layer (MPI-3.1 14.2), in the program, beside it, in a library: counts what it always did, and what it passes on is checked once.
// RUN: %mpicc-check -O2 -DLAYER -DPROGRAM %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,SEEN --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -DLAYER -c %s -o %t-layer.o && %mpicc-check -DPROGRAM %s %t-layer.o -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,SEEN --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -DLAYER -fPIC -shared %s -o %t-layer.so && %mpicc-check -DPROGRAM %s %t-layer.so -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,SEEN --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// In C++.
// RUN: %mpicxx-check -x c++ -DLAYER -DPROGRAM %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,SEEN --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// Not recompiled: named, and nothing wrong is concluded from what passes us by.
// RUN: %mpicc -DLAYER -fPIC -shared %s -o %t-layer.so && %mpicc-check -DPROGRAM %s %t-layer.so -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,UNSEEN --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc -DLAYER -c %s -o %t-layer.o && %mpicc-check -DPROGRAM %s %t-layer.o -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --check-prefixes=CHECK,UNSEEN --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CHECK-COUNT-2: the layer saw 9 calls
// SEEN: ==mpicc-check== no errors found in {{.*}} on 2 ranks (44 MPI calls)
// UNSEEN: ==mpicc-check== NOTE [unchecked] {{.*}}profiling-layer.c.tmp{{.*}} calls PMPI_Comm_free, PMPI_Finalize, PMPI_Isend, PMPI_Recv, PMPI_Type_commit, PMPI_Wait, PMPI_Win_fence: not seen
// UNSEEN: ==mpicc-check== 0 errors, 0 warnings, 1 note
#include <mpi.h>
#include <stdio.h>

#ifdef LAYER
static int calls;  // of each name that it wraps, however they come to it
int MPI_Isend(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r) {
  return calls++, PMPI_Isend(b, n, t, to, tag, c, r);
}
int MPI_Recv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s) {
  return calls++, PMPI_Recv(b, n, t, from, tag, c, s);
}
int MPI_Wait(MPI_Request *r, MPI_Status *s) { return calls++, PMPI_Wait(r, s); }
int MPI_Type_commit(MPI_Datatype *t) { return calls++, PMPI_Type_commit(t); }
int MPI_Comm_free(MPI_Comm *c) { return calls++, PMPI_Comm_free(c); }
int MPI_Win_fence(int a, MPI_Win w) { return calls++, PMPI_Win_fence(a, w); }
int MPI_Finalize(void) {
  printf("the layer saw %d calls\n", calls);
  return PMPI_Finalize();
}
#endif
#ifdef PROGRAM
int main(int argc, char **argv) {
  int rank, size, x[4] = {1}, y[4];
  MPI_Comm work;
  MPI_Request r;
  MPI_Datatype pair;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &work);
  MPI_Type_contiguous(2, MPI_INT, &pair), MPI_Type_commit(&pair);
  MPI_Isend(x, 1, pair, (rank + 1) % size, 1, work, &r);
  MPI_Recv(y, 1, pair, (rank + size - 1) % size, 1, work, MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  x[0] = 2;
  MPI_Irecv(y, 1, pair, (rank + size - 1) % size, 1, work, &r);
  MPI_Send(x, 1, pair, (rank + 1) % size, 1, work);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  y[0] = 2;
  MPI_Win_create(x, sizeof x, 1, MPI_INFO_NULL, work, &win);
  MPI_Win_fence(0, win);
  MPI_Put(y, 1, MPI_INT, 0, 4 * rank, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  MPI_Put(y, 1, MPI_INT, 0, 4 * (size - 1 - rank), 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win), MPI_Type_free(&pair), MPI_Comm_free(&work);
  MPI_Finalize();
  return 0;
}
#endif
