// RUN: %mpicc-check %s -o %t -pthread -ldl
// RUN: %expect66 %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library gives less than was asked for; the program does not look, and uses what it did not get.
// CHECK: ==mpicc-check== ERROR [thread.level] MPI_Comm_rank is called by another thread than the main one,
// CHECK-SAME: at MPI_THREAD_FUNNELED
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>

// Stands in for a library that has no more.
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  int (*real)(int *, char ***, int, int *) = (int (*)(int *, char ***, int, int *))dlsym(RTLD_NEXT, "PMPI_Init_thread");
  return real(argc, argv, required > MPI_THREAD_FUNNELED ? MPI_THREAD_FUNNELED : required, provided);
}

static void *work(void *x) {
  // CHECK-NEXT: MPI_Comm_rank on rank 0 {{.*}}level-refused.c:[[#@LINE+1]] in work
  MPI_Comm_rank(MPI_COMM_WORLD, x);
  return x;
}

int main(int argc, char **argv) {
  int level, rank;
  // CHECK-NEXT: MPI_Init_thread was asked for MPI_THREAD_MULTIPLE and gave MPI_THREAD_FUNNELED
  // CHECK-SAME: {{.*}}level-refused.c:[[#@LINE+1]] in main
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &rank);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return rank;
}
// CHECK: ==mpicc-check== 1 error, 0 warnings, 0 notes
