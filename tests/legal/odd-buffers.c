// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: what looks like overlapping or misaligned buffers, and is none.
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static char room[4096 + 8 * MPI_BSEND_OVERHEAD];

int main(int argc, char **argv) {
  int rank, size, other, x[16] = {0}, y[16], n;
  void *at;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  other = 1 - rank;
  // 4.1.11: sent twice; 5.6: scattered from parts in any order; 4.1.2: a stride of 0 or less.
  MPI_Datatype same, backwards, column, next, pairs, dup;
  MPI_Type_vector(3, 1, 0, MPI_INT, &same), MPI_Type_commit(&same);
  MPI_Type_vector(3, 1, -2, MPI_INT, &backwards), MPI_Type_commit(&backwards);
  MPI_Sendrecv(x, 1, same, other, 0, y + 8, 1, backwards, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Bcast(x + 8, 1, rank ? backwards : same, 0, MPI_COMM_SELF);
  if (rank == 0) MPI_Bcast(x, 1, same, 0, MPI_COMM_WORLD);   // the root only sends
  else MPI_Bcast(y, 3, MPI_INT, 0, MPI_COMM_WORLD);
  // Received with nothing in it, or from nobody.
  MPI_Recv(y, 1, same, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(x, 0, MPI_INT, other, 0, y, 0, same, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // 4.1.7: as many interleaved columns as fit; the same with gathered parts.
  MPI_Type_vector(4, 1, 4, MPI_INT, &column), MPI_Type_create_resized(column, 0, sizeof(int), &next), MPI_Type_commit(&next);
  MPI_Sendrecv(x, 16, MPI_INT, other, 0, y, 4, next, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Gather(x, 8, MPI_INT, y, 2, next, 0, MPI_COMM_WORLD);
  MPI_Allgather(x, 4, MPI_INT, y, 1, next, MPI_COMM_WORLD);
  MPI_Alltoall(x, 8, MPI_INT, y, 2, next, MPI_COMM_WORLD);
  int two[2] = {2, 2}, parts[2] = {2, 0}, one_row[2] = {8, 8}, rows[2] = {0, 8};
  MPI_Alltoallv(x, one_row, rows, MPI_INT, y, two, parts, next, MPI_COMM_WORLD);
  MPI_Type_dup(next, &dup);
  MPI_Allgatherv(x, 8, MPI_INT, y, two, parts, dup, MPI_COMM_WORLD);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, two, parts, MPI_INT, MPI_COMM_WORLD);
  // A gap in a pair may hold something else (5.9.4).
  int ones[2] = {1, 1};
  MPI_Aint gaps[2] = {0, 2};
  MPI_Datatype members[2] = {MPI_SHORT_INT, MPI_SHORT};
  MPI_Type_create_struct(2, ones, gaps, members, &pairs), MPI_Type_commit(&pairs);
  MPI_Sendrecv(x, 1, pairs, other, 0, y, 1, pairs, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // Nothing where nobody looks: counts of zero at any displacement; senders give no parts (5.5).
  int none[2] = {0, 0}, wild[2] = {7, 7};
  MPI_Alltoallv(x, none, wild, MPI_INT, y, none, wild, MPI_INT, MPI_COMM_WORLD);
  MPI_Gatherv(x, 0, MPI_INT, rank ? NULL : y, rank ? NULL : none, rank ? NULL : wild, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Scatterv(rank ? NULL : x, two, none, MPI_INT, y, 2, MPI_INT, 0, MPI_COMM_WORLD);
  // Bytes and characters anywhere.
  MPI_Sendrecv((char *)x + 1, 3, MPI_BYTE, other, 0, (char *)y + 3, 3, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv((char *)x + 1, 3, MPI_CHAR, other, 0, (char *)y + 3, 3, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send((char *)x + 1, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  // 3.6: nothing is attached, and nothing needs it; one buffer after the other; MPI_Finalize detaches it.
  MPI_Bsend(x, 16, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Buffer_attach(room, sizeof room), MPI_Buffer_detach(&at, &n);
  MPI_Buffer_attach(room, 512), MPI_Buffer_detach(&at, &n);
  MPI_Buffer_attach(room, sizeof room);
  for (int i = 0; i < 4; i++) MPI_Bsend(x, 16, MPI_INT, other, i, MPI_COMM_WORLD);
  for (int i = 0; i < 4; i++) MPI_Recv(y, 16, MPI_INT, other, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  // 3.7.2, 11.2.1: a window may be made of memory of which a part is being received into.
  MPI_Win w, dynamic;
  MPI_Request r;
  MPI_Irecv(x, 1, MPI_INT, other, 9, MPI_COMM_WORLD, &r);
  MPI_Win_create(x, sizeof x, sizeof *x, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic), MPI_Win_attach(dynamic, x, sizeof x);
  MPI_Send(y, 1, MPI_INT, other, 9, MPI_COMM_WORLD);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Win_detach(dynamic, x), MPI_Win_free(&dynamic), MPI_Win_free(&w);
  // 5.9.4: what lies in the gap of a pair is the program's.
  struct { short value; char mine[2]; int index; } got[2], given[2] = {{1, {0}, 2}};
  MPI_Irecv(got, 2, MPI_SHORT_INT, other, 10, MPI_COMM_WORLD, &r);
  got[1].mine[0] = 1;
  MPI_Send(given, 2, MPI_SHORT_INT, other, 10, MPI_COMM_WORLD);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Type_free(&same), MPI_Type_free(&backwards), MPI_Type_free(&column), MPI_Type_free(&next), MPI_Type_free(&pairs), MPI_Type_free(&dup);
  if (!rank) puts("done");
  MPI_Finalize();
  return 0;
}
