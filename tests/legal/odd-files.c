// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t %t.data 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: corners of MPI-IO (MPI-3.1 chapter 13).
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size, x[8] = {0}, y[8] = {0};
  MPI_File f, g;
  MPI_Request r[2];
  MPI_Datatype odd, back, darray;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 2) return 1;
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  // 13.4.5: each file handle has its own split access; independent accesses of the same handle may go on (13.4.5), nonblocking ones too.
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDWR | MPI_MODE_UNIQUE_OPEN, MPI_INFO_NULL, &g);
  MPI_File_write_at_all_begin(f, 32 * rank, x, 8, MPI_INT);
  MPI_File_write_at_all(g, 128 + 32 * rank, y, 8, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_write_at(f, 256 + 32 * rank, x, 8, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_write_at_all_end(f, x, MPI_STATUS_IGNORE);
  // 13.4.5: a begin with another datatype, or nothing, is as good; the next access has another buffer.
  MPI_File_write_at_all_begin(f, 0, y, 0, MPI_INT), MPI_File_write_at_all_end(f, y, MPI_STATUS_IGNORE);
  MPI_File_close(&g);   // f's operations do not matter
  // 13.3: an etype that has bytes twice may be read; the buffer's datatype may have any order (13.4.1).
  int one[2] = {1, 1}, places[2] = {1, 0};
  MPI_Type_indexed(2, one, places, MPI_INT, &back), MPI_Type_commit(&back);
  MPI_File_write_at(f, 512 + 32 * rank, x, 4, back, MPI_STATUS_IGNORE);
  MPI_File_read_at(f, 512 + 32 * rank, y, 4, back, MPI_STATUS_IGNORE);
  // 13.3: distributed arrays, holes at both ends, an etype of bytes.
  int gsizes[1] = {8}, distribs[1] = {MPI_DISTRIBUTE_CYCLIC}, dargs[1] = {MPI_DISTRIBUTE_DFLT_DARG}, psizes[1] = {size};
  MPI_Type_create_darray(size, rank, 1, gsizes, distribs, dargs, psizes, MPI_ORDER_C, MPI_INT, &darray), MPI_Type_commit(&darray);
  MPI_File_sync(f);   // 13.6.1
  MPI_File_set_view(f, 3, MPI_INT, darray, "native", MPI_INFO_NULL);
  MPI_File_iwrite_all(f, x, 4, MPI_INT, &r[0]);
  MPI_Waitall(1, r, MPI_STATUSES_IGNORE);
  MPI_Type_vector(2, 1, 3, MPI_CHAR, &odd), MPI_Type_commit(&odd);
  MPI_File_sync(f);
  MPI_File_set_view(f, 1 + 64 * rank, MPI_BYTE, odd, "native", MPI_INFO_NULL);
  MPI_File_write(f, x, 3, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_set_view(f, 0, odd, odd, "native", MPI_INFO_NULL);
  MPI_File_seek(f, -1, MPI_SEEK_END), MPI_File_seek(f, 0, MPI_SEEK_SET);
  // A request that was tested through a copy, or found complete, is no pending operation.
  MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  MPI_File_iwrite_at(f, 64 * rank, x, 1, MPI_INT, &r[0]);
  MPI_Request copy = r[0];
  MPI_Wait(&copy, MPI_STATUS_IGNORE);
  MPI_File_iwrite_at(f, 64 * rank, x, 1, MPI_INT, &r[1]);
  for (int flag = 0; !flag;) MPI_Request_get_status(r[1], &flag, MPI_STATUS_IGNORE);
  x[0] = 1;
  MPI_File_sync(f);
  MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  MPI_Type_free(&odd), MPI_Type_free(&back), MPI_Type_free(&darray);
  MPI_Offset end;
  MPI_File_get_size(f, &end);
  MPI_File_set_size(f, end);
  MPI_File_set_atomicity(f, 1 + rank);   // any value but 0 is true
  // 4.1.5: a filetype of more bytes than an int counts.
  MPI_Datatype huge;
  MPI_Type_contiguous(1 << 30, MPI_INT, &huge), MPI_Type_commit(&huge);
  MPI_File_set_view(f, 4 * rank, MPI_INT, huge, "native", MPI_INFO_NULL);
  MPI_File_write(f, x, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_Type_free(&huge);
  MPI_File_close(&f);
  // 13.2.1: reading alone, in sequence.
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
  MPI_File_read_shared(f, y, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
  if (!rank) puts("done");
  MPI_Finalize();
  return 0;
}
