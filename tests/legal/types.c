// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: datatypes: every constructor, absolute addresses, types freed in use, equal signatures built differently.
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

// Sends count of type a from one buffer, receives m of type b (MPI-3.1 3.3.1).
static void pass(const void *from, int n, MPI_Datatype a, void *to, int m, MPI_Datatype b) {
  MPI_Request r;
  MPI_Irecv(to, m, b, rank, 1, MPI_COMM_WORLD, &r);
  MPI_Send(from, n, a, rank, 1, MPI_COMM_WORLD);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void use(MPI_Datatype t, int ints) {   // a type of so many ints: against plain ints, both ways
  static int x[4096], y[4096];
  MPI_Type_commit(&t);
  pass(x + 2048, 1, t, y, ints, MPI_INT);
  pass(x, ints, MPI_INT, y + 2048, 1, t);
  pass(x + 2048, 2, t, y, 2 * ints + 5, MPI_INT);
  MPI_Type_free(&t);
}

struct mixed { char c; double d; int i[3]; };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Datatype t, u, v;
  int lengths[3] = {2, 1, 3}, places[3] = {9, 0, 3}, sizes[2] = {6, 8}, part[2] = {2, 3}, start[2] = {1, 4};
  MPI_Aint bytes[3] = {40, 0, 12};
  // MPI-3.1 4.1.2, negative strides and displacements too
  MPI_Type_contiguous(5, MPI_INT, &t), use(t, 5);
  MPI_Type_vector(3, 2, -4, MPI_INT, &t), use(t, 6);
  MPI_Type_create_hvector(3, 2, 24, MPI_INT, &t), use(t, 6);
  MPI_Type_indexed(3, lengths, places, MPI_INT, &t), use(t, 6);
  MPI_Type_create_hindexed(3, lengths, bytes, MPI_INT, &t), use(t, 6);
  MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &t), use(t, 6);
  MPI_Type_create_hindexed_block(3, 2, bytes, MPI_INT, &t), use(t, 6);
  MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &t), use(t, 6);
  MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_FORTRAN, MPI_INT, &t), use(t, 6);
  int distribs[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, dargs[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, procs[2] = {2, 2};
  MPI_Type_create_darray(4, 1, 2, sizes, distribs, dargs, procs, MPI_ORDER_C, MPI_INT, &t);
  int tsize;
  MPI_Type_size(t, &tsize), use(t, tsize / 4);
  MPI_Type_vector(2, 1, 3, MPI_INT, &u), MPI_Type_create_resized(u, -8, 40, &v), MPI_Type_contiguous(3, v, &t);
  MPI_Type_free(&u), MPI_Type_free(&v), use(t, 6);     // 4.1.9: what is built from it stays
  MPI_Type_vector(2, 1, 3, MPI_INT, &u), MPI_Type_create_resized(u, 0, -40, &v), MPI_Type_dup(v, &t);
  MPI_Type_free(&u), MPI_Type_free(&v), use(t, 2);
  MPI_Type_contiguous(0, MPI_INT, &t), use(t, 0);
  MPI_Type_create_struct(0, NULL, NULL, NULL, &t), use(t, 0);

  // A struct against another build of the same signature, and against MPI_PACKED (4.2) and bytes against bytes.
  struct mixed m[2] = {{0}}, m2[2];
  MPI_Datatype kinds[3] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  MPI_Aint at[3] = {offsetof(struct mixed, c), offsetof(struct mixed, d), offsetof(struct mixed, i)};
  MPI_Type_create_struct(3, (int[]){1, 1, 3}, at, kinds, &u), MPI_Type_create_resized(u, 0, sizeof *m, &t), MPI_Type_commit(&t);
  MPI_Type_create_struct(4, (int[]){1, 1, 1, 2}, (MPI_Aint[]){0, 8, 16, 20}, (MPI_Datatype[]){MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_INT}, &v);
  MPI_Type_commit(&v);
  pass(m, 1, t, m2, 1, v), pass(m, 2, t, m2, 2, t), pass(m, 1, t, m2, 2, t);
  char packed[200];
  int position = 0;
  MPI_Pack(m, 2, t, packed, 200, &position, MPI_COMM_WORLD);
  pass(packed, position, MPI_PACKED, m2, 2, t), pass(m, 2, t, packed, 200, MPI_PACKED);
  pass(m, sizeof m, MPI_BYTE, m2, sizeof m2, MPI_BYTE);

  struct { double value; int at; } pair = {1, 2}, pair2;   // pair types (5.9.4) are (DOUBLE, INT)
  MPI_Datatype mine;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, &mine);
  MPI_Type_commit(&mine);
  pass(&pair, 1, MPI_DOUBLE_INT, &pair2, 1, mine), pass(&pair, 1, mine, &pair2, 1, MPI_DOUBLE_INT);
  int two[2], two2[2];
  pass(two, 1, MPI_2INT, two2, 2, MPI_INT);
  MPI_Type_free(&mine);

  // MPI_BOTTOM with absolute addresses (4.1.5)
  static int a[4], b[4];
  MPI_Aint where[2];
  MPI_Get_address(&a[1], &where[0]), MPI_Get_address(&b[2], &where[1]);
  MPI_Type_create_hindexed_block(2, 1, where, MPI_INT, &mine), MPI_Type_commit(&mine);
  pass(two, 2, MPI_INT, MPI_BOTTOM, 1, mine), pass(MPI_BOTTOM, 1, mine, two, 2, MPI_INT);
  MPI_Bcast(MPI_BOTTOM, 1, mine, 0, MPI_COMM_WORLD);
  MPI_Type_free(&mine), MPI_Type_free(&u), MPI_Type_free(&v), MPI_Type_free(&t);

  // Freed while in use, and the handle given out again (4.1.9).
  static int big[1 << 18], in[1 << 18];
  MPI_Request r[2];
  MPI_Type_vector(1 << 16, 1, 2, MPI_INT, &t), MPI_Type_commit(&t);
  MPI_Irecv(in, 1, t, (rank + 1) % size, 3, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(big, 1, t, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &r[1]);
  MPI_Type_free(&t);
  MPI_Type_contiguous(1 << 17, MPI_INT, &t), MPI_Type_commit(&t);
  for (int i = 1; i < 1 << 17; i += 2) big[i] = i, in[i] = i;   // the gaps
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Type_free(&t);
  if (!rank) puts("done");
  MPI_Finalize();
  return 0;
}
