// RUN: %mpicc-check %s -o %t -pthread
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: at MPI_THREAD_FUNNELED the main thread communicates while others compute beside buffers in use and in window
// memory that nobody else touches. What they load and store is signalled, from a moment on that the runtime does not know before.
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 3, N = 64, ROUNDS = 50 };
static int *base, array[(THREADS + 1) * N];

static void *work(void *argument) {
  int me = (int)(long)argument, *mine = array + (1 + me) * N, *window = base + (1 + me) * N;
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < N; i++) mine[i] += i, window[i * 7 % N] = mine[i];
  return NULL;
}

int main(int argc, char **argv) {
  int level, rank, size, out[N] = {0};
  MPI_Win win;
  pthread_t threads[THREADS];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate((THREADS + 1) * N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  MPI_Win_fence(0, win);
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (int round = 0; round < ROUNDS; round++) {
    MPI_Request r[2];
    MPI_Irecv(array, N, MPI_INT, (rank + size - 1) % size, round, MPI_COMM_WORLD, &r[0]);
    out[0] = round;
    MPI_Isend(out, N, MPI_INT, (rank + 1) % size, round, MPI_COMM_WORLD, &r[1]);
    MPI_Put(out + 1, 1, MPI_INT, (rank + 1) % size, round % N, 1, MPI_INT, win);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    if (array[0] != round) abort();
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  if (!rank) puts("done");
  MPI_Finalize();
  return 0;
}
