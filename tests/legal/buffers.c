// RUN: %mpicc-check %s -o %t
// RUN: %mpirun-check -n 2 %t 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// RUN: %mpicc-check -O2 %s -o %t.fast
// RUN: %mpirun-check -n 2 %t.fast 2>&1 | FileCheck %s --implicit-check-not='==mpicc-check== {{ERROR|WARNING|NOTE}}'
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers that look strange and are right: whole structures through a member, types relative to one of several variables, what the allocator gave
// beyond what was asked for, bytes between bytes, and the same bytes sent many times at once.
// CHECK: ==mpicc-check== no errors found
#include <malloc.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

struct particle { double position[3]; int kind; char tag; };
static int rank, global_a[2], global_b[2];
static const int table[4] = {1, 2, 3, 4};

#define PING(send, nsend, stype, recv, nrecv, rtype) \
  MPI_Sendrecv(send, nsend, stype, rank, 0, recv, nrecv, rtype, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)

static void objects(void) {
  struct particle p = {{1, 2, 3}, 4, 5}, q;
  PING(&p.position[0], sizeof p, MPI_BYTE, q.position, sizeof q, MPI_BYTE);   // all of the structure (4.1.12: one sequential storage)
  char text[16] = "";
  PING("literal", 8, MPI_CHAR, text, 16, MPI_CHAR);                          // constants may be sent; a receive may be larger (3.2.5)
  PING(table + 1, 3, MPI_INT, text, 3, MPI_INT);
  int past[4] = {0};
  PING(past + 4, 0, MPI_INT, past + 4, 0, MPI_INT);                           // nothing, behind the end
  PING(NULL, 0, MPI_INT, (void *)64, 0, MPI_INT);
}

static void types(void) {
  // Displacements between variables, computed by MPI_Get_address; and absolute ones.
  int one = 1, two = 2, x[2], y[2];
  MPI_Aint a, b;
  MPI_Datatype pair, absolute, sparse, back;
  MPI_Get_address(&one, &a), MPI_Get_address(&two, &b);
  MPI_Type_create_hindexed(2, (int[]){1, 1}, (MPI_Aint[]){0, b - a}, MPI_INT, &pair), MPI_Type_commit(&pair);
  PING(&one, 1, pair, x, 2, MPI_INT);
  MPI_Type_create_hindexed(2, (int[]){1, 1}, (MPI_Aint[]){a, b}, MPI_INT, &absolute), MPI_Type_commit(&absolute);
  PING(MPI_BOTTOM, 1, absolute, y, 2, MPI_INT);
  MPI_Get_address(global_a, &a), MPI_Get_address(global_b, &b);
  MPI_Datatype globals;
  MPI_Type_create_hindexed(2, (int[]){2, 2}, (MPI_Aint[]){0, b - a}, MPI_INT, &globals), MPI_Type_commit(&globals);
  int four[4];
  PING(global_a, 1, globals, four, 4, MPI_INT);
  // Three structures, of which the last ends before its extent does; negative lower bounds; extents that go backwards.
  MPI_Type_create_resized(MPI_INT, 0, 16, &sparse), MPI_Type_commit(&sparse);
  int *nine = calloc(9, sizeof *nine), three[3], reversed[9];
  PING(nine, 3, sparse, three, 3, MPI_INT);
  MPI_Type_create_resized(MPI_INT, 0, -(MPI_Aint)sizeof(int), &back), MPI_Type_commit(&back);
  PING(nine + 8, 9, back, reversed, 9, MPI_INT);
  // The even elements are received while the odd ones are sent (3.10: disjoint by bytes).
  MPI_Datatype every_other;
  MPI_Type_vector(4, 1, 2, MPI_INT, &every_other), MPI_Type_commit(&every_other);
  int mixed[8] = {0};
  PING(mixed, 1, every_other, mixed + 1, 1, every_other);
  MPI_Type_free(&pair), MPI_Type_free(&absolute), MPI_Type_free(&globals), MPI_Type_free(&sparse), MPI_Type_free(&back), MPI_Type_free(&every_other);
  free(nine);
}

static void heap(void) {
  char other[64];
  for (int i = 0; i < 3; i++) {
    char *p = malloc(13), *whole = memset(malloc(13), 0, 13);
    size_t usable = malloc_usable_size(whole);   // who asks may use it
    memset(whole, 0, usable);
    PING(whole, (int)usable, MPI_BYTE, other, 64, MPI_BYTE);
    p = realloc(p, 40);
    memset(p, 0, 40);
    PING(p, 40, MPI_BYTE, other, 64, MPI_BYTE);
    p = realloc(p, 8);
    PING(p, 8, MPI_BYTE, other, 64, MPI_BYTE);
    void *aligned = NULL, *big = calloc(1, 1 << 20);
    if (posix_memalign(&aligned, 256, 100)) abort();
    memset(aligned, 0, 100);
    PING(aligned, 100, MPI_BYTE, big, 1 << 20, MPI_BYTE);
    PING((char *)big + (1 << 19), 64, MPI_BYTE, other, 64, MPI_BYTE);
    // A buffer of one block, while the neighbors come and go.
    free(aligned), free(p);
    PING(whole, 13, MPI_BYTE, (char *)big + 1000, 13, MPI_BYTE);
    free(big), free(whole);
  }
}

static void together(void) {
  enum { N = 100 };
  static int in[N], out;
  MPI_Request requests[2 * N];
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < N; i++) MPI_Irecv(&in[N - 1 - i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < N; i++) MPI_Isend(&out, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[N + i]);   // 3.7.2: read many times
    MPI_Send(&out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Recv(in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   // touches nothing (3.11)
    for (int i = 0; i < 2 * N; i++) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  }
  int sum[2] = {1, 1}, all[4], counts[2] = {2, 2}, places[2] = {2, 0}, none[2] = {0, 0};
  MPI_Request sums[2];
  MPI_Iallreduce(&out, &sum[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &sums[0]);
  MPI_Iallreduce(&out, &sum[1], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &sums[1]);
  MPI_Waitall(2, sums, MPI_STATUSES_IGNORE);
  MPI_Allgatherv(sum, 2, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoallv(all, none, places, MPI_INT, all, none, places, MPI_INT, MPI_COMM_WORLD);   // nothing at all
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 2, MPI_INT, MPI_COMM_WORLD);
  MPI_Scatter(all, 2, MPI_INT, rank == 0 ? MPI_IN_PLACE : sum, 2, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Gather(rank == 0 ? MPI_IN_PLACE : sum, 2, MPI_INT, rank == 0 ? all : NULL, 2, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : sum, rank == 0 ? sum : (void *)64, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);   // significant at the root only
  // A request given back and a receive cancelled: their buffers are free again.
  MPI_Request request;
  MPI_Irecv(&out, 1, MPI_INT, rank, 77, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Isend(&out, 1, MPI_INT, rank, 78, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Recv(&in[0], 1, MPI_INT, rank, 78, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  PING(&in[0], 1, MPI_INT, &out, 1, MPI_INT);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  objects(), types(), heap(), together();
  MPI_Finalize();
  return 0;
}
