// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t %t.data 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that do MPI-IO, rightly: two threads share an individual file pointer, whose place nobody knows; a thread
// writes what another thread of the other process wrote before a synchronization by a third one; a thread synchronizes
// a file while another one writes bytes of its own.
#include <mpi.h>
#include <pthread.h>

static int rank, x[4];
static MPI_File f, g;

static void *write_both(void *file) {
  int y[4] = {0};
  for (int i = 0; i < 20; i++) MPI_File_write(*(MPI_File *)file, y, 4, MPI_INT, MPI_STATUS_IGNORE);
  return NULL;
}
static void *write_here(void *at) {
  int y[4] = {0};
  MPI_File_write_at(f, *(MPI_Offset *)at, y, 4, MPI_INT, MPI_STATUS_IGNORE);
  return NULL;
}
static void *synchronize(void *unused) {
  MPI_File_sync(f);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(f);
  return unused;
}
static void run(void *(*function)(void *), void *argument) {
  pthread_t thread;
  pthread_create(&thread, NULL, function, argument);
  pthread_join(thread, NULL);
}

int main(int argc, char **argv) {
  int level;
  pthread_t threads[2];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 2 || level < MPI_THREAD_MULTIPLE) return 1;
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &g);
  MPI_File_set_view(g, 4096 + 1024 * rank, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, write_both, &g);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  MPI_File_close(&g);
  for (int i = 0; i < 10; i++) {
    MPI_Offset shared = 0, own = 64 + 16 * rank;
    if (rank == i % 2) run(write_here, &shared);
    pthread_create(&threads[0], NULL, synchronize, NULL);
    write_here(&own);
    pthread_join(threads[0], NULL);
    if (rank != i % 2) write_here(&shared);
    run(synchronize, NULL);
  }
  MPI_File_close(&f);
  MPI_Finalize();
  return x[0];
}
// CHECK: ==mpicc-check== no errors found
