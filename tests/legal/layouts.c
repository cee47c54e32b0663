// RUN: %mpicc-check %s -o %t -pthread
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: negative and absolute displacements, negative extents, gaps that are written while the rest is sent, types freed in use.
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>
#include <string.h>
static int rank, size, right, left;
#define CHECK(x)                                                                                                       \
  do {                                                                                                                 \
    if (!(x)) {                                                                                                        \
      printf("rank %d line %d\n", rank, __LINE__);                                                                     \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                                    \
    }                                                                                                                  \
  } while (0)
static void around(void *s, int ns, MPI_Datatype ts, void *d, int nd, MPI_Datatype td) {
  MPI_Request r[2];
  MPI_Irecv(d, nd, td, left, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(s, ns, ts, right, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  right = (rank + 1) % size, left = (rank + size - 1) % size;
  int a[64], b[64];
  for (int i = 0; i < 64; i++) a[i] = 100 * rank + i, b[i] = -1;
  MPI_Datatype t, u, v, w;
  // negative displacements: the buffer argument points into the middle
  int bl[2] = {2, 1};
  MPI_Aint dp[2] = {-16, 8};
  MPI_Type_create_hindexed(2, bl, dp, MPI_INT, &t);
  MPI_Type_commit(&t);
  MPI_Request q, cancel;
  MPI_Irecv(b + 8, 1, t, left, 1, MPI_COMM_WORLD, &q);
  b[6] = 1;
  b[8] = 2;
  b[9] = 3;
  b[7] = 5;
  b[11] = 4; // not b[4], b[5], b[10]
  MPI_Isend(a + 8, 1, t, right, 1, MPI_COMM_WORLD, &cancel);
  MPI_Wait(&cancel, MPI_STATUS_IGNORE);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  CHECK(b[4] == 100 * left + 4 && b[6] == 1);

  MPI_Type_free(&t);
  // absolute addresses
  struct {
    int x;
    double y;
    char z[3];
  } s = {rank, 1.5, "ab"}, r;
  MPI_Aint ad[3];
  MPI_Datatype ty[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
  int l3[3] = {1, 1, 3};
  MPI_Get_address(&s.x, &ad[0]);
  MPI_Get_address(&s.y, &ad[1]);
  MPI_Get_address(s.z, &ad[2]);
  MPI_Type_create_struct(3, l3, ad, ty, &t);
  MPI_Get_address(&r.x, &ad[0]);
  MPI_Get_address(&r.y, &ad[1]);
  MPI_Get_address(r.z, &ad[2]);
  MPI_Type_create_struct(3, l3, ad, ty, &u);
  MPI_Type_commit(&t);
  MPI_Type_commit(&u);
  around(MPI_BOTTOM, 1, t, MPI_BOTTOM, 1, u);
  CHECK(r.x == left && r.y == 1.5);
  MPI_Bcast(MPI_BOTTOM, 1, t, 0, MPI_COMM_WORLD);
  MPI_Type_free(&t);
  MPI_Type_free(&u);
  // resized: a column; interleaved receives
  MPI_Type_vector(8, 1, 8, MPI_INT, &t);
  MPI_Type_create_resized(t, 0, 4, &u);
  MPI_Type_commit(&u);
  MPI_Type_free(&t);
  around(a, 8, u, b, 64, MPI_INT);
  CHECK(b[1] == 100 * left + 8);
  MPI_Request col[8];
  for (int i = 0; i < 8; i++) MPI_Irecv(b + i, 1, u, left, i, MPI_COMM_WORLD, &col[i]);
  for (int i = 0; i < 8; i++) MPI_Send(a + i, 1, u, right, i, MPI_COMM_WORLD);
  for (int i = 0; i < 8; i++) {
    MPI_Wait(&col[i], MPI_STATUS_IGNORE);
    for (int k = 0; k < 8; k++) b[i + 8 * k]++;
  }
  MPI_Type_free(&u);
  // extents below zero and zero
  MPI_Type_create_resized(MPI_INT, 0, -4, &t);
  MPI_Type_commit(&t);
  around(a + 3, 4, t, b, 4, MPI_INT);
  CHECK(b[0] == 100 * left + 3 && b[3] == 100 * left);
  around(a, 4, MPI_INT, b + 3, 4, t);
  CHECK(b[0] == 100 * left + 3);
  MPI_Type_free(&t);
  MPI_Type_create_resized(MPI_INT, 0, 0, &t);
  MPI_Type_commit(&t);
  around(a, 4, t, b, 4, MPI_INT);
  CHECK(b[3] == 100 * left);
  MPI_Type_free(&t);
  // subarray, Fortran order, darray
  int sz[2] = {8, 8}, ss[2] = {2, 3}, st[2] = {1, 4};
  MPI_Type_create_subarray(2, sz, ss, st, MPI_ORDER_C, MPI_INT, &t);
  MPI_Type_create_subarray(2, sz, ss, st, MPI_ORDER_FORTRAN, MPI_INT, &u);
  MPI_Type_commit(&t);
  MPI_Type_commit(&u);
  MPI_Irecv(b, 1, t, left, 9, MPI_COMM_WORLD, &q);
  b[0] = b[11] = b[15] = b[20 + 3] = 0;
  MPI_Send(a, 1, u, right, 9, MPI_COMM_WORLD);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  MPI_Type_free(&t);
  MPI_Type_free(&u);
  int ds[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, da[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, ps[2] = {1, 1};
  ps[0] = 1;
  ps[1] = 1;
  MPI_Type_create_darray(1, 0, 2, sz, ds, da, ps, MPI_ORDER_C, MPI_INT, &t);
  MPI_Type_commit(&t);
  around(a, 1, t, b, 64, MPI_INT);
  MPI_Type_free(&t);
  // struct with zero-length blocks, markers, empty types
  int bl4[4] = {1, 0, 2, 0};
  MPI_Aint d4[4] = {0, 1000, 8, -50};
  MPI_Datatype t4[4] = {MPI_INT, MPI_DOUBLE, MPI_SHORT, MPI_CHAR};
  MPI_Type_create_struct(4, bl4, d4, t4, &t);
  MPI_Type_commit(&t);
  around(a, 2, t, b, 2, t);
  MPI_Type_free(&t);
  MPI_Type_contiguous(0, MPI_INT, &t);
  MPI_Type_commit(&t);
  around(a, 5, t, b, 5, t);
  around(NULL, 5, t, NULL, 0, MPI_CHAR);
  MPI_Type_free(&t);
  // freed while in use; built of types freed before; nested deep; handles reused
  for (int k = 0; k < 20; k++) {
    MPI_Type_vector(2, 1, 2 + k % 3, MPI_INT, &t);
    MPI_Type_contiguous(2, t, &u);
    MPI_Type_free(&t);
    MPI_Type_dup(u, &v);
    MPI_Type_free(&u);
    MPI_Type_create_indexed_block(2, 1, (int[]){0, 3}, v, &w);
    MPI_Type_free(&v);
    MPI_Type_commit(&w);
    MPI_Request rr[2];
    MPI_Irecv(b, 1, w, left, 2, MPI_COMM_WORLD, &rr[0]);
    MPI_Isend(a, 1, w, right, 2, MPI_COMM_WORLD, &rr[1]);
    MPI_Type_free(&w);
    MPI_Waitall(2, rr, MPI_STATUSES_IGNORE);
  }
  // partial receives, get_elements, bytes on both sides, basic types of equal kind
  MPI_Status status;
  int n;
  MPI_Type_contiguous(3, MPI_INT, &t);
  MPI_Type_commit(&t);
  MPI_Irecv(b, 4, t, left, 3, MPI_COMM_WORLD, &q);
  MPI_Send(a, 7, MPI_INT, right, 3, MPI_COMM_WORLD);
  MPI_Wait(&q, &status);
  MPI_Get_count(&status, t, &n);
  CHECK(n == MPI_UNDEFINED);
  MPI_Get_elements(&status, t, &n);
  CHECK(n == 7);
  around(a, 16, MPI_BYTE, b, 16, MPI_BYTE);
  around(a, 16, MPI_BYTE, b, 64, MPI_BYTE);
  around(a, 16, MPI_CHAR, b, 16, MPI_CHAR);
  long long ll[2] = {1, 2}, lm[2];
  around(ll, 2, MPI_LONG_LONG, lm, 2, MPI_LONG_LONG_INT);
  around(ll, 2, MPI_INT64_T, lm, 2, MPI_INT64_T);
  around(ll, 2, MPI_AINT, lm, 2, MPI_AINT);
  around(ll, 2, MPI_OFFSET, lm, 2, MPI_OFFSET);
  struct {
    double d;
    int i;
  } p[2] = {{1, 2}, {3, 4}}, p2[2];
  around(p, 2, MPI_DOUBLE_INT, p2, 2, MPI_DOUBLE_INT);
  struct {
    float f;
    int i;
  } fi = {1, 2}, fj;
  MPI_Datatype st2;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){MPI_FLOAT, MPI_INT}, &st2);
  MPI_Type_commit(&st2);
  around(&fi, 1, MPI_FLOAT_INT, &fj, 1, st2);
  MPI_Type_free(&st2);
  MPI_Datatype f90;
  MPI_Type_create_f90_real(15, MPI_UNDEFINED, &f90);
  double dd = 1, de;
  around(&dd, 1, f90, &de, 1, f90);
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &f90);
  around(&dd, 1, f90, &de, 1, f90);
  // padding of a struct that is in use may be written: only its members are sent
  struct pad {
    char c;
    int i;
  } *ps2 = calloc(4, sizeof *ps2), pr[4];
  MPI_Datatype pt, pu;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, offsetof(struct pad, i)},
                         (MPI_Datatype[]){MPI_CHAR, MPI_INT}, &pt);
  MPI_Type_create_resized(pt, 0, sizeof(struct pad), &pu);
  MPI_Type_commit(&pu);
  MPI_Type_free(&pt);
  MPI_Isend(ps2, 4, pu, right, 4, MPI_COMM_WORLD, &q);
  ((char *)ps2)[1] = 7;
  ((char *)&ps2[3])[2] = 7;
  MPI_Recv(pr, 4, pu, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  free(ps2);
  MPI_Type_free(&pu);
  // contents and envelope
  int ni, na, nd, cb, ii[8];
  MPI_Aint aa[8];
  MPI_Datatype dt[8];
  MPI_Type_get_envelope(t, &ni, &na, &nd, &cb);
  MPI_Type_get_contents(t, ni, na, nd, ii, aa, dt);
  CHECK(dt[0] == MPI_INT);
  // external32
  char ext[64];
  MPI_Aint pos = 0;
  MPI_Pack_external("external32", a, 4, MPI_INT, ext, 64, &pos);
  pos = 0;
  MPI_Unpack_external("external32", ext, 64, &pos, b, 4, MPI_INT);
  MPI_Type_free(&t);
  if (!rank) puts("done");
  MPI_Finalize();
}
