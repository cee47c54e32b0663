// RUN: %mpicc-check %s -o %t
// RUN: %expect 0 %mpirun-check --flow=content -n 2 %t 2>&1 | FileCheck %s
// RUN: %expect 0 %mpirun-check --flow=content -n 5 --oversubscribe --mca btl_vader_single_copy_mechanism none %t 2>&1 \
// RUN:   | FileCheck %s
// RUN: %expect 0 %mpirun-check --flow=content -n 3 --oversubscribe --mca btl tcp,self %t 2>&1 | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Right programs, one behind the other: 8 kinds of datatypes, sizes from one element to 8 MiB, all kinds of sends and
// receives, all collectives, predefined operations on many types. Other numbers of ranks, other ways of the data
// (shared memory with and without single copy, TCP): never a finding.
// CHECK: ==mpicc-check== no errors found
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = 8, ROOM = 1 << 20, LARGE = 8 << 20 };
static int rank, size;
static char *out, *in;
static MPI_Datatype types[TYPES];
static MPI_Comm ring;

static MPI_Datatype made(MPI_Datatype t) {
  MPI_Type_commit(&t);
  return t;
}

static void make_types(void) {
  MPI_Datatype t, part;
  int lengths[3] = {2, 1, 3}, at[3] = {7, 0, 3}, sizes[2] = {6, 8}, subsizes[2] = {3, 2}, starts[2] = {1, 4};
  MPI_Aint bytes[3] = {0, 16, 24};
  MPI_Datatype parts[3] = {MPI_DOUBLE, MPI_INT, MPI_CHAR};
  MPI_Type_contiguous(3, MPI_INT, &t), types[0] = made(t);
  MPI_Type_vector(4, 2, 5, MPI_DOUBLE, &t), types[1] = made(t);
  MPI_Type_indexed(3, lengths, at, MPI_INT, &t), types[2] = made(t); // decreasing displacements
  MPI_Type_create_struct(3, lengths, bytes, parts, &t), types[3] = made(t);
  MPI_Type_create_hvector(2, 2, 400, types[1], &t), types[4] = made(t);
  MPI_Type_create_resized(MPI_DOUBLE, 0, 40, &t), types[5] = made(t);
  MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_SHORT, &t), types[6] = made(t);
  MPI_Type_create_resized(MPI_DOUBLE_INT, 0, 24, &part);
  MPI_Type_contiguous(2, part, &t), types[7] = made(t);
  MPI_Type_free(&part);
}

static void fill(int seed, size_t n) {
  for (size_t i = 0; i < n; i++) out[i] = (char)(seed * 31 + rank * 7 + (int)(i * 2654435761u >> 13));
  memset(in, seed, n);
}

// --- messages: to the right neighbor, from the left one ---
static void exchange(int mode, int n, MPI_Datatype type) {
  int to = (rank + 1) % size, from = (rank + size - 1) % size, bytes, flag = 0;
  MPI_Request r[2];
  MPI_Status s;
  MPI_Message message;
  MPI_Pack_size(n, type, MPI_COMM_WORLD, &bytes);
  switch (mode) {
  case 0:
    MPI_Irecv(in, n, type, from, 0, MPI_COMM_WORLD, r);
    MPI_Send(out, n, type, to, 0, MPI_COMM_WORLD);
    MPI_Wait(r, MPI_STATUS_IGNORE);
    break;
  case 1:
    MPI_Isend(out, n, type, to, 1, MPI_COMM_WORLD, r);
    MPI_Recv(in, n, type, from, 1, MPI_COMM_WORLD, &s);
    MPI_Wait(r, &s);
    break;
  case 2:
    MPI_Issend(out, n, type, to, 2, MPI_COMM_WORLD, r);
    MPI_Irecv(in, n, type, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, r + 1);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    break;
  case 3: MPI_Sendrecv(out, n, type, to, 3, in, n, type, from, 3, MPI_COMM_WORLD, &s); break;
  case 4: MPI_Sendrecv_replace(out, n, type, to, 4, from, 4, MPI_COMM_WORLD, &s); break;
  case 5: {
    char *buffer = malloc((size_t)bytes + MPI_BSEND_OVERHEAD);
    MPI_Buffer_attach(buffer, bytes + MPI_BSEND_OVERHEAD);
    MPI_Bsend(out, n, type, to, 5, MPI_COMM_WORLD);
    memset(out, 1, 8); // it was copied
    MPI_Recv(in, n, type, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
    break;
  }
  case 6:
    MPI_Isend(out, n, type, to, 6, MPI_COMM_WORLD, r);
    MPI_Mprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &message, &s);
    MPI_Mrecv(in, n, type, &message, &s);
    MPI_Wait(r, &s);
    break;
  case 7:
    MPI_Send_init(out, n, type, to, 7, MPI_COMM_WORLD, r);
    MPI_Recv_init(in, n, type, from, 7, MPI_COMM_WORLD, r + 1);
    for (int k = 0; k < 3; k++) {
      MPI_Startall(2, r);
      MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
      out[0]++, out[3]++, in[1] = 9;
    }
    MPI_Request_free(r), MPI_Request_free(r + 1);
    break;
  case 8: // the buffer may be used when the operation is known to be complete
    MPI_Irecv(in, n, type, from, 8, MPI_COMM_WORLD, r);
    MPI_Isend(out, n, type, to, 8, MPI_COMM_WORLD, r + 1);
    MPI_Barrier(MPI_COMM_WORLD); // few polls
    while (!flag) MPI_Request_get_status(r[0], &flag, &s);
    in[0] ^= 1, in[17] ^= 1;
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    break;
  case 9: { // datatypes are freed while they are in use
    MPI_Datatype copy;
    MPI_Type_dup(type, &copy);
    MPI_Irecv(in, n, copy, from, 9, MPI_COMM_WORLD, r);
    MPI_Isend(out, n, copy, to, 9, MPI_COMM_WORLD, r + 1);
    MPI_Type_free(&copy);
    MPI_Type_vector(3, 1, 9, MPI_CHAR, &copy), MPI_Type_commit(&copy), MPI_Type_free(&copy);
    int index;
    MPI_Waitany(2, r, &index, &s), MPI_Waitany(2, r, &index, &s);
    break;
  }
  }
}

static void messages(void) {
  for (int t = 0; t < TYPES; t++)
    for (int mode = 0; mode < 10; mode++)
      for (int n = 1; n <= 1000; n *= 31) fill(t * 10 + mode, 4096), exchange(mode, n, types[t]);
  fill(1, LARGE), exchange(1, LARGE, MPI_BYTE);
  for (int mode = 0; mode < 4; mode++)
    for (int t = 1; t < 3; t++) exchange(mode, 4000, types[t]);
  // A shorter message than the buffer; bytes for integers; packed data; nothing at all.
  MPI_Request r;
  int to = (rank + 1) % size, from = (rank + size - 1) % size, at = 0;
  MPI_Isend(out, 10, MPI_INT, to, 0, MPI_COMM_WORLD, &r);
  MPI_Recv(in, 40, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Pack(out, 5, types[1], in + 4096, 4096, &at, MPI_COMM_WORLD);
  MPI_Isend(in + 4096, at, MPI_PACKED, to, 0, MPI_COMM_WORLD, &r);
  MPI_Recv(in, 5, types[1], from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Isend(out, 0, MPI_INT, to, 0, MPI_COMM_WORLD, &r);
  MPI_Recv(NULL, 0, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Sendrecv(out, 1, MPI_INT, MPI_PROC_NULL, 0, in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// --- collectives ---
static int counts[16], displs[16], bytes_at[16];
static MPI_Datatype each[16];

static void set_counts(MPI_Datatype type, int n) {
  MPI_Aint lb, extent;
  MPI_Type_get_extent(type, &lb, &extent);
  for (int r = 0, at = 0; r < size; r++) {
    counts[r] = n + r % 2, displs[size - 1 - r] = at, each[r] = type;
    at += n + 2;
  }
  for (int r = 0; r < size; r++) bytes_at[r] = displs[r] * (int)extent;
}

static void data_collectives(int n, MPI_Datatype type) {
  int root = size - 1, own;
  set_counts(type, n), own = counts[rank];
  MPI_Bcast(out, n, type, root, MPI_COMM_WORLD);
  MPI_Gather(out, n, type, in, n, type, root, MPI_COMM_WORLD);
  MPI_Gather(rank == root ? MPI_IN_PLACE : (void *)out, n, type, in, n, type, root, MPI_COMM_WORLD);
  MPI_Gatherv(out, own, type, in, counts, displs, type, 0, MPI_COMM_WORLD);
  MPI_Scatter(out, n, type, in, n, type, 0, MPI_COMM_WORLD);
  MPI_Scatter(out, n, type, rank == 0 ? MPI_IN_PLACE : (void *)in, n, type, 0, MPI_COMM_WORLD);
  MPI_Scatterv(out, counts, displs, type, in, own, type, root, MPI_COMM_WORLD);
  MPI_Allgather(out, n, type, in, n, type, MPI_COMM_WORLD);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, n, type, MPI_COMM_WORLD);
  MPI_Allgatherv(out, own, type, in, counts, displs, type, MPI_COMM_WORLD);
  MPI_Alltoall(out, n, type, in, n, type, MPI_COMM_WORLD);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, n, type, MPI_COMM_WORLD);
  for (int r = 0; r < size; r++) counts[r] = n;
  MPI_Alltoallv(out, counts, displs, type, in, counts, displs, type, MPI_COMM_WORLD);
  MPI_Alltoallw(out, counts, bytes_at, each, in, counts, bytes_at, each, MPI_COMM_WORLD);
  MPI_Request r[6];
  MPI_Ibcast(in + ROOM, n, type, 0, MPI_COMM_WORLD, r);
  MPI_Iallgatherv(out, n, type, in, counts, displs, type, MPI_COMM_WORLD, r + 1);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Ialltoallw(out, counts, bytes_at, each, in, counts, bytes_at, each, MPI_COMM_WORLD, r);
  MPI_Wait(r, MPI_STATUS_IGNORE);
  MPI_Iscatterv(out, counts, displs, type, in, n, type, 0, MPI_COMM_WORLD, r);
  MPI_Wait(r, MPI_STATUS_IGNORE);
  MPI_Neighbor_allgather(out, n, type, in, n, type, ring);
  MPI_Neighbor_alltoall(out, n, type, in, n, type, ring);
  MPI_Neighbor_alltoallv(out, counts, displs, type, in, counts, displs, type, ring);
  MPI_Aint wide[16];
  for (int i = 0; i < size; i++) wide[i] = bytes_at[i];
  if (size > 1) MPI_Neighbor_alltoallw(out, counts, wide, each, in, counts, wide, each, ring);
  MPI_Ineighbor_alltoall(out, n, type, in, n, type, ring, r);
  MPI_Wait(r, MPI_STATUS_IGNORE);
}

static void reductions(int n, MPI_Datatype type, MPI_Op op) {
  int own[16];
  MPI_Request r;
  for (int i = 0; i < size; i++) own[i] = n / size + (i == 0 ? n % size : 0);
  MPI_Reduce(out, in, n, type, op, size - 1, MPI_COMM_WORLD);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : (void *)out, rank == 0 ? out : NULL, n, type, op, 0, MPI_COMM_WORLD);
  MPI_Allreduce(out, in, n, type, op, MPI_COMM_WORLD);
  MPI_Scan(out, in, n, type, op, MPI_COMM_WORLD);
  MPI_Exscan(out, in, n, type, op, MPI_COMM_WORLD);
  MPI_Reduce_scatter(out, in, own, type, op, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(out, in, n / size, type, op, MPI_COMM_WORLD);
  MPI_Iallreduce(MPI_IN_PLACE, out, n, type, op, MPI_COMM_WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void combine(void *a, void *b, int *n, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *n; i++) ((int *)b)[i] += ((int *)a)[i];
}

// What it makes depends on a variable of the program, which has another value when the run is judged.
static unsigned modulus = 7;
static void add_modulo(void *a, void *b, int *n, MPI_Datatype *type) {
  (void)type;
  unsigned *x = a, *y = b;
  for (int i = 0; i < *n; i++) y[i] = (x[i] % modulus + y[i] % modulus) % modulus;
}

static void all_reductions(void) {
  static const struct {
    MPI_Datatype type;
    int form; // 0: integers, 1: numbers, 2: pairs, 3: complex
  } rows[] = {{MPI_INT, 0},        {MPI_UNSIGNED_CHAR, 0}, {MPI_LONG, 0},       {MPI_UINT16_T, 0},
              {MPI_FLOAT, 1},      {MPI_DOUBLE, 1},        {MPI_LONG_DOUBLE, 1}, {MPI_2INT, 2},
              {MPI_DOUBLE_INT, 2}, {MPI_FLOAT_INT, 2},     {MPI_SHORT_INT, 2},  {MPI_C_DOUBLE_COMPLEX, 3}};
  MPI_Op ops[4][9] = {{MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_LAND, MPI_BOR, MPI_BXOR, MPI_LXOR, MPI_OP_NULL},
                      {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_OP_NULL},
                      {MPI_MINLOC, MPI_MAXLOC, MPI_OP_NULL},
                      {MPI_SUM, MPI_PROD, MPI_OP_NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int k = 0; ops[rows[i].form][k] != MPI_OP_NULL; k++)
      for (int n = k ? 145 : 5; n <= 145; n *= 29) {
        fill((int)i, 70000);
        for (int j = 0; j < 70000 / 8; j++) { // numbers, in part of very different size
          double v = (rank + 1) * 0.3 + j % 97 * (j % 5 ? 1e-3 : -1e7);
          if (rows[i].type == MPI_FLOAT || rows[i].type == MPI_FLOAT_INT) ((float *)out)[j] = (float)v;
          else if (rows[i].type == MPI_LONG_DOUBLE) ((long double *)out)[j] = v;
          else if (rows[i].form) ((double *)out)[j] = v;
        }
        reductions(n, rows[i].type, ops[rows[i].form][k]);
      }
  MPI_Op own;
  MPI_Op_create(combine, 1, &own);
  reductions(50, MPI_INT, own);
  MPI_Allreduce(out, in, ROOM / 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Op_free(&own);
  MPI_Op_create(add_modulo, 1, &own);
  reductions(50, MPI_INT, own);
  MPI_Op_free(&own), modulus = 5;
}

static void intercommunicator(void) {
  MPI_Comm half, between;
  int is_low = rank < size / 2, own, n = 20;
  MPI_Comm_split(MPI_COMM_WORLD, is_low, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_low ? size / 2 : 0, 3, &between);
  MPI_Comm_rank(half, &own);
  fill(3, 1 << 14);
  MPI_Bcast(out, n, types[1], is_low ? (own ? MPI_PROC_NULL : MPI_ROOT) : 0, between);
  MPI_Allgather(out, n, MPI_INT, in, n, MPI_INT, between);
  MPI_Gather(out, n, MPI_INT, in, n, MPI_INT, is_low ? 0 : own ? MPI_PROC_NULL : MPI_ROOT, between);
  MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, between);
  MPI_Allreduce(out, in, n, MPI_INT, MPI_SUM, between);
  if (!own) MPI_Sendrecv(out, n, MPI_INT, 0, 1, in, n, MPI_INT, 0, 1, between, MPI_STATUS_IGNORE);
  MPI_Comm_free(&between), MPI_Comm_free(&half);
}

int main(int argc, char **argv) {
  int periods = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  out = calloc(2, LARGE), in = out + LARGE;
  make_types();
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods, 0, &ring);
  messages();
  for (int t = 0; t < TYPES; t++)
    for (int n = 1; n <= 200; n += 132) fill(t, 1 << 14), data_collectives(n, types[t]);
  all_reductions();
  intercommunicator();
  for (int t = 0; t < TYPES; t++) MPI_Type_free(&types[t]);
  MPI_Comm_free(&ring);
  free(out);
  MPI_Finalize();
  return 0;
}
