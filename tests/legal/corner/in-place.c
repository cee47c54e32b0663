// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_IN_PLACE in every function that takes it; what it makes insignificant is nonsense here. MPI-3.1 5.2.1.
#include "corner.h"

#define NOTHING (-9)
static int sum_to(int n) { return n * (n + 1) / 2; }

static void gather(void) {
  int all[16] = {-1};
  all[rank] = rank;
  if (rank == 1) MPI_Gather(MPI_IN_PLACE, NOTHING, MPI_DATATYPE_NULL, all, 1, MPI_INT, 1, comm);
  else MPI_Gather(&rank, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 1, comm);
  for (int i = 0; i < size && rank == 1; i++) IS(all[i] == i);
}

static void gatherv(void) {
  int all[16] = {-1}, counts[16], at[16];
  for (int i = 0; i < size; i++) counts[i] = 1, at[i] = size - 1 - i;
  all[at[rank]] = rank;
  if (rank == 0) MPI_Gatherv(MPI_IN_PLACE, NOTHING, MPI_DATATYPE_NULL, all, counts, at, MPI_INT, 0, comm);
  else MPI_Gatherv(&rank, 1, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, 0, comm);
  for (int i = 0; i < size && rank == 0; i++) IS(all[i] == size - 1 - i);
}

static void scatter(void) {
  int all[16], mine = -1;
  for (int i = 0; i < 16; i++) all[i] = i + 7;
  if (rank == 0) MPI_Scatter(all, 1, MPI_INT, MPI_IN_PLACE, NOTHING, MPI_DATATYPE_NULL, 0, comm);
  else MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, &mine, 1, MPI_INT, 0, comm);
  IS(rank == 0 ? all[0] == 7 : mine == rank + 7);
}

static void scatterv(void) {
  int all[16], mine = -1, counts[16], at[16];
  for (int i = 0; i < 16; i++) all[i] = i + 7, counts[i] = 1, at[i] = i;
  if (rank == 1) MPI_Scatterv(all, counts, at, MPI_INT, MPI_IN_PLACE, NOTHING, MPI_DATATYPE_NULL, 1, comm);
  else MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, &mine, 1, MPI_INT, 1, comm);
  IS(rank == 1 ? all[1] == 8 : mine == rank + 7);
}

static void allgather(void) {
  int all[16] = {0};
  all[rank] = rank;
  MPI_Allgather(MPI_IN_PLACE, NOTHING, MPI_DATATYPE_NULL, all, 1, MPI_INT, comm);
  for (int i = 0; i < size; i++) IS(all[i] == i);
}

static void allgatherv(void) {
  int all[16] = {0}, counts[16], at[16];
  for (int i = 0; i < size; i++) counts[i] = 1, at[i] = 2 * i;
  all[2 * rank] = rank;
  MPI_Allgatherv(MPI_IN_PLACE, NOTHING, MPI_DATATYPE_NULL, all, counts, at, MPI_INT, comm);
  for (int i = 0; i < size; i++) IS(all[2 * i] == i);
}

static void alltoall(void) {
  int all[16];
  for (int i = 0; i < size; i++) all[i] = 10 * rank + i;
  MPI_Alltoall(MPI_IN_PLACE, NOTHING, MPI_DATATYPE_NULL, all, 1, MPI_INT, comm);
  for (int i = 0; i < size; i++) IS(all[i] == 10 * i + rank);
}

static void alltoallv(void) {
  int all[32], counts[16], at[16];
  for (int i = 0; i < size; i++) counts[i] = 1, at[i] = 2 * i, all[2 * i] = 10 * rank + i;
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, all, counts, at, MPI_INT, comm);
  for (int i = 0; i < size; i++) IS(all[2 * i] == 10 * i + rank);
}

static void alltoallw(void) {
  int all[16], counts[16], at[16];
  MPI_Datatype kind[16];
  for (int i = 0; i < size; i++) counts[i] = 1, at[i] = 4 * i, kind[i] = MPI_INT, all[i] = 10 * rank + i;
  MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, all, counts, at, kind, comm);
  for (int i = 0; i < size; i++) IS(all[i] == 10 * i + rank);
}

static void reduce(void) {
  int x = rank;
  if (rank == 0) MPI_Reduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, 0, comm);
  else MPI_Reduce(&x, NULL, 1, MPI_INT, MPI_SUM, 0, comm);
  IS(rank ? x == rank : x == sum_to(size - 1));
}

static void allreduce(void) {
  int x[2] = {rank, 1};
  MPI_Allreduce(MPI_IN_PLACE, x, 2, MPI_INT, MPI_SUM, comm);
  IS(x[0] == sum_to(size - 1) && x[1] == size);
}

static void reduce_scatter(void) {
  int x[16], counts[16];
  for (int i = 0; i < size; i++) x[i] = i + 1, counts[i] = 1;
  MPI_Reduce_scatter(MPI_IN_PLACE, x, counts, MPI_INT, MPI_SUM, comm);
  IS(x[0] == size * (rank + 1));
}

static void reduce_scatter_block(void) {
  int x[16];
  for (int i = 0; i < size; i++) x[i] = i + 1;
  MPI_Reduce_scatter_block(MPI_IN_PLACE, x, 1, MPI_INT, MPI_SUM, comm);
  IS(x[0] == size * (rank + 1));
}

static void scan(void) {
  int x = rank + 1;
  MPI_Scan(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, comm);
  IS(x == sum_to(rank + 1));
}

static void exscan(void) {
  int x = rank + 1;
  MPI_Exscan(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, comm);
  IS(rank == 0 || x == sum_to(rank));
}

static void nonblocking(void) {
  int x = rank, all[16] = {0};
  MPI_Request request[2];
  all[rank] = rank;
  MPI_Iallreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, comm, &request[0]);
  MPI_Iallgather(MPI_IN_PLACE, NOTHING, MPI_DATATYPE_NULL, all, 1, MPI_INT, comm, &request[1]);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  IS(x == sum_to(size - 1) && all[size - 1] == size - 1);
}

TABLE(in_place) = {
    {"5.5", "MPI_Gather in place at the root", gather},
    {"5.5", "MPI_Gatherv in place at the root", gatherv},
    {"5.6", "MPI_Scatter in place at the root", scatter},
    {"5.6", "MPI_Scatterv in place at the root", scatterv},
    {"5.7", "MPI_Allgather in place", allgather},
    {"5.7", "MPI_Allgatherv in place", allgatherv},
    {"5.8", "MPI_Alltoall in place", alltoall},
    {"5.8", "MPI_Alltoallv in place, without arrays for sending", alltoallv},
    {"5.8", "MPI_Alltoallw in place, without arrays for sending", alltoallw},
    {"5.9.1", "MPI_Reduce in place at the root", reduce},
    {"5.9.6", "MPI_Allreduce in place", allreduce},
    {"5.10.2", "MPI_Reduce_scatter in place", reduce_scatter},
    {"5.10.1", "MPI_Reduce_scatter_block in place", reduce_scatter_block},
    {"5.11.1", "MPI_Scan in place", scan},
    {"5.11.2", "MPI_Exscan in place", exscan},
    {"5.12", "nonblocking collectives in place", nonblocking},
    END};
