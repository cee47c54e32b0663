// RUN: %mpicc-check %s -o %t -pthread -ldl
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread tests the request that the main thread is waiting for: its own stand-in of the library's MPI_Wait says so.
// CHECK: ==mpicc-check== ERROR [thread.request] request of MPI_Test is being completed by another thread, which is in MPI_Wait
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t inside, done;
static MPI_Request request;

int PMPI_Wait(MPI_Request *r, MPI_Status *status) {
  int (*real)(MPI_Request *, MPI_Status *) = (int (*)(MPI_Request *, MPI_Status *))dlsym(RTLD_NEXT, "PMPI_Wait");
  if (r == &request) sem_post(&inside), sem_wait(&done);
  return real(r, status);
}

static void *work(void *x) {
  int flag;
  MPI_Request copy;
  sem_wait(&inside);
  copy = request;
  // CHECK-NEXT: MPI_Test on rank 0 {{.*}}request-wait.c:[[#@LINE+1]] in work
  MPI_Test(&copy, &flag, MPI_STATUS_IGNORE);
  sem_post(&done);
  MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  return x;
}

int main(int argc, char **argv) {
  int level, x = 1, y;
  sem_init(&inside, 0, 0), sem_init(&done, 0, 0);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &x);
  // CHECK-NEXT: the other thread is in MPI_Wait {{.*}}request-wait.c:[[#@LINE+3]] in main
  // CHECK-NEXT: the request was made by MPI_Irecv {{.*}}request-wait.c:[[#@LINE+1]] in main
  MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings
