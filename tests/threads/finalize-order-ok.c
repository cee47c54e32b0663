// RUN: %mpicc-check %s -o %t -pthread
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same as finalize-order.c, but the thread says when it has ended its call.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *work(void *x) {
  MPI_Barrier(MPI_COMM_SELF);
  sem_post(&done);
  return x;
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  sem_init(&done, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_detach(thread);
  sem_wait(&done);
  MPI_Finalize();
  return 0;
}
