// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collective operations: MPI-3.1 chapter 5, but for MPI_IN_PLACE.
#include "corner.h"

static void no_data(void) {
  MPI_Bcast(NULL, 0, MPI_INT, 0, comm);
  MPI_Allreduce(NULL, NULL, 0, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Allgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, comm);
  MPI_Alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, comm);
}

// Arguments that are significant only at the root (here the last rank).
static void gather_elsewhere(void) {
  int root = size - 1, *all = calloc((size_t)size, sizeof *all);
  if (rank == root) MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, root, comm);
  else MPI_Gather(&rank, 1, MPI_INT, garbage, -3, MPI_DATATYPE_NULL, root, comm);
  for (int i = 0; i < size && rank == root; i++) IS(all[i] == i);
  free(all);
}

static void scatter_elsewhere(void) {
  int root = size - 1, *all = calloc((size_t)size, sizeof *all), mine = -1;
  for (int i = 0; i < size; i++) all[i] = 2 * i;
  if (rank == root) MPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, root, comm);
  else MPI_Scatter(garbage, -3, MPI_DATATYPE_NULL, &mine, 1, MPI_INT, root, comm);
  IS(mine == 2 * rank);
  free(all);
}

static void gatherv_elsewhere(void) {
  int all[64], counts[64], at[64];
  for (int i = 0; i < size; i++) counts[i] = i, at[i] = 4 * (size - i);  // backwards, with gaps; nothing from rank 0
  if (rank == 0) MPI_Gatherv(NULL, 0, MPI_INT, all, counts, at, MPI_INT, 0, comm);
  else MPI_Gatherv((int[]){rank, rank, rank, rank}, rank, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, 0, comm);
  for (int i = 1; i < size && rank == 0; i++) IS(all[at[i]] == i && all[at[i] + counts[i] - 1] == i);
}

static void scatterv_elsewhere(void) {
  int all[64], counts[64], at[64], mine[4] = {-1, -1, -1, -1};
  for (int i = 0; i < size; i++) counts[i] = i, at[i] = -4 * i, all[i] = 0;
  for (int i = 0; i < 64; i++) all[i] = i;
  if (rank == 0) MPI_Scatterv(all + 60, counts, at, MPI_INT, NULL, 0, MPI_INT, 0, comm);
  else MPI_Scatterv(NULL, NULL, garbage, MPI_DATATYPE_NULL, mine, rank, MPI_INT, 0, comm);
  IS(rank == 0 || (mine[0] == 60 - 4 * rank && mine[rank - 1] == 59 - 3 * rank));
}

static void reduce_elsewhere(void) {
  int sum = 0;
  MPI_Reduce(&rank, rank == 1 ? &sum : NULL, 1, MPI_INT, MPI_SUM, 1, comm);
  IS(rank != 1 || sum == size * (size - 1) / 2);
}

static void signatures(void) {  // 5.1: equal signatures, however built
  MPI_Datatype pair;
  int x[4] = {0, 0, 0, 0};
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  for (int i = 0; i < 4 && rank == 0; i++) x[i] = i + 1;
  if (rank % 2) MPI_Bcast(x, 2, pair, 0, comm);
  else MPI_Bcast(x, 4, MPI_INT, 0, comm);
  IS(x[0] == 1 && x[3] == 4);
  MPI_Type_free(&pair);
}

static void interleaved(void) {  // 5.5: what arrives is interleaved by a resized type
  MPI_Datatype column, resized;
  int mine[3] = {rank, rank, rank}, *all = calloc(3 * (size_t)size, sizeof *all);
  MPI_Type_vector(3, 1, size, MPI_INT, &column);
  MPI_Type_create_resized(column, 0, sizeof(int), &resized);
  MPI_Type_commit(&resized);
  MPI_Type_free(&column);
  MPI_Allgather(mine, 3, MPI_INT, all, 1, resized, comm);
  for (int i = 0; i < 3 * size; i++) IS(all[i] == i % size);
  MPI_Type_free(&resized);
  free(all);
}

static void nothing_from_some(void) {
  int all[64], counts[64], at[64], n = 0;
  for (int i = 0; i < size; i++) counts[i] = i % 2, at[i] = i % 2 ? n++ : 1 << 20;
  MPI_Allgatherv(&rank, rank % 2, MPI_INT, all, counts, at, MPI_INT, comm);
  IS(all[0] == 1);
}

static void alltoallv_nothing(void) {
  int zeros[64] = {0};
  MPI_Alltoallv(NULL, zeros, zeros, MPI_INT, NULL, zeros, zeros, MPI_DOUBLE, comm);
  MPI_Datatype mixed[64];
  for (int i = 0; i < size; i++) mixed[i] = i % 2 ? MPI_CHAR : MPI_DOUBLE;
  MPI_Alltoallw(NULL, zeros, zeros, mixed, NULL, zeros, zeros, mixed, comm);
}

static void alltoallw_types(void) {  // what goes between a and b has a type of their own
  struct { double d; int i; } out[16], in[16];
  int counts[16], at[16];
  MPI_Datatype kind[16];
  for (int i = 0; i < size; i++) {
    int is_int = (rank + i) % 2;
    counts[i] = 1;
    kind[i] = is_int ? MPI_INT : MPI_DOUBLE;
    at[i] = (int)((char *)(is_int ? (void *)&out[i].i : (void *)&out[i].d) - (char *)out);
    out[i].d = rank + 0.5, out[i].i = rank;
  }
  MPI_Alltoallw(out, counts, at, kind, in, counts, at, kind, comm);
  for (int i = 0; i < size; i++) IS((rank + i) % 2 ? in[i].i == i : in[i].d == i + 0.5);
}

struct digits { long long scale, value; };  // appended one to the other: a.b is not b.a, (a.b).c is a.(b.c)
static void append(void *first, void *second, int *n, MPI_Datatype *type) {
  struct digits *a = first, *b = second;
  (void)type;
  for (int i = 0; i < *n; i++) b[i] = (struct digits){a[i].scale * b[i].scale, a[i].value * b[i].scale + b[i].value};
}

static void in_rank_order(void) {
  MPI_Op op;
  MPI_Datatype pair;
  int commutes = 1;
  long long expected = 0;
  struct digits mine = {10, rank + 1}, result = {0, 0};
  for (int i = 0; i < size; i++) expected = expected * 10 + i + 1;
  MPI_Type_contiguous(2, MPI_LONG_LONG, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(append, 0, &op);
  MPI_Op_commutative(op, &commutes);
  MPI_Allreduce(&mine, &result, 1, pair, op, comm);
  IS(!commutes && result.value == expected);
  MPI_Reduce_local(&mine, &result, 1, pair, op);
  IS(result.value % 10 == size);
  MPI_Type_free(&pair);
  MPI_Op_free(&op);
  IS(op == MPI_OP_NULL);
}

static void add_vectors(void *in, void *inout, int *n, MPI_Datatype *type) {
  int bytes;
  MPI_Type_size(*type, &bytes);  // MPI in a user's operation: only what does not communicate
  for (int i = 0; i < *n * bytes / (int)sizeof(int); i++) ((int *)inout)[i] += ((int *)in)[i];
}

static void derived_operand(void) {
  MPI_Op op;
  MPI_Datatype triple;
  int mine[6] = {1, 2, 3, rank, 5, 6}, sum[6];
  MPI_Op_create(add_vectors, 1, &op);
  MPI_Type_contiguous(3, MPI_INT, &triple);
  MPI_Type_commit(&triple);
  MPI_Allreduce(mine, sum, 2, triple, op, comm);
  IS(sum[0] == size && sum[3] == size * (size - 1) / 2);
  MPI_Type_free(&triple);
  MPI_Op_free(&op);
}

static void ties(void) {
  struct { double value; int index; } mine = {7, rank}, most, least;
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
  MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm);
  IS(most.index == 0 && least.index == 0 && most.value == 7);
}

static void bits(void) {
  unsigned char x = (unsigned char)(1 << rank), y;
  MPI_Allreduce(&x, &y, 1, MPI_BYTE, MPI_BXOR, comm);
  IS(y == (1 << size) - 1);
}

static void prefix(void) {  // 5.11.2: the result of rank 0 is not significant
  int result = -1;
  MPI_Exscan(&rank, rank ? &result : NULL, 1, MPI_INT, MPI_SUM, comm);
  IS(rank ? result == rank * (rank - 1) / 2 : result == -1);
}

static void scattered_nothing(void) {
  int out[16], in = -1, counts[16];
  for (int i = 0; i < size; i++) counts[i] = i == size - 1, out[i] = i + 1;
  MPI_Reduce_scatter(out, rank == size - 1 ? &in : NULL, counts, MPI_INT, MPI_SUM, comm);
  IS(rank != size - 1 || in == size);
}

static void out_of_order(void) {  // 5.12: started in one order, completed in any
  int x = rank, sum = -1, y = rank + 1, all[16], flag = 0;
  MPI_Request request[4];
  MPI_Iallreduce(&x, &sum, 1, MPI_INT, MPI_SUM, comm, &request[0]);
  MPI_Ibcast(&y, 1, MPI_INT, 1, comm, &request[1]);
  MPI_Iallgather(&x, 1, MPI_INT, all, 1, MPI_INT, comm, &request[2]);
  MPI_Ibarrier(comm, &request[3]);
  if (rank % 2) for (int i = 3; i >= 0; i--) MPI_Wait(&request[i], MPI_STATUS_IGNORE);
  else while (!flag) MPI_Testall(4, request, &flag, MPI_STATUSES_IGNORE);
  IS(sum == size * (size - 1) / 2 && y == 2 && all[size - 1] == size - 1);
}

static void same_twice(void) {  // two of the same kind at once, on buffers of their own
  int x[2] = {rank, rank};
  MPI_Request request[2];
  MPI_Ibcast(&x[0], 1, MPI_INT, 0, comm, &request[0]);
  MPI_Ibcast(&x[1], 1, MPI_INT, 1, comm, &request[1]);
  MPI_Wait(&request[1], MPI_STATUS_IGNORE);
  MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  IS(x[0] == 0 && x[1] == 1);
}

static void between(void) {  // blocking collectives and messages between start and end of a nonblocking one
  int x = -1, y = rank, z = -1;
  MPI_Request request;
  MPI_Iallreduce(&y, &x, 1, MPI_INT, MPI_MAX, comm, &request);
  MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &z, 1, MPI_INT, left, 1, comm, MPI_STATUS_IGNORE);
  MPI_Barrier(comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  IS(x == size - 1 && z == left);
}

static void past_a_wildcard(void) {  // 5.1: collectives and point-to-point messages do not meet
  int in = -1, x = rank;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
  MPI_Bcast(&x, 1, MPI_INT, 0, comm);
  MPI_Barrier(comm);
  IS(x == 0);
  MPI_Send(&rank, 1, MPI_INT, right, 1, comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  IS(in == left);
}

static void type_freed_meanwhile(void) {
  int x[2] = {rank, rank};
  MPI_Datatype pair;
  MPI_Request request;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Ibcast(x, 1, pair, 0, comm, &request);
  MPI_Type_free(&pair);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  IS(x[0] == 0 && x[1] == 0);
}

static void nonblocking_root_only(void) {
  int all[16] = {0};
  MPI_Request request;
  if (rank == 0) MPI_Igather(&size, 1, MPI_INT, all, 1, MPI_INT, 0, comm, &request);
  else MPI_Igather(&size, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  IS(rank != 0 || all[size - 1] == size);
}

static void alone(void) {
  int x = 5, y = 0;
  MPI_Barrier(MPI_COMM_SELF);
  MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  MPI_Scan(&x, &y, 1, MPI_INT, MPI_PROD, MPI_COMM_SELF);
  MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_SELF);
  IS(x == 5 && y == 5);
}

// Intercommunicators (5.2.2): even ranks on one side, odd ones on the other. Roots name themselves.
static MPI_Comm sides(MPI_Comm *mine) {
  MPI_Comm both;
  MPI_Comm_split(comm, rank % 2, 0, mine);
  MPI_Intercomm_create(*mine, 0, comm, 1 - rank % 2, 1, &both);
  return both;
}

static int place(int root_side) { return rank % 2 != root_side ? 0 : rank == root_side ? MPI_ROOT : MPI_PROC_NULL; }

static void across_bcast(void) {
  MPI_Comm mine, both = sides(&mine);
  int x = rank, here = place(1);
  MPI_Bcast(here == MPI_PROC_NULL ? garbage : (void *)&x, here == MPI_PROC_NULL ? 0 : 1, MPI_INT, here, both);
  IS(rank % 2 ? x == rank : x == 1);
  MPI_Comm_free(&both);
  MPI_Comm_free(&mine);
}

static void across_gather(void) {
  MPI_Comm mine, both = sides(&mine);
  int all[16] = {0}, sum = -1, here = place(0), odd = size / 2, one = 1;
  MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, here, both);
  IS(here != MPI_ROOT || (all[0] == 1 && all[odd - 1] == 2 * odd - 1));
  MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, here, both);
  IS(here != MPI_ROOT || sum == odd);
  MPI_Comm_free(&both);
  MPI_Comm_free(&mine);
}

static void across_all(void) {  // each side gets what the other gave; the counts of both directions are free
  MPI_Comm mine, both = sides(&mine);
  int out[2] = {rank, rank}, all[32], sum = -1, one = 1, even = (size + 1) / 2, odd = size / 2;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, both);
  IS(sum == (rank % 2 ? even : odd));
  MPI_Allgather(out, rank % 2 ? 2 : 1, MPI_INT, all, rank % 2 ? 1 : 2, MPI_INT, both);
  IS(all[0] == 1 - rank % 2);
  MPI_Barrier(both);
  MPI_Comm_free(&both);
  MPI_Comm_free(&mine);
}

TABLE(collectives) = {
    {"5.1", "collectives without data", no_data},
    {"5.5", "MPI_Gather: the receive arguments count at the root only", gather_elsewhere},
    {"5.6", "MPI_Scatter: the send arguments count at the root only", scatter_elsewhere},
    {"5.5", "MPI_Gatherv: backwards and with gaps, arrays at the root only", gatherv_elsewhere},
    {"5.6", "MPI_Scatterv: negative displacements, arrays at the root only", scatterv_elsewhere},
    {"5.9.1", "MPI_Reduce: a result at the root only", reduce_elsewhere},
    {"5.1", "equal signatures of different types", signatures},
    {"5.7", "blocks that interleave in a resized type", interleaved},
    {"5.7", "where nothing comes from, the displacement does not matter", nothing_from_some},
    {"5.8", "an exchange of nothing, with any types", alltoallv_nothing},
    {"5.8", "MPI_Alltoallw with a type per pair", alltoallw_types},
    {"5.9.5", "an operation that does not commute, in the order of ranks", in_rank_order},
    {"5.9.5", "an operation on derived types that asks MPI for their size", derived_operand},
    {"5.9.4", "MPI_MAXLOC and MPI_MINLOC take the lowest of equals", ties},
    {"5.9.2", "bitwise operations on MPI_BYTE", bits},
    {"5.11.2", "MPI_Exscan: rank 0 has no result", prefix},
    {"5.10", "MPI_Reduce_scatter gives some nothing", scattered_nothing},
    {"5.12", "nonblocking collectives are completed in any order", out_of_order},
    {"5.12", "two nonblocking collectives of one kind at once", same_twice},
    {"5.12", "other collectives and messages while one is under way", between},
    {"5.1", "a receive from anybody does not see collectives", past_a_wildcard},
    {"5.12", "a type is freed while a collective uses it", type_freed_meanwhile},
    {"5.12.3", "MPI_Igather: the receive arguments count at the root only", nonblocking_root_only},
    {"5.1", "collectives of one process", alone},
    {"5.2.3", "intercommunicator: MPI_ROOT gives, MPI_PROC_NULL has no buffer", across_bcast},
    {"5.2.3", "intercommunicator: the root gets what the other side gave", across_gather},
    {"5.2.2", "intercommunicator: both directions at once, each with its count", across_all},
    END};
