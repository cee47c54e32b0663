// RUN: %mpicc-check %s -o %t -pthread -ldl
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread waits for one of the requests of a call that another one is in, a persistent one: its own stand-in of the library's MPI_Waitany says so.
// CHECK: ==mpicc-check== ERROR [thread.request] array_of_requests of MPI_Testsome is being completed by another thread, which is in MPI_Waitany
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t inside, done;
static MPI_Request requests[2];

int PMPI_Waitany(int n, MPI_Request *r, int *which, MPI_Status *status) {
  int (*real)(int, MPI_Request *, int *, MPI_Status *) = (int (*)(int, MPI_Request *, int *, MPI_Status *))dlsym(RTLD_NEXT, "PMPI_Waitany");
  if (r == requests) sem_post(&inside), sem_wait(&done);
  return real(n, r, which, status);
}

static void *work(void *x) {
  int n, which;
  MPI_Request copy;
  sem_wait(&inside);
  copy = requests[1];
  // CHECK-NEXT: MPI_Testsome on rank 0 {{.*}}request-waitany.c:[[#@LINE+1]] in work
  MPI_Testsome(1, &copy, &n, &which, MPI_STATUSES_IGNORE);
  sem_post(&done);
  MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  return x;
}

int main(int argc, char **argv) {
  int level, which, x = 1, y, z;
  sem_init(&inside, 0, 0), sem_init(&done, 0, 0);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &x);
  // CHECK-NEXT: the other thread is in MPI_Waitany {{.*}}request-waitany.c:[[#@LINE+5]] in main
  // CHECK-NEXT: the request was made by MPI_Recv_init {{.*}}request-waitany.c:[[#@LINE+1]] in main
  MPI_Recv_init(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Start(&requests[1]);
  MPI_Irecv(&z, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
  MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Request_free(&requests[1]);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings
