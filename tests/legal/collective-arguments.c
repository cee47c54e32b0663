// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 4 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives whose ranks give different and yet fitting arguments: what is not significant is nonsense, equal data comes in unequal
// types, counts are uneven, places are held by MPI_IN_PLACE (MPI-3.1 chapter 5, 7.6).
#include <mpi.h>

static int rank, size, x[64], y[256], counts[8], places[8], backs[8], behind[8];
static MPI_Datatype pair, types[8], others[8];

static void ours(void *in, void *out, int *n, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *n; i++) ((int *)out)[i] += ((int *)in)[i];
}

static void within(MPI_Comm comm) {
  int is_root = rank == 1;
  MPI_Op op;
  MPI_Request requests[4];
  MPI_Op_create(ours, 1, &op);
  MPI_Bcast(x, is_root ? 4 : 2, is_root ? MPI_INT : pair, 1, comm);
  MPI_Gather(x, 2, MPI_INT, is_root ? y : NULL, is_root ? 1 : -5, is_root ? pair : MPI_DATATYPE_NULL, 1, comm);
  MPI_Gather(is_root ? MPI_IN_PLACE : x, is_root ? -1 : 3, is_root ? MPI_DATATYPE_NULL : MPI_INT, y, 3, MPI_INT, 1, comm);
  MPI_Scatter(y, is_root ? 4 : 7, is_root ? MPI_INT : MPI_DOUBLE, is_root ? MPI_IN_PLACE : x, is_root ? 9 : 2, pair, 1, comm);
  for (int i = 0; i < size; i++) counts[i] = i * 2, places[i] = i * 8, backs[i] = i == 2 ? 0 : rank == 2 ? 0 : 1 + i + rank, behind[i] = 16 * i;
  MPI_Gatherv(x, rank, pair, is_root ? y : NULL, is_root ? counts : NULL, places, MPI_INT, 1, comm);
  MPI_Scatterv(y, is_root ? counts : NULL, places, MPI_INT, x, rank * 2, MPI_INT, 1, comm);
  MPI_Allgather(x, 2, MPI_INT, y, 1, pair, comm);
  MPI_Allgatherv(x, rank, pair, y, counts, places, MPI_INT, comm);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, counts, places, MPI_INT, comm);
  MPI_Alltoall(x, 2, MPI_INT, y, 1, pair, comm);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, 1, pair, comm);
  MPI_Alltoallv(y, backs, behind, MPI_INT, y + 128, backs, behind, MPI_INT, comm);
  for (int i = 0; i < size; i++) types[i] = i % 2 ? pair : MPI_INT, others[i] = rank % 2 ? pair : MPI_INT, counts[i] = 1, places[i] *= 4;
  MPI_Alltoallw(y, counts, places, types, y + 128, counts, places, others, comm);
  for (int i = 0; i < size; i++) counts[i] = i;
  MPI_Reduce(is_root && rank ? MPI_IN_PLACE : x, is_root ? y : NULL, 2, MPI_INT, op, 1, comm);
  MPI_Allreduce(x, y, 4, MPI_INT, op, comm);
  MPI_Reduce_scatter(rank ? x : MPI_IN_PLACE, rank ? y : x, counts, MPI_INT, MPI_SUM, comm);
  MPI_Reduce_scatter_block(x, y, 2, MPI_INT, MPI_MAX, comm);
  MPI_Scan(rank ? x : MPI_IN_PLACE, y, 2, MPI_INT, MPI_MIN, comm);
  MPI_Exscan(x, rank ? y : NULL, 2, MPI_INT, MPI_PROD, comm);
  MPI_Ibcast(x, 4, MPI_INT, 0, comm, &requests[0]);
  MPI_Iallreduce(x + 8, y, 4, MPI_INT, MPI_SUM, comm, &requests[1]);
  MPI_Ialltoallv(y + 64, backs, behind, MPI_INT, y + 128, backs, behind, MPI_INT, comm, &requests[2]);
  MPI_Ibarrier(comm, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  MPI_Op_free(&op);
}

// Between the even and the odd ranks: rank 2 is the root, which the odd ones name by its rank 1 of the even.
static void between(MPI_Comm comm) {
  int root = rank % 2 ? 1 : rank == 2 ? MPI_ROOT : MPI_PROC_NULL;
  for (int i = 0; i < 2; i++) counts[i] = 1 + i, places[i] = 4 * i;
  MPI_Barrier(comm);
  MPI_Bcast(x, rank == 0 ? 17 : 4, MPI_INT, root, comm);
  MPI_Reduce(x, y, rank == 0 ? 3 : 2, MPI_INT, rank == 0 ? MPI_MAX : MPI_SUM, root, comm);
  MPI_Gather(x, rank % 2 ? 2 : 0, MPI_INT, y, rank == 2 ? 2 : 5, MPI_INT, root, comm);
  MPI_Scatterv(x, counts, places, MPI_INT, y, rank % 2 ? 1 + rank / 2 : 99, MPI_INT, root, comm);
  // Each side sends as much as the other expects, and not as much as it expects itself.
  MPI_Allgather(x, rank % 2 ? 1 : 3, MPI_INT, y, rank % 2 ? 3 : 1, MPI_INT, comm);
  MPI_Alltoall(x, rank % 2 ? 1 : 3, MPI_INT, y, rank % 2 ? 3 : 1, MPI_INT, comm);
  MPI_Allreduce(x, y, 2, MPI_INT, MPI_SUM, comm);
}

static void beside(void) {
  int dims[2] = {2, 2}, periods[2] = {0, 0}, to = (rank + 1) % size, from = (rank + size - 1) % size, n;
  MPI_Comm grid, ring;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Neighbor_allgather(x, 2, MPI_INT, y, 1, pair, grid);
  MPI_Neighbor_alltoall(x, 1, pair, y, 2, MPI_INT, grid);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
  n = from + 1;
  places[0] = 0;
  MPI_Neighbor_allgatherv(x, rank + 1, MPI_INT, y, &n, places, MPI_INT, ring);
  MPI_Comm_free(&ring);
  MPI_Comm_free(&grid);
}

int main(int argc, char **argv) {
  MPI_Comm half, both;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  within(MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
  between(both);
  beside();
  MPI_Comm all;
  MPI_Intercomm_merge(both, rank % 2 ? rank : 0, &all);   // 2.5.4: any value but 0 is true
  MPI_Comm_free(&all);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
  MPI_Type_free(&pair);
  MPI_Finalize();
  return 0;
}
// CHECK: ==mpicc-check== no errors found
