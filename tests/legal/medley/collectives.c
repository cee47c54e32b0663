// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives: blocking, kept under way, between neighbours; splits and two groups.
#include <stdlib.h>
#include <string.h>
#include "medley.h"

static void collective_vectors(const struct group *g) {
  int counts[RANKS], places[RANKS], total = 0, mine = 1 + g->rank * 2;
  for (int i = 0; i < g->size; i++) counts[i] = 1 + i * 2, places[i] = total + i, total += counts[i];
  int *sent = malloc((size_t)mine * sizeof(int)), *got = calloc((size_t)(total + g->size), sizeof(int));
  for (int i = 0; i < mine; i++) sent[i] = step_number + g->rank * 10 + i;
  MPI_Allgatherv(sent, mine, MPI_INT, got, counts, places, MPI_INT, g->comm);
  for (int r = 0; r < g->size; r++)
    for (int i = 0; i < counts[r]; i++) expect(got[places[r] + i] == step_number + r * 10 + i, "MPI_Allgatherv");
  free(sent);
  free(got);
}

void step_collective(struct group *g) {
  int root = (int)draw(&shared_draws, (unsigned)g->size), n = g->size, sent[RANKS], got[RANKS];
  double x = g->rank + 1, sum = 0;
  for (int i = 0; i < n; i++) sent[i] = step_number * 100 + g->rank * 10 + i, got[i] = -1;
  switch (draw(&shared_draws, 9)) {
  case 0:
    if (IS_WRONG(13)) MPI_Bcast(sent, n, MPI_INT, 0, g->comm);
    else MPI_Barrier(g->comm);
    break;
  case 1:
    MPI_Bcast(sent, n, MPI_INT, IS_WRONG(11) ? (root + 1) % n : root, g->comm);
    expect(sent[0] == step_number * 100 + root * 10, "MPI_Bcast");
    break;
  case 2:
    MPI_Reduce(g->rank == root ? MPI_IN_PLACE : &x, g->rank == root ? &x : NULL, 1, MPI_DOUBLE, MPI_SUM, root, g->comm);
    if (g->rank == root) expect(x == n * (n + 1) / 2.0, "MPI_Reduce");
    break;
  case 3:
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, IS_WRONG(12) ? MPI_MIN : MPI_MAX, g->comm);
    expect(sum == n, "MPI_Allreduce");
    break;
  case 4:
    MPI_Alltoall(sent, 1, MPI_INT, IS_WRONG(14) ? sent : got, 1, MPI_INT, g->comm);
    for (int i = 0; i < n; i++) expect(got[i] == step_number * 100 + i * 10 + g->rank, "MPI_Alltoall");
    break;
  case 5:
    MPI_Scatter(g->rank == root ? sent : NULL, 1, MPI_INT, got, 1, MPI_INT, root, g->comm);
    expect(got[0] == step_number * 100 + root * 10 + g->rank, "MPI_Scatter");
    break;
  case 6:
    MPI_Exscan(&x, &sum, 1, IS_WRONG(15) ? MPI_LONG : MPI_DOUBLE, MPI_SUM, g->comm);
    if (g->rank) expect(sum == g->rank * (g->rank + 1) / 2.0, "MPI_Exscan");
    break;
  case 7:
    MPI_Reduce_scatter_block(sent, got, 1, MPI_INT, MPI_SUM, g->comm);
    expect(got[0] == n * step_number * 100 + 10 * n * (n - 1) / 2 + n * g->rank, "MPI_Reduce_scatter_block");
    break;
  default: collective_vectors(g);
  }
}

static void look_gathered(struct pending *p) {
  for (int i = 0; i < p->source * p->elements; i++)
    expect(p->got[i] == byte_of(p->key, i / p->elements, i % p->elements), "a nonblocking collective");
}

void step_nonblocking_collective(struct group *g) {
  struct pending *p = begin_pending(step_number);
  MPI_Request *request = &p->requests[p->count++];
  int n = p->elements = 1 + (int)draw(&shared_draws, 500), root = (int)draw(&shared_draws, (unsigned)g->size);
  p->source = g->size;
  p->sent = malloc((size_t)n);
  p->got = calloc((size_t)n, (size_t)g->size);
  for (int i = 0; i < n; i++) p->sent[i] = byte_of(p->key, g->rank, i);
  switch (draw(&shared_draws, 4)) {
  case 0:
    MPI_Iallgather(p->sent, n, MPI_CHAR, p->got, n, MPI_CHAR, g->comm, request);
    p->look = look_gathered;
    break;
  case 1:
    MPI_Igather(p->sent, n, MPI_CHAR, p->got, n, MPI_CHAR, root, g->comm, request);
    p->look = g->rank == root ? look_gathered : NULL;
    break;
  case 2: MPI_Iallreduce(p->sent, p->got, n, MPI_CHAR, MPI_BXOR, g->comm, request); break;
  default: MPI_Ibarrier(g->comm, request);
  }
  if (IS_WRONG(16)) p->got[n / 2] = p->sent[0] = 1;
  keep_pending(p);
}

void step_neighbors(struct group *g) {
  int left, right, sent[2] = {g->rank, -g->rank}, got[2] = {0}, periodic = 1, n = g->size;
  MPI_Comm ring;
  MPI_Cart_create(g->comm, 1, &n, &periodic, 0, &ring);
  MPI_Cart_shift(ring, 0, 1, &left, &right);
  MPI_Neighbor_alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, ring);
  if (n > 2) expect(got[0] == -left && got[1] == right, "MPI_Neighbor_alltoall");
  MPI_Sendrecv_replace(sent, 1, MPI_INT, right, 1, left, 1, ring, MPI_STATUS_IGNORE);
  expect(sent[0] == left, "MPI_Sendrecv_replace");
  if (!IS_WRONG(17)) MPI_Comm_free(&ring);
}

// A new split in place of an old one. Operations on the old communicators may still be under way.
void step_split(struct group *groups) {
  struct group *g = &groups[1 + draw(&shared_draws, GROUPS - 1)];
  finish_some(true); // Open MPI 4.1 goes on with collectives of communicators that are gone
  if (g->comm != MPI_COMM_WORLD) MPI_Comm_free(&g->comm);
  unsigned pattern = draw(&shared_draws, 4);
  g->color = pattern == 0 ? 0 : pattern == 1 ? world_rank % 2 : pattern == 2 ? world_rank / 2 : world_rank == 0;
  if (pattern == 0 && draw(&shared_draws, 2)) MPI_Comm_dup(MPI_COMM_WORLD, &g->comm);
  else MPI_Comm_split(MPI_COMM_WORLD, g->color, -world_rank, &g->comm);
  MPI_Comm_rank(g->comm, &g->rank);
  MPI_Comm_size(g->comm, &g->size);
}

void step_intercomm(struct group *g) {
  if (g->size < 2) return;
  MPI_Comm half, between, merged;
  int is_high = g->rank >= g->size / 2, x = step_number + is_high, y = -1, size, remote;
  MPI_Comm_split(g->comm, is_high, 0, &half);
  MPI_Intercomm_create(half, 0, g->comm, is_high ? 0 : g->size / 2, 8, &between);
  MPI_Comm_remote_size(between, &remote);
  MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_MAX, between);
  expect(y == step_number + !is_high, "MPI_Allreduce between two groups");
  int rank;
  MPI_Comm_rank(half, &rank);
  MPI_Comm_size(half, &size);
  if (rank < remote && rank < size) {
    MPI_Sendrecv(&x, 1, MPI_INT, rank, 1, &y, 1, MPI_INT, rank, 1, between, MPI_STATUS_IGNORE);
    expect(y == step_number + !is_high, "a message between two groups");
  }
  MPI_Intercomm_merge(between, is_high, &merged);
  MPI_Barrier(merged);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}
