// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -O2 %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What goes is not the buffer, or the operation is over; memory that grows in place, callers' local variables, other threads' stacks, requests that were given back.
// CHECK: ==mpicc-check== no errors found
#include <alloca.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

enum { N = 300 };
static int rank;

__attribute__((noinline)) static void post(int *local, MPI_Request *request) { MPI_Irecv(local, N, MPI_INT, 1, 3, MPI_COMM_WORLD, request); }
__attribute__((noinline)) static void finish(MPI_Request *request) {
  int mine[N];
  for (int i = 0; i < N; i++) mine[i] = i;
  MPI_Waitall(mine[1], request, MPI_STATUSES_IGNORE);
}
static void *complete(void *request) {   // the buffer is in the stack of the thread that waits for this one
  int flag = 0;
  while (!flag) MPI_Test(request, &flag, MPI_STATUS_IGNORE);
  return NULL;
}
static int *within(MPI_Request *request) {   // the parameter's and alloca's memory lives as long as this function
  int *at = alloca(N * sizeof *at);
  post(at, request);
  MPI_Wait(request, MPI_STATUS_IGNORE);
  return NULL;
}

int main(int argc, char **argv) {
  MPI_Request request;
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *block = calloc(N, sizeof *block), *neighbours[64], *grown = malloc(40), other[N] = {0};
  for (int i = 0; i < 64; i++) neighbours[i] = calloc(4, sizeof(int));   // many on each page
  int *small = calloc(4, sizeof *small);
  if (rank == 0) {
    MPI_Irecv(small, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 64; i++) free(neighbours[i]);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(small);
    MPI_Isend(grown, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    int *before = grown;
    for (int size = 39; size > 8 && grown == before; size--) grown = realloc(grown, (size_t)size);   // what is sent stays
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isend(block, N, MPI_INT, 1, 2, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Recv(other, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   // so it has arrived
    free(block);
    post(other, &request);
    finish(&request);
    post(other, &request);
    pthread_t thread;
    pthread_create(&thread, NULL, complete, &request);
    pthread_join(thread, NULL);
    within(&request);
  } else {
    MPI_Send(other, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(other, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(other, N, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(other, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++) MPI_Send(other, N, MPI_INT, 0, 3, MPI_COMM_WORLD);
    for (int i = 0; i < 64; i++) free(neighbours[i]);
    free(small), free(block);
  }
  free(grown);
  MPI_Finalize();
  return 0;
}
