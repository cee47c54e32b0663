// RUN: %mpicc-check %s -o %t -pthread
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mpirun-check -n 2 %t multiple 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// Legal, so nothing may be said: MPI_Finalized and the like are allowed at any time, from any thread (MPI-3.1 8.7, 12.4).
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
static void *poll(void *arg) {
  int is_over = 0, is_on, level, is_main;
  char v[MPI_MAX_LIBRARY_VERSION_STRING];
  while (!is_over) {
    MPI_Initialized(&is_on);
    MPI_Get_library_version(v, &level);
    MPI_Finalized(&is_over);
  }
  return arg;
}
int main(int argc, char **argv) {
  int rank, provided;
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, poll, NULL);
  MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!rank) puts("done");
  MPI_Finalize();
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
}
