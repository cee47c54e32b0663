// Byte maps: which bytes the two places of a finding use, in pieces. Of all kinds that have one.
// RUN: rm -rf %t && mkdir %t && cd %t && %mpicc-check -O1 %s -o bytes
// RUN: %expect66 %mpirun-check --json map.json --html map.html -n 2 ./bytes data > log 2>&1
// RUN: %python %S/schema.py %source/docs/formats/report.schema.json map.json > text
// RUN: %python %S/byte-map.py map.json | FileCheck %s
// RUN: %mpicc-check-report --json again.json map.json > text && cmp map.json again.json
// RUN: /usr/bin/python3 %S/html.py map.html %axe > page && FileCheck %s --check-prefixes=PAGE%,AXE --input-file=page
// REQUIRES: chromium
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mpi.h>

static double matrix[8][8];

static void buffers(int rank, MPI_Datatype column) {
  MPI_Request requests[4];
  int peer = 1 - rank;
  if (rank == 0) {
    MPI_Irecv(&matrix[0][3], 1, column, peer, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&matrix[4][3], 4, MPI_DOUBLE, peer, 2, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 8; i++) matrix[i][3] = 1;
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&matrix[0][0], &matrix[0][1], 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
  } else {
    MPI_Send(&matrix[0][3], 1, column, peer, 1, MPI_COMM_WORLD);
    MPI_Send(&matrix[4][3], 4, MPI_DOUBLE, peer, 2, MPI_COMM_WORLD);
  }
}

static void windows(int rank, MPI_Datatype column) {
  double *cells, one[8] = {0}, *own;
  MPI_Win win, passive;
  MPI_Win_allocate(sizeof matrix, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
  MPI_Win_set_name(win, "halo");
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(one, 8, MPI_DOUBLE, 1, 2, 1, column, win);
  if (rank == 1) MPI_Put(one, 8, MPI_DOUBLE, 1, 16, 8, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Win_allocate(sizeof matrix, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &own, &passive);
  MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, passive);
  if (rank == 0) MPI_Put(one, 8, MPI_DOUBLE, 1, 5, 1, column, passive);
  if (rank == 1) MPI_Get(one, 4, MPI_DOUBLE, 1, 4, 4, MPI_DOUBLE, passive), one[2] = 1;
  MPI_Win_unlock(1, passive);
  MPI_Win_free(&passive);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x[4] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Datatype column;
  MPI_Type_vector(8, 1, 8, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  buffers(rank, column);
  windows(rank, column);
  MPI_File f;
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
  MPI_File_write_at_all(f, 8 * rank, x, 4, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
  MPI_Type_free(&column);
  MPI_Finalize();
  return argc < 2;
}
// CHECK: buffer.overlap buffer of MPI_Irecv None
// CHECK-NEXT: MPI_Irecv on rank 0: 256..287
// CHECK-NEXT: in use since MPI_Irecv: 0..7 64..71 128..135 192..199 256..263 320..327 384..391 448..455
// CHECK-NEXT: buffer.modified-in-use buffer of MPI_Irecv None
// CHECK-NEXT: store by rank 0: -256..-249 -192..-185 -128..-121 -64..-57 0..7 64..71 128..135 192..199
// CHECK-NEXT: in use since MPI_Irecv: 0..31
// CHECK-NEXT: buffer.modified-in-use buffer of MPI_Irecv None
// CHECK-NEXT: store by rank 0: 0..7 64..71 128..135 192..199 256..263 320..327 384..391 448..455
// CHECK-NEXT: in use since MPI_Irecv: 0..7 64..71 128..135 192..199 256..263 320..327 384..391 448..455
// CHECK-NEXT: buffer.overlap sendbuf None
// CHECK-NEXT: sendbuf: 0..31
// CHECK-NEXT: recvbuf: 8..39
//
// The whole of both operations, by the sweep over fence epochs and by the walk.
// CHECK-NEXT: rma.race window "halo" of rank 1 512
// CHECK-NEXT: MPI_Put from rank 0: 16..23 80..87 144..151 208..215 272..279 336..343 400..407 464..471
// CHECK-NEXT: conflicts with MPI_Put from rank 1: 128..191
// CHECK-NEXT: rma.race window of rank 1 512
// CHECK-NEXT: MPI_Put from rank 0: 40..47 104..111 168..175 232..239 296..303 360..367 424..431 488..495
// CHECK-NEXT: conflicts with MPI_Get from rank 1: 32..63
// CHECK-NEXT: rma.race-local buffer of MPI_Get None
// CHECK-NEXT: store by rank 1: 16..23
// CHECK-NEXT: in use since MPI_Get: 0..31
// CHECK-NEXT: io.overlap file None
// CHECK-NEXT: MPI_File_write_at_all from rank 0: 0..15
// CHECK-NEXT: conflicts with MPI_File_write_at_all from rank 1: 8..23
// CHECK-NOT: {{.}}
//
// Each finding has its picture, with the bytes that both use.
// PAGE: pictures {{[1-9][0-9]?}}
// PAGE: shared 15
// PAGE: faults []
// AXE: axe []
