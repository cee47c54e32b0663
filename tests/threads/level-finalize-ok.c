// RUN: %mpicc-check %s -o %t -pthread
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that is not the program's first initializes MPI and finalizes it: it is MPI's main thread (MPI-3.1 12.4.3).
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <pthread.h>

static void *work(void *x) {
  int level, rank;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return x;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return 0;
}
