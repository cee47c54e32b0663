// ONCE: %mpicc-check %s -o %t
// CASES: // case (\d+):
// RUN: %python %source/tests/rma/cases.py 2 %mpirun-check %t %s %case
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two ranks open one file for themselves and write the same bytes, under locks or beside them. Locks say who is first,
// and move no bytes of a file: a sync or close of the one comes before an open or sync of the other (MPI-3.1 13.6.1).
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, x[4], *flag;
static MPI_Win win;
static MPI_File f;
static char path[4096];

static void open_file(void) {
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
}
static void lock(void) { MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win); }
static void unlock(void) { MPI_Win_unlock(0, win); }
static void write_at(int at) { MPI_File_write_at(f, at, x, 4, MPI_INT, MPI_STATUS_IGNORE); }
static int get_flag(int add) {
  int old;
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Fetch_and_op(&add, &old, MPI_INT, 0, 0, MPI_SUM, win);
  MPI_Win_unlock(0, win);
  return old;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(sizeof *flag, sizeof *flag, MPI_INFO_NULL, MPI_COMM_WORLD, &flag, &win);
  *flag = 0;
  snprintf(path, sizeof path, "%s.data", argv[0]);
  MPI_Win_fence(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  switch (atoi(argv[1])) {
  // case 1: io.overlap
  case 1:
    open_file();
    lock();
    MPI_File_write_at(f, 0, x, 4, MPI_INT, MPI_STATUS_IGNORE);   // @1
    unlock();
    MPI_File_close(&f);
    break;
  // case 2: ok
  case 2:
    lock();
    open_file();
    write_at(0);
    MPI_File_close(&f);
    unlock();
    break;
  // case 3: io.overlap (only behind the write)
  case 3:
    open_file();
    lock();
    MPI_File_write_at(f, 0, x, 4, MPI_INT, MPI_STATUS_IGNORE);   // @3
    MPI_File_sync(f);
    unlock();
    MPI_File_close(&f);
    break;
  // case 4: ok
  case 4:
    open_file();
    lock();
    MPI_File_sync(f);
    write_at(0);
    MPI_File_sync(f);
    unlock();
    MPI_File_close(&f);
    break;
  // case 5: io.overlap (before the first lock)
  case 5:
    open_file();
    MPI_File_write_at(f, 0, x, 4, MPI_INT, MPI_STATUS_IGNORE);   // @5
    MPI_File_close(&f);
    lock(), unlock();
    break;
  // case 6: ok (other bytes)
  case 6:
    open_file();
    write_at(16 * rank);
    MPI_File_close(&f);
    lock(), unlock();
    break;
  // case 7: io.overlap (a flag in the window, and no sync of rank 1)
  case 7:
    open_file();
    if (rank == 0) {
      MPI_File_write_at(f, 0, x, 4, MPI_INT, MPI_STATUS_IGNORE);   // @7
      MPI_File_sync(f);
      get_flag(1);
    } else {
      while (!get_flag(0)) continue;
      MPI_File_write_at(f, 0, x, 4, MPI_INT, MPI_STATUS_IGNORE);   // @7
    }
    MPI_File_close(&f);
    break;
  // case 8: ok
  case 8:
    open_file();
    if (rank == 0) {
      write_at(0);
      MPI_File_sync(f);
      get_flag(1);
    } else {
      while (!get_flag(0)) continue;
      MPI_File_sync(f);
      write_at(0);
    }
    MPI_File_close(&f);
    break;
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
