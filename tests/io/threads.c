// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 2 %t %t.data 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread writes, and another one talks to the other process at the same time. The parts of the two
// processes overlap.
// CHECK: ==mpicc-check== ERROR [io.overlap] two ranks write the same bytes of a file, and nothing orders the two
#include <mpi.h>
#include <pthread.h>

static int rank, x[4];

static void *talk(void *unused) {
  for (int i = 0; i < 100; i++)
    MPI_Sendrecv(x, 1, MPI_INT, !rank, 7, x + 1, 1, MPI_INT, !rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return unused;
}

int main(int argc, char **argv) {
  int level, y[4] = {0};
  MPI_File f;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 2 || level < MPI_THREAD_MULTIPLE) return 1;
  // CHECK-DAG: the file was opened by MPI_File_open {{.*}}threads.c:[[#@LINE+1]] in main
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
  pthread_create(&thread, NULL, talk, NULL);
  // Both write the same bytes, one behind the synchronization: these are in order.
  if (rank == 0) MPI_File_write_at(f, 64, y, 4, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(f);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(f);
  if (rank == 1) MPI_File_write_at(f, 64, y, 4, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_seek(f, 8 * rank, MPI_SEEK_SET);
  // CHECK-DAG: MPI_File_write from rank 0 {{.*}}threads.c:[[#@LINE+2]] in main
  // CHECK-DAG: conflicts with MPI_File_write from rank 1 {{.*}}threads.c:[[#@LINE+1]] in main
  MPI_File_write(f, y, 4, MPI_INT, MPI_STATUS_IGNORE);
  pthread_join(thread, NULL);
  MPI_File_close(&f);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== NOTE [unchecked] several threads called MPI
// CHECK: ==mpicc-check== 1 error, 0 warnings, 1 note
