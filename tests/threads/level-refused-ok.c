// RUN: %mpicc-check %s -o %t -pthread -ldl
// RUN: %mpirun-check -n 1 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library gives less than was asked for; the program looks, and does without.
// CHECK: ==mpicc-check== no errors found
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
  MPI_Comm_rank(MPI_COMM_WORLD, x);
  return x;
}

int main(int argc, char **argv) {
  int level, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  pthread_t thread;
  if (level == MPI_THREAD_MULTIPLE) {
    pthread_create(&thread, NULL, work, &rank);
    pthread_join(thread, NULL);
  } else work(&rank);
  MPI_Finalize();
  return rank;
}
