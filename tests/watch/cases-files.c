// CASES: case (\d+):.*//!
// ONCE: %mpicc-check -Wno-mpicc-check-deadlock %s -o %t
// RUN: mkdir -p %t-%case && cd %t-%case && python3 %S/cases.py %s %t %mpirun-check -k %case
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files (MPI-3.1 13): a collective over a file may stand still because of a disk, so these take longer to be sure of.
#include "cases.h"

static MPI_File file, second = MPI_FILE_NULL;
#define BEFORE() do { late(0); if (ok && rank == 0) send(1, 0); } while (0)
#define AFTER() do { if (!ok && rank == 0) send(1, 0); } while (0)

static void run(int number) {
  MPI_File_open(world, "cases-files.out", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  switch (number) {
  case 1:  //! 2 deadlock watch_period=20
    BEFORE();
    if (rank == 1) recv(0, 0);  //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_File_open(world, "cases-files.out", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &second);  //@ 0 MPI_File_open for rank 1
    AFTER();
    break;
  case 2:  //! 2 deadlock watch_period=20
    BEFORE();
    if (rank == 1) recv(0, 0);  //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);  //@ 0 MPI_File_seek_shared for rank 1
    AFTER();
    break;
  case 3:  //! 2 deadlock watch_period=20
    BEFORE();
    if (rank == 1) recv(0, 0);  //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_File_read_ordered(file, &x, 1, MPI_INT, IGNORE);  //@ 0 MPI_File_read_ordered for rank 1
    AFTER();
    break;
  case 4:  //! 2 deadlock watch_period=20
    BEFORE();
    if (rank == 1) recv(0, 0);  //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);  //@ 0 MPI_File_set_view for rank 1
    AFTER();
    break;
  case 5:  //! 2 deadlock watch_period=20
    BEFORE();
    if (rank == 1) recv(0, 0);  //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_File_set_size(file, 64);  //@ 0 MPI_File_set_size for rank 1
    AFTER();
    break;
  case 6:  //! 2 deadlock watch_period=20
    BEFORE();
    if (rank == 1) recv(0, 0);  //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_File_sync(file);  //@ 0 MPI_File_sync for rank 1
    AFTER();
    break;
  case 7:  //! 2 deadlock watch_period=20
    BEFORE();
    if (rank == 1) recv(0, 0);  //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_File_write_ordered(file, &x, 1, MPI_INT, IGNORE);  //@ 0 MPI_File_write_ordered for rank 1
    AFTER();
    break;
  case 8:  //! 2 deadlock watch_period=20
    // A split access may wait in its begin or in its end.
    BEFORE();
    if (rank == 1) recv(0, 0);  //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_File_write_ordered_begin(file, &x, 1, MPI_INT);  //@ 0 MPI_File_write_ordered_begin for rank 1
    MPI_File_write_ordered_end(file, &x, IGNORE);
    AFTER();
    break;
  case 9:  //! 2 deadlock watch_period=20
    BEFORE();
    if (rank == 1) recv(0, 0);  //@ 1 MPI_Recv(source 0, tag 0) for rank 0
    MPI_File_close(&file);      //@ 0 MPI_File_close for rank 1
    AFTER();
    break;
  }
  if (second != MPI_FILE_NULL) MPI_File_close(&second);
  if (file != MPI_FILE_NULL) MPI_File_close(&file);
}
