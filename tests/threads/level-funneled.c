// RUN: %mpicc-check %s -o %t -pthread
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second thread sends, but the program has asked for MPI_THREAD_FUNNELED.
// CHECK: ==mpicc-check== ERROR [thread.level] MPI_Send is called by another thread than the main one,
// CHECK-SAME: at MPI_THREAD_FUNNELED
#include <mpi.h>
#include <pthread.h>

static void *work(void *x) {
  int rank;
  MPI_Query_thread(&rank);   // from any thread (MPI-3.1 12.4)
  // CHECK-NEXT: MPI_Send on rank 0 {{.*}}level-funneled.c:[[#@LINE+2]] in work
  // CHECK-NEXT: MPI_Init_thread was asked for MPI_THREAD_FUNNELED and gave MPI_THREAD_FUNNELED {{.*}} in main
  MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  // The other calls of such threads are the same mistake.
  // CHECK-NEXT: below MPI_THREAD_SERIALIZED only the thread that initialized MPI may call it
  // CHECK-NEXT: so is MPI_Barrier at level-funneled.c:[[#@LINE+2]]
  // CHECK-NEXT: help:
  MPI_Barrier(MPI_COMM_SELF);
  return x;
}

int main(int argc, char **argv) {
  int level, x = 7, y = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &x);
  MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return y != 7;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 1 note
