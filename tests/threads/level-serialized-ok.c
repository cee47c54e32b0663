// RUN: %mpicc-check %s -o %t -pthread
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread calls MPI when the main one has left it; what it calls before may be called at any time (MPI-3.1 12.4, 2.6.4).
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t inside, done, left;

static void add(void *in, void *inout, int *n, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *n; i++) ((int *)inout)[i] += ((int *)in)[i];
  sem_post(&inside);
  sem_wait(&done);
}

static void *work(void *x) {
  int rank;
  sem_wait(&inside);
  MPI_Wtime(), MPI_Wtick(), MPI_Query_thread(&rank), MPI_Is_thread_main(&rank), MPI_Initialized(&rank), MPI_Finalized(&rank);
  sem_post(&done);
  sem_wait(&left);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return x;
}

int main(int argc, char **argv) {
  int level, x = 1, y = 2;
  MPI_Op op;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  sem_init(&inside, 0, 0), sem_init(&done, 0, 0), sem_init(&left, 0, 0);
  MPI_Op_create(add, 1, &op);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  MPI_Reduce_local(&x, &y, 1, MPI_INT, op);
  sem_post(&left);
  pthread_join(thread, NULL);
  MPI_Op_free(&op);
  MPI_Finalize();
  return y != 3;
}
