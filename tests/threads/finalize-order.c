// RUN: %mpicc-check %s -o %t -pthread
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread is detached, and nothing but a pause lets MPI_Finalize wait for its call.
// CHECK: ==mpicc-check== ERROR [thread.level] MPI_Finalize is called, and nothing orders MPI_Barrier of another thread
// before it
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void *work(void *x) {
  // CHECK-DAG: MPI_Barrier{{.*}} by a thread {{.*}}finalize-order.c:[[#@LINE+1]] in work
  MPI_Barrier(MPI_COMM_SELF);
  return x;
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_detach(thread);
  usleep(100000);
  // CHECK-DAG: MPI_Finalize{{.*}} by the main thread {{.*}}finalize-order.c:[[#@LINE+1]] in main
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings
