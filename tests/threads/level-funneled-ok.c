// RUN: %mpicc-check %s -o %t -pthread
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main thread sends what the second one has computed.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <pthread.h>

static void *work(void *x) {
  int level;
  MPI_Query_thread(&level);   // from any thread (MPI-3.1 12.4)
  MPI_Wtime();
  *(int *)x = 7;
  return x;
}

int main(int argc, char **argv) {
  int level, x = 0, y = 0;
  MPI_Request request;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &x);
  MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  pthread_join(thread, NULL);
  MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return y != 7;
}
