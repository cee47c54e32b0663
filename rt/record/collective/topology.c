// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neighbors of this process in virtual topologies (MPI-3.1 chapter 7), which neighborhood collectives exchange with.
#include <stdlib.h>
#include <string.h>
#include "log/event.h"
#include "record/collective/topology.h"
#include "record/runtime.h"

static struct mck_topology *topologies;

// Each finds the neighbors: sources, then destinations, in memory that the caller frees; after them, room for weights.
static bool find_grid_neighbors(MPI_Comm comm, int **all, int *nsources, int *ndestinations) {
  int n = 0;
  if (PMPI_Cartdim_get(comm, &n) != MPI_SUCCESS || n < 0 || !(*all = malloc(sizeof(int) * (size_t)(4 * n + 1))))
    return false;
  // In the order of the dimensions; in each, the negative direction comes first (7.6).
  for (int d = 0; d < n; d++) {
    PMPI_Cart_shift(comm, d, 1, &(*all)[2 * d], &(*all)[2 * d + 1]);
    memcpy(&(*all)[2 * n + 2 * d], &(*all)[2 * d], 2 * sizeof(int));
  }
  *nsources = *ndestinations = 2 * n;
  return true;
}

static bool find_graph_neighbors(MPI_Comm comm, int **all, int *nsources, int *ndestinations) {
  int n = 0, rank;
  PMPI_Comm_rank(comm, &rank);
  if (PMPI_Graph_neighbors_count(comm, rank, &n) != MPI_SUCCESS || n < 0 ||
      !(*all = malloc(sizeof(int) * (size_t)(2 * n + 1))))
    return false;
  PMPI_Graph_neighbors(comm, rank, n, *all);
  memcpy(*all + n, *all, sizeof(int) * (size_t)n);
  *nsources = *ndestinations = n;
  return true;
}

static bool find_distributed_neighbors(MPI_Comm comm, int **all, int *nsources, int *ndestinations) {
  int n = 0, out = 0, weighted;
  if (PMPI_Dist_graph_neighbors_count(comm, &n, &out, &weighted) != MPI_SUCCESS || n < 0 || out < 0 ||
      !(*all = malloc(sizeof(int) * 2 * ((size_t)n + (size_t)out + 1))))
    return false;
  PMPI_Dist_graph_neighbors(comm, n, *all, *all + n + out, out, *all + n, *all + n + out + n);
  *nsources = n, *ndestinations = out;
  return true;
}

static bool find_neighbors(MPI_Comm comm, int **all, int *nsources, int *ndestinations) {
  int kind = MPI_UNDEFINED;
  PMPI_Topo_test(comm, &kind);
  switch (kind) {
  case MPI_CART: return find_grid_neighbors(comm, all, nsources, ndestinations);
  case MPI_GRAPH: return find_graph_neighbors(comm, all, nsources, ndestinations);
  case MPI_DIST_GRAPH: return find_distributed_neighbors(comm, all, nsources, ndestinations);
  }
  return false;
}

static const struct mck_topology *write_topology(const struct mck_comm *c, MPI_Comm comm, bool is_own, uint32_t site) {
  struct mck_topology *t = calloc(1, sizeof *t);
  int *all = NULL;
  if (t && find_neighbors(comm, &all, &t->nsources, &t->ndestinations)) {
    t->comm = c->object.id, t->next = topologies, topologies = t;
    struct mck_event head = {.kind = MCK_EV_DEF_TOPOLOGY, .site = site};
    head.def.c = is_own;
    head.def.id = t->comm, head.def.a = (uint32_t)t->nsources, head.def.b = (uint32_t)t->ndestinations;
    mck_log_append(&mck_rt.log, &head,
                   &(struct mck_piece){all, sizeof(int) * ((size_t)t->nsources + (size_t)t->ndestinations)}, 1);
  } else free(t), t = NULL;
  free(all);
  return t;
}

const struct mck_topology *mck_topology_find(const struct mck_comm *c, MPI_Comm comm) {
  for (struct mck_topology *t = topologies; t; t = t->next)
    if (t->comm == c->object.id) return t;
  return write_topology(c, comm, false, MCK_NONE);
}

void mck_topology_note_own(const struct mck_comm *c, MPI_Comm comm, uint32_t site) {
  write_topology(c, comm, true, site);
}
