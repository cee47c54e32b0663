// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t %t.data 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: files, blocking, nonblocking, collective, through views (MPI-3.1 chapter 13).
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size, x[4], y[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 2) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_File f;
  MPI_Datatype t, etype, filetype;
  MPI_Info info;
  MPI_Request r;
  MPI_Status s;
  char name[MPI_MAX_DATAREP_STRING];
  MPI_Offset at;
  for (int i = 0; i < 4; i++) x[i] = 10 * rank + i;
  MPI_Info_create(&info);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, info, &f);
  MPI_Info_free(&info);
  MPI_File_write_at_all(f, 16 * rank, x, 4, MPI_INT, &s);
  MPI_File_sync(f), MPI_Barrier(MPI_COMM_WORLD), MPI_File_sync(f);
  MPI_File_read_at(f, 16 * ((rank + 1) % size), y, 4, MPI_INT, MPI_STATUS_IGNORE);
  if (y[1] != 10 * ((rank + 1) % size) + 1) abort();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Type_vector(4, 1, size, MPI_INT, &t), MPI_Type_commit(&t);
  MPI_File_set_view(f, 4 * rank, MPI_INT, t, "native", MPI_INFO_NULL);
  MPI_File_get_view(f, &at, &etype, &filetype, name);   // 13.3: derived types are to be freed
  MPI_Type_free(&filetype);
  MPI_Type_free(&t);
  MPI_File_write_all(f, x, 4, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_sync(f), MPI_Barrier(MPI_COMM_WORLD), MPI_File_sync(f);
  MPI_File_seek(f, 0, MPI_SEEK_SET);
  MPI_File_iread(f, y, 4, MPI_INT, &r);
  MPI_Wait(&r, &s);
  if (y[2] != x[2]) abort();
  y[0] = 1;
  MPI_File_iwrite_at(f, 0, x, 4, MPI_INT, &r);
  MPI_Request both[2] = {r, MPI_REQUEST_NULL};
  MPI_Irecv(y, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &both[1]);
  MPI_Send(x, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
  MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  MPI_File_close(&f);
  if (!rank) MPI_File_delete(argv[1], MPI_INFO_NULL), puts("done");
  MPI_Finalize();
  return 0;
}
