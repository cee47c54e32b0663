// RUN: %mpicc-check %s -o %t -pthread -ldl
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another thread tests a request of its own while the main one waits, and the other's when that one is back.
// CHECK: ==mpicc-check== 0 errors, 0 warnings, 1 note
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t inside, done, back;
static MPI_Request requests[2];

int PMPI_Waitany(int n, MPI_Request *r, int *which, MPI_Status *status) {
  int (*real)(int, MPI_Request *, int *, MPI_Status *) = (int (*)(int, MPI_Request *, int *, MPI_Status *))dlsym(RTLD_NEXT, "PMPI_Waitany");
  if (r == requests) sem_post(&inside), sem_wait(&done);
  return real(n, r, which, status);
}

static void *work(void *x) {
  int n, which, flag;
  MPI_Request copy;
  sem_wait(&inside);
  MPI_Irecv(&flag, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &copy);
  MPI_Testsome(1, &copy, &n, &which, MPI_STATUSES_IGNORE);
  sem_post(&done);
  MPI_Send(x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
  MPI_Wait(&copy, MPI_STATUS_IGNORE);
  MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  sem_wait(&back);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  return x;
}

int main(int argc, char **argv) {
  int level, which, x = 1, y, z;
  sem_init(&inside, 0, 0), sem_init(&done, 0, 0), sem_init(&back, 0, 0);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &x);
  MPI_Recv_init(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Start(&requests[1]);
  MPI_Irecv(&z, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
  MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  sem_post(&back);
  pthread_join(thread, NULL);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Request_free(&requests[1]);
  MPI_Finalize();
  return 0;
}
