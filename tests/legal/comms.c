// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 3 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE .[^m]}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legal, so nothing may be said: communicators and groups of every make, with messages and collectives on them. What comes to its wildcards depends on timing: notes only.
// CHECK: done
// CHECK: ==mpicc-check== {{no errors found|0 errors, 0 warnings, [0-9]+ note}}
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void talk(MPI_Comm c) {   // a ring and a few collectives, on an intercommunicator too (MPI-3.1 5.2.2)
  if (c == MPI_COMM_NULL) return;
  int me, n, inter, x = 1, y[8], any;
  MPI_Request r[2];
  MPI_Comm_rank(c, &me);
  MPI_Comm_test_inter(c, &inter);
  if (inter) {
    int high = 0, low = rank == 0;
    MPI_Comm_remote_size(c, &n);
    for (int i = 0; i < n; i++) MPI_Isend(&x, 1, MPI_INT, i, 2, c, &r[i]);
    for (int i = 0; i < n; i++) MPI_Recv(y, 1, MPI_INT, n > 1 ? i : MPI_ANY_SOURCE, 2, c, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; i++) MPI_Wait(&r[i], MPI_STATUS_IGNORE);
    MPI_Barrier(c);
    MPI_Bcast(&high, 1, MPI_INT, low ? MPI_ROOT : 0, c);        // rank 0 is alone on its side
    if (low) MPI_Reduce(NULL, y, 1, MPI_INT, MPI_SUM, MPI_ROOT, c);
    else MPI_Reduce(&x, NULL, 1, MPI_INT, MPI_SUM, 0, c);
    MPI_Bcast(&high, 1, MPI_INT, low ? 1 : me == 1 ? MPI_ROOT : MPI_PROC_NULL, c);
    MPI_Allgather(&x, 1, MPI_INT, y, 1, MPI_INT, c);
    return;
  }
  MPI_Comm_size(c, &n);
  MPI_Irecv(&any, 1, MPI_INT, MPI_ANY_SOURCE, 4, c, &r[0]);
  MPI_Isend(&x, 1, MPI_INT, (me + 1) % n, 4, c, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Allreduce(&x, y, 1, MPI_INT, MPI_SUM, c);
  MPI_Bcast(y, 1, MPI_INT, n - 1, c);
}
static void end(MPI_Comm *c) { talk(*c); if (*c != MPI_COMM_NULL) MPI_Comm_free(c); }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm c, d, inter;
  MPI_Group world, g, h;
  MPI_Request r;
  // MPI-3.1 6.4.2
  MPI_Comm_dup(MPI_COMM_WORLD, &c), end(&c);
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &c), end(&c);
  MPI_Comm_idup(MPI_COMM_WORLD, &c, &r), MPI_Barrier(MPI_COMM_WORLD), MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Comm_idup(c, &d, &r);
  MPI_Request copy = r;
  int flag = 0;
  while (!flag) MPI_Test(&copy, &flag, MPI_STATUS_IGNORE);
  end(&d), end(&c);
  MPI_Comm_split(MPI_COMM_WORLD, rank ? 1 : MPI_UNDEFINED, -rank, &c), end(&c);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c), end(&c);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 2, (int[]){2, 0}, &g);
  MPI_Comm_create(MPI_COMM_WORLD, g, &c), end(&c);
  if (rank != 1) MPI_Comm_create_group(MPI_COMM_WORLD, g, 7, &c), end(&c);
  MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &c);
  if (c != MPI_COMM_NULL) abort();
  // groups (6.3.2)
  MPI_Group_difference(g, g, &h);
  if (h != MPI_GROUP_EMPTY) MPI_Group_free(&h);
  MPI_Group_union(g, world, &h), MPI_Group_free(&h);
  MPI_Group_range_incl(world, 1, (int[][3]){{0, 2, 2}}, &h), MPI_Group_free(&h);
  MPI_Group_excl(world, 0, NULL, &h), MPI_Group_free(&h);
  MPI_Group_incl(world, 0, NULL, &h);
  if (h != MPI_GROUP_EMPTY) MPI_Group_free(&h);
  MPI_Group_free(&g), MPI_Group_free(&world);
  // topologies (7.5)
  int dims[2] = {0, 0}, period[2] = {1, 0}, one[1] = {(rank + 1) % size}, weight[1] = {1}, from, to, x = 1, y[4];
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, period, 1, &c);
  MPI_Cart_shift(c, 1, 1, &from, &to);
  MPI_Sendrecv(&x, 1, MPI_INT, to, 0, y, 1, MPI_INT, from, 0, c, MPI_STATUS_IGNORE);
  MPI_Neighbor_allgather(&x, 1, MPI_INT, y, 1, MPI_INT, c);
  MPI_Cart_sub(c, (int[]){1, 0}, &d), end(&d), end(&c);
  MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){2}, period, 0, &c), end(&c);   // MPI_COMM_NULL on one
  MPI_Graph_create(MPI_COMM_WORLD, 3, (int[]){1, 2, 2}, (int[]){1, 0}, 0, &c), end(&c);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, (int[]){(rank + size - 1) % size}, weight, 1, one, weight, MPI_INFO_NULL, 0, &c);
  MPI_Neighbor_alltoall(&x, 1, MPI_INT, y, 1, MPI_INT, c), end(&c);
  MPI_Dist_graph_create(MPI_COMM_WORLD, !rank, (int[]){0}, (int[]){2}, (int[]){1, 2}, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c), end(&c);
  // intercommunicators (6.6)
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &c);
  for (int i = 0; i < 2; i++) {
    MPI_Intercomm_create(c, 0, MPI_COMM_WORLD, rank ? 0 : 1, 5 + i, &inter);
    talk(inter);
    MPI_Comm_dup(inter, &d), end(&d);
    MPI_Comm_split(inter, 0, rank, &d), end(&d);
    MPI_Intercomm_merge(inter, rank > 0, &d), end(&d), MPI_Comm_free(&inter);
  }
  end(&c);
  // freed while pending (6.4.3), same names, the handle again at once
  static int big[1 << 18], in[1 << 18];
  MPI_Request two[2];
  for (int i = 0; i < 3; i++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &c), MPI_Comm_set_name(c, "same");
    MPI_Irecv(in, 1 << 18, MPI_INT, MPI_ANY_SOURCE, 1, c, &two[0]);
    MPI_Isend(big, 1 << 18, MPI_INT, one[0], 1, c, &two[1]);
    MPI_Comm_free(&c);
    MPI_Comm_dup(MPI_COMM_WORLD, &c), MPI_Comm_set_name(c, "same"), end(&c);
    MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
  }
  MPI_Comm_dup(MPI_COMM_SELF, &c), talk(c), MPI_Comm_disconnect(&c);
  if (!rank) puts("done");
  MPI_Finalize();
  return 0;
}
