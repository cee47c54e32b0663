// RUN: %mpicc-check %s -o %t -pthread
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: intercommunicators, MPI_IN_PLACE, types that differ but not in signature, collectives completed out of order, topologies.
// CHECK: done
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int rank, size;
#define CHECK(x)                                                                                                       \
  do {                                                                                                                 \
    if (!(x)) {                                                                                                        \
      printf("rank %d line %d\n", rank, __LINE__);                                                                     \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                                    \
    }                                                                                                                  \
  } while (0)
static void inter(void) {
  MPI_Comm half, ic, merged, dup;
  int in = rank % 2, x = rank, y = -1, hs, hr, rs;
  MPI_Comm_split(MPI_COMM_WORLD, in, 0, &half);
  MPI_Comm_rank(half, &hr);
  MPI_Comm_size(half, &hs);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - in, 3, &ic);
  MPI_Comm_remote_size(ic, &rs);
  MPI_Bcast(&x, 1, MPI_INT, in == 0 ? (hr == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, ic);
  CHECK(in == 0 || x == 0);
  x = 1;
  MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, in == 1 ? (hr == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, ic);
  CHECK(in == 0 || hr || y == size - hs);
  MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, ic);
  CHECK(y == rs);
  int *all = malloc(sizeof(int) * (rs + hs)), *snd = malloc(sizeof(int) * rs);
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, ic);
  for (int i = 0; i < rs; i++) snd[i] = i;
  MPI_Alltoall(snd, 1, MPI_INT, all, 1, MPI_INT, ic);
  MPI_Gather(&x, 1, MPI_INT, all, 1, MPI_INT, in == 0 ? (hr == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, ic);
  MPI_Scatter(snd, 1, MPI_INT, &y, 1, MPI_INT, in == 0 ? (hr == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, ic);
  MPI_Barrier(ic);
  MPI_Comm_dup(ic, &dup);
  MPI_Comm_free(&dup);
  if (hr == 0) MPI_Sendrecv(&x, 1, MPI_INT, 0, 1, &y, 1, MPI_INT, MPI_ANY_SOURCE, 1, ic, MPI_STATUS_IGNORE);
  MPI_Intercomm_merge(ic, in, &merged);
  MPI_Bcast(&x, 1, MPI_INT, 0, merged);
  free(all);
  free(snd);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&ic);
  MPI_Comm_free(&half);
}
static void mysum(void *a, void *b, int *n, MPI_Datatype *t) {
  int s;
  MPI_Type_size(*t, &s);
  for (int i = 0; i < *n; i++) ((int *)b)[i] += ((int *)a)[i];
}
static void reductions(void) {
  MPI_Op op;
  MPI_Op_create(mysum, 1, &op);
  int x[4] = {1, 2, 3, 4}, y[4], c[64];
  MPI_Allreduce(MPI_IN_PLACE, x, 4, MPI_INT, op, MPI_COMM_WORLD);
  CHECK(x[0] == size);
  if (rank == 0) MPI_Reduce(MPI_IN_PLACE, x, 4, MPI_INT, op, 0, MPI_COMM_WORLD);
  else MPI_Reduce(x, NULL, 4, MPI_INT, op, 0, MPI_COMM_WORLD);
  MPI_Scan(MPI_IN_PLACE, x, 4, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Exscan(x, y, 4, MPI_INT, op, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++) c[i] = 1;
  MPI_Reduce_scatter_block(MPI_IN_PLACE, c, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int counts[16], displs[16];
  for (int i = 0; i < size; i++) counts[i] = i, displs[i] = i * i;
  MPI_Reduce_scatter(c, y, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, c, counts, displs, MPI_INT, MPI_COMM_WORLD);
  if (rank == 0) MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, c, 1, MPI_INT, 0, MPI_COMM_WORLD);
  else MPI_Gather(x, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Scatter(c, 1, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  else MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, c, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Gatherv(x, rank, MPI_INT, c, counts, displs, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
  // types that differ by rank but not in signature
  MPI_Datatype two;
  MPI_Type_contiguous(2, MPI_INT, &two);
  MPI_Type_commit(&two);
  if (rank % 2) MPI_Bcast(x, 2, two, 0, MPI_COMM_WORLD);
  else MPI_Bcast(x, 4, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank % 2) MPI_Allgather(x, 1, two, c, 2, MPI_INT, MPI_COMM_WORLD);
  else MPI_Allgather(x, 2, MPI_INT, c, 1, two, MPI_COMM_WORLD);
  MPI_Type_free(&two);
  MPI_Op_free(&op);
  struct {
    double v;
    int i;
  } di = {rank, rank}, dm;
  MPI_Allreduce(&di, &dm, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  CHECK(dm.i == size - 1);
  MPI_Reduce_local(x, y, 4, MPI_INT, MPI_MAX);
}
static void nonblocking(void) {
  MPI_Request r[6];
  int a = rank, b, c = rank, d[16], e = 7, f;
  MPI_Comm dup;
  MPI_Iallreduce(&a, &b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[0]);
  MPI_Ibcast(&c, 1, MPI_INT, 0, MPI_COMM_WORLD, &r[1]);
  MPI_Iallgather(&e, 1, MPI_INT, d, 1, MPI_INT, MPI_COMM_WORLD, &r[2]);
  MPI_Ibarrier(MPI_COMM_WORLD, &r[3]);
  MPI_Comm_idup(MPI_COMM_WORLD, &dup, &r[4]);
  MPI_Iexscan(&e, &f, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[5]);
  int idx, order[6] = {5, 3, 4, 1, 0, 2};
  if (rank % 2)
    for (int i = 0; i < 6; i++) MPI_Wait(&r[order[i]], MPI_STATUS_IGNORE);
  else {
    int n = 0;
    while (n < 6) {
      int flag;
      MPI_Testany(6, r, &idx, &flag, MPI_STATUS_IGNORE);
      n += flag;
    }
  }
  CHECK(c == 0 && d[size - 1] == 7);
  MPI_Allreduce(&a, &b, 1, MPI_INT, MPI_SUM, dup);
  MPI_Comm_free(&dup);
  MPI_Ibarrier(MPI_COMM_WORLD, &r[0]);
  for (int flag = 0; !flag;) MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
}
static void groups(void) {
  MPI_Group w, g;
  MPI_Comm c, none, shm, t;
  int range[1][3] = {{0, size - 1, 2}}, x = 1, y;
  MPI_Comm_group(MPI_COMM_WORLD, &w);
  MPI_Group_range_incl(w, 1, range, &g);
  if (rank % 2 == 0) {
    for (int k = 0; k < 3; k++) {
      MPI_Comm_create_group(MPI_COMM_WORLD, g, 5, &c);
      MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, c);
      CHECK(y == (size + 1) / 2);
      MPI_Comm_free(&c);
    }
  }
  MPI_Comm_create(MPI_COMM_WORLD, g, &c);
  if (c != MPI_COMM_NULL) {
    MPI_Barrier(c);
    MPI_Comm_free(&c);
  }
  MPI_Group_free(&g);
  MPI_Group_free(&w);
  MPI_Comm_split(MPI_COMM_WORLD, rank ? 1 : MPI_UNDEFINED, -rank, &none);
  if (rank) {
    int r;
    MPI_Comm_rank(none, &r);
    CHECK(r == size - 1 - rank);
    MPI_Comm_free(&none);
  } else CHECK(none == MPI_COMM_NULL);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shm);
  MPI_Barrier(shm);
  MPI_Comm_disconnect(&shm);
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &t);
  MPI_Info_free(&info);
  MPI_Comm_set_name(t, "t");
  MPI_Comm_free(&t);
}
static void topologies(void) {
  int dims[2] = {0, 1}, periods[2] = {1, 0}, co[2], l, r;
  MPI_Comm cart, sub, g;
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &cart);
  MPI_Cart_shift(cart, 0, 1, &l, &r);
  MPI_Cart_coords(cart, 0, 2, co);
  int me, u, d;
  MPI_Comm_rank(cart, &me);
  MPI_Cart_shift(cart, 1, 1, &u, &d);
  int s[4] = {1, 2, 3, 4}, t[4] = {9, 9, 9, 9};
  MPI_Neighbor_alltoall(s, 1, MPI_INT, t, 1, MPI_INT, cart);
  CHECK(t[2] == 9 && t[3] == 9);
  MPI_Neighbor_allgather(s, 1, MPI_INT, t, 1, MPI_INT, cart);
  MPI_Request q;
  MPI_Ineighbor_allgather(s, 1, MPI_INT, t, 1, MPI_INT, cart, &q);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  MPI_Sendrecv(s, 1, MPI_INT, r, 0, t, 1, MPI_INT, l, 0, cart, MPI_STATUS_IGNORE);
  MPI_Sendrecv(s, 1, MPI_INT, u, 0, t, 1, MPI_INT, d, 0, cart, MPI_STATUS_IGNORE);
  int keep[2] = {1, 0};
  MPI_Cart_sub(cart, keep, &sub);
  MPI_Barrier(sub);
  MPI_Comm_free(&sub);
  MPI_Comm_free(&cart);
  // a directed ring, and one rank without neighbours
  int src = (rank + size - 1) % size, dst = (rank + 1) % size;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &src, MPI_UNWEIGHTED, 1, &dst, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &g);
  int counts[1] = {2}, displs[1] = {0}, bd[1] = {0};
  MPI_Aint ad[1] = {0};
  MPI_Datatype ty[1] = {MPI_INT};
  MPI_Neighbor_alltoallv(s, counts, displs, MPI_INT, t, counts, bd, MPI_INT, g);
  MPI_Neighbor_alltoallw(s, counts, ad, ty, t, counts, ad, ty, g);
  MPI_Neighbor_allgatherv(s, 2, MPI_INT, t, counts, displs, MPI_INT, g);
  MPI_Comm_free(&g);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL,
                                 0, &g);
  MPI_Neighbor_alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, g);
  MPI_Comm_free(&g);
  int idx[16], edges[32];
  for (int i = 0; i < size; i++)
    idx[i] = 2 * (i + 1), edges[2 * i] = (i + 1) % size, edges[2 * i + 1] = (i + size - 1) % size;
  MPI_Graph_create(MPI_COMM_WORLD, size, idx, edges, 0, &g);
  MPI_Neighbor_allgather(s, 1, MPI_INT, t, 1, MPI_INT, g);
  MPI_Comm_free(&g);
  int n1[1] = {1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, n1, n1, 0, &cart);
  if (cart != MPI_COMM_NULL) MPI_Comm_free(&cart);
  int zc[16] = {0}, zd[16] = {0};
  MPI_Datatype zt[16];
  for (int i = 0; i < size; i++) zt[i] = i % 2 ? MPI_CHAR : MPI_INT;
  MPI_Alltoallw(NULL, zc, zd, zt, NULL, zc, zd, zt, MPI_COMM_WORLD);
  MPI_Alltoallv(NULL, zc, zd, MPI_INT, NULL, zc, zd, MPI_INT, MPI_COMM_WORLD);
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  inter();
  reductions();
  nonblocking();
  groups();
  topologies();
  MPI_Barrier(MPI_COMM_SELF);
  MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_SELF);
  if (!rank) puts("done");
  MPI_Finalize();
}
