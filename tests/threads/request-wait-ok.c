// RUN: %mpicc-check %s -o %t -pthread -ldl
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// While the main thread waits for a request, another one asks for its status, cancels it, and completes requests of its own: a new one
// that has the same handle would be among them.
// CHECK: ==mpicc-check== no errors found
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t inside, done;
static MPI_Request request;

int PMPI_Wait(MPI_Request *r, MPI_Status *status) {
  static __thread int depth;
  int (*real)(MPI_Request *, MPI_Status *) = (int (*)(MPI_Request *, MPI_Status *))dlsym(RTLD_NEXT, "PMPI_Wait");
  if (r == &request && !depth++) sem_post(&inside), sem_wait(&done);
  return real(r, status);
}

static void *work(void *x) {
  int flag, y;
  MPI_Request own[2];
  sem_wait(&inside);
  MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  MPI_Cancel(&request);
  MPI_Irecv(&y, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &own[0]);
  MPI_Isend(x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &own[1]);
  MPI_Waitall(2, own, MPI_STATUSES_IGNORE);
  sem_post(&done);
  return x;
}

int main(int argc, char **argv) {
  int level, x = 1, y;
  sem_init(&inside, 0, 0), sem_init(&done, 0, 0);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &x);
  MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
