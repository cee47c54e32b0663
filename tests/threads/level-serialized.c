// RUN: %mpicc-check %s -o %t -pthread
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread calls MPI while the main one is in MPI_Reduce_local, for certain: it is in its reduction function.
// CHECK: ==mpicc-check== ERROR [thread.level] MPI_Comm_rank is called while another thread is in an MPI call, but the thread level is MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t inside, done;

static void add(void *in, void *inout, int *n, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *n; i++) ((int *)inout)[i] += ((int *)in)[i];
  sem_post(&inside);
  sem_wait(&done);
}

static void *work(void *x) {
  int rank;
  sem_wait(&inside);
  // CHECK-NEXT: MPI_Comm_rank on rank 0 {{.*}}level-serialized.c:[[#@LINE+1]] in work
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  sem_post(&done);
  return x;
}

int main(int argc, char **argv) {
  int level, x = 1, y = 2;
  MPI_Op op;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  sem_init(&inside, 0, 0), sem_init(&done, 0, 0);
  MPI_Op_create(add, 1, &op);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  // CHECK-NEXT: the other thread is in MPI_Reduce_local {{.*}}level-serialized.c:[[#@LINE+2]] in main
  // CHECK-NEXT: MPI_Init_thread was asked for MPI_THREAD_SERIALIZED and gave MPI_THREAD_SERIALIZED
  MPI_Reduce_local(&x, &y, 1, MPI_INT, op);
  pthread_join(thread, NULL);
  MPI_Op_free(&op);
  MPI_Finalize();
  return y != 3;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 1 note
