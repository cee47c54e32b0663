// RUN: %mpicc-check %s -o %t
// RUN: %expect66 %mpirun-check -n 3 %t %t.data 2>&1 | \
// RUN:   FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpirun-check -n 2 %t %t.data locks 2>&1 | FileCheck %s --check-prefix=LOCKS
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each rank writes four numbers, but the parts are only two numbers apart. And rank 0 reads behind a barrier
// what nobody has synchronized: a warning.
// CHECK: ==mpicc-check== ERROR [io.overlap] two ranks write the same bytes of a file, and nothing orders the two
// LOCKS: ==mpicc-check== WARNING [io.overlap] a rank writes bytes of a file that another one writes
// LOCKS: locks, atomic operations or messages may say which of the two comes first; they do not move what
// LOCKS: ==mpicc-check== 0 errors, 1 warning, 0 notes
#include <mpi.h>

// Exclusive turns keep the writes apart, and synchronize no file. In atomic mode nothing more is needed.
static void write_in_turns(MPI_File f) {
  int *turn, x = 1, have = 0;
  MPI_Win win;
  MPI_Win_allocate(sizeof *turn, sizeof *turn, MPI_INFO_NULL, MPI_COMM_WORLD, &turn, &win);
  for (int is_atomic = 0; is_atomic < 2; is_atomic++) {
    MPI_File_set_atomicity(f, is_atomic);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Get(&have, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    MPI_File_write_at(f, 100 * is_atomic, &x, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  }
  MPI_Win_free(&win);
}

int main(int argc, char **argv) {
  int rank, x[4] = {0}, y[4];
  MPI_File f;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 2) return 1;
  if (argc > 2) {
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
    write_in_turns(f);
    MPI_File_close(&f);
    MPI_Finalize();
    return 0;
  }
  // CHECK: ==mpicc-check== WARNING [io.overlap] a rank reads bytes of a file that another one writes, and no MPI_File_sync
  // is between the two
  // CHECK-DAG: the file was opened by MPI_File_open {{.*}}overlap.c:[[#@LINE+1]] in main
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
  // CHECK-DAG: MPI_File_write_at_all from rank 1 {{.*}}overlap.c:[[#@LINE+1]] in main
  MPI_File_write_at_all(f, 8 * rank, x, 4, MPI_INT, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  // CHECK-DAG: conflicts with MPI_File_read_at from rank 0 {{.*}}overlap.c:[[#@LINE+1]] in main
  if (rank == 0) MPI_File_read_at(f, 16, y, 2, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== 1 error, 1 warning, 0 notes
