// RUN: %mpicc-check %s -o %t -pthread
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI is finalized by another thread than the one that initialized it.
// CHECK: ==mpicc-check== ERROR [thread.level] MPI_Finalize is called by another thread than the one that initialized MPI
#include <mpi.h>
#include <pthread.h>

static void *work(void *x) {
  // CHECK-NEXT: MPI_Finalize on rank 0 {{.*}}level-finalize.c:[[#@LINE+1]] in work
  MPI_Finalize();
  return x;
}

int main(int argc, char **argv) {
  int level;
  // CHECK-NEXT: MPI_Init_thread was asked for MPI_THREAD_MULTIPLE and gave MPI_THREAD_MULTIPLE {{.*}}level-finalize.c:[[#@LINE+1]] in main
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings
