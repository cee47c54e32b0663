// RUN: %mpicc-check %s -o %t -pthread
// RUN: %mpirun-check --check-options watch_period=5 -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: under MPI_THREAD_MULTIPLE a thread that has not called MPI yet sets its own process free.
// CHECK: done
// CHECK: ==mpicc-check== 0 errors, 0 warnings, 1 note
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int rank;
static void *later(void *arg) {
  int x = 7;
  for (volatile long i = 0; i < 100000000; i++) {} // many periods of the watch
  MPI_Send(&x, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
  return arg;
}
int main(int argc, char **argv) {
  int provided, x = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pthread_t t;
  pthread_create(&t, NULL, later, NULL);
  MPI_Recv(&x, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  pthread_join(t, NULL);
  if (x != 7) abort();
  MPI_Barrier(MPI_COMM_WORLD);
  if (!rank) puts("done");
  MPI_Finalize();
}
