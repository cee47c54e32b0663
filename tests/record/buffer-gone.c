// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,FAST \
// RUN:   --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -O2 %s -o %t
// RUN: %expect66 env MPICC_CHECK_OPTIONS=access=0 %mpirun-check -n 2 %t 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,PLAIN \
// RUN:   --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffer's memory goes away before the operation is complete: it is freed, moved, given back, unmapped, or belonged to a function that has returned.
#define _GNU_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { N = 300 };
static int rank;

__attribute__((noinline)) static void post(MPI_Request *request) {
  int local[N];
  // CHECK-DAG: MPI_Irecv by rank 0 {{.*}}buffer-gone.c:[[#@LINE+1]] in post
  MPI_Irecv(local, N, MPI_INT, 1, 3, MPI_COMM_WORLD, request);
}

static int *map(int *at, int flags) { return mmap(at, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0); }

int main(int argc, char **argv) {
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *freed = calloc(N, sizeof *freed), *moved = calloc(N, sizeof *moved), *given, other[N] = {0};
  MPI_Alloc_mem(sizeof other, MPI_INFO_NULL, &given);
  for (int i = 0; i < N; i++) given[i] = i;
  if (rank == 0) {
    MPI_Isend(freed + 10, N - 10, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    // CHECK-DAG: ERROR [buffer.modified-in-use] free of a buffer that a pending MPI_Isend is sending from
    // CHECK-DAG: free by rank 0 {{.*}}buffer-gone.c:[[#@LINE+1]] in main
    free(freed);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(moved, N, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    // CHECK-DAG: ERROR [buffer.modified-in-use] free of a buffer that a pending MPI_Irecv will write
    // CHECK-DAG: free by rank 0 {{.*}}buffer-gone.c:[[#@LINE+1]] in main
    moved = realloc(moved, 1000000);
    MPI_Recv(other, 0, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isend(given, N, MPI_INT, 1, 2, MPI_COMM_WORLD, &request);
    // CHECK-DAG: ERROR [buffer.modified-in-use] free of a buffer that a pending MPI_Isend is sending from
    // CHECK-DAG: free by rank 0 {{.*}}buffer-gone.c:[[#@LINE+1]] in main
    MPI_Free_mem(given);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    int *mapped = map(NULL, 0);
    MPI_Irecv(mapped, N, MPI_INT, 1, 4, MPI_COMM_WORLD, &request);
    // CHECK-DAG: ERROR [buffer.modified-in-use] free of a buffer that a pending MPI_Irecv will write
    // CHECK-DAG: free by rank 0 {{.*}}buffer-gone.c:[[#@LINE+1]] in main
    munmap(mapped, 4096);
    map(mapped, MAP_FIXED);   // so that nothing is written where nobody expects it
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    munmap(mapped, 4096);   // not in use any more
    post(&request);
    // PLAIN-DAG: ERROR [buffer.modified-in-use] the local variable that a pending MPI_Irecv will write no longer exists: its function has returned
    // PLAIN-DAG: completed by MPI_Wait {{.*}}buffer-gone.c:[[#@LINE+3]] in main
    // FAST-DAG: ERROR [buffer.modified-in-use] the local variable that a pending MPI_Irecv will write ends before that is complete
    // FAST-DAG: the variable's block ends on rank 0 {{.*}}buffer-gone.c:23 in post
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(other, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(other, 0, MPI_INT, 0, 9, MPI_COMM_WORLD);
    MPI_Send(other, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);   // empty, so that nothing is written where nobody expects it
    MPI_Recv(other, N, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(other, 0, MPI_INT, 0, 4, MPI_COMM_WORLD);
    MPI_Send(other, 0, MPI_INT, 0, 3, MPI_COMM_WORLD);
    free(freed), MPI_Free_mem(given);
  }
  free(moved);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 5 errors, 0 warnings, 0 notes
