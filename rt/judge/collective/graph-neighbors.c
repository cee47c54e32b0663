// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// topo.neighbors: MPI_Dist_graph_create_adjacent lets each rank name its own sources and destinations. Each edge must
// be named by both its ends, as often (MPI-3.1 7.5.4). Else a neighborhood collective waits for a message that nobody
// sends.
#include <stdio.h>
#include <stdlib.h>
#include "judge/collective/collective-step.h"

struct edge {
  uint32_t from, to;
};
struct edges {
  struct edge *items;
  size_t count, capacity;
};

static int compare_edges(const void *a, const void *b) {
  const struct edge *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

// The edges that a member names. false: it names no rank of the communicator, or out of memory.
static bool add_edges(struct edges *named_by_source, struct edges *named_by_destination, const struct mck_step *step,
                      const struct mck_step_member *m) {
  struct mck_parcel_in in = m->neighbors;
  bool is_good = true;
  for (uint32_t k = 0; is_good && k < m->nsources + m->ndestinations; k++) {
    int64_t other = mck_parcel_get_signed(&in);
    if (other < 0 || (uint64_t)other >= step->n) return false;
    struct edge own = k < m->nsources ? (struct edge){(uint32_t)other, m->index}
                                      : (struct edge){m->index, (uint32_t)other};
    struct edges *list = k < m->nsources ? named_by_destination : named_by_source;
    is_good = MCK_PUSH(list->items, list->count, list->capacity, own);
  }
  return is_good;
}

static size_t count_equal(const struct edges *list, size_t at, struct edge edge) {
  size_t n = 0;
  while (at + n < list->count && !compare_edges(&list->items[at + n], &edge)) n++;
  return n;
}

static const char *times_text(char *text, size_t size, size_t n) {
  if (n < 2) return n ? "once" : "never";
  snprintf(text, size, "%zu times", n);
  return text;
}

static void say(struct mck_step *step, struct edge edge, size_t nsource, size_t ndestination) {
  const struct mck_step_member *source = &step->members[edge.from], *destination = &step->members[edge.to];
  struct mck_finding *f = mck_findings_add(step->decide->findings, MCK_CHECK_TOPO_NEIGHBORS,
                                           nsource ? source->rank : destination->rank);
  if (!f) return;
  mck_finding_text(f, "the neighbor lists of a distributed graph do not agree");
  char as_destination[32], as_source[32];
  mck_finding_why(f,
                  "rank %u names rank %u as a destination %s, rank %u names rank %u as a source %s (ranks of the "
                  "communicator)",
                  edge.from, edge.to, times_text(as_destination, sizeof as_destination, nsource), edge.to, edge.from,
                  times_text(as_source, sizeof as_source, ndestination));
  mck_finding_place(f, source->rank, source->neighbors_site, "MPI_Dist_graph_create_adjacent on rank %d", source->rank);
  if (source != destination)
    mck_finding_place(f, destination->rank, destination->neighbors_site, "MPI_Dist_graph_create_adjacent on rank %d",
                      destination->rank);
}

void mck_step_check_neighbors(struct mck_step *step) {
  struct edges by_source = {0}, by_destination = {0};
  bool is_known = !step->is_inter;
  for (size_t i = 0; is_known && i < step->n; i++)
    is_known = step->members[i].has_own_neighbors && add_edges(&by_source, &by_destination, step, &step->members[i]);
  if (is_known && by_source.count) qsort(by_source.items, by_source.count, sizeof *by_source.items, compare_edges);
  if (is_known && by_destination.count)
    qsort(by_destination.items, by_destination.count, sizeof *by_destination.items, compare_edges);
  size_t i = 0, k = 0;
  while (is_known && (i < by_source.count || k < by_destination.count)) {
    bool is_source = k == by_destination.count ||
                     (i < by_source.count && compare_edges(&by_source.items[i], &by_destination.items[k]) <= 0);
    struct edge edge = is_source ? by_source.items[i] : by_destination.items[k];
    size_t nsource = count_equal(&by_source, i, edge), ndestination = count_equal(&by_destination, k, edge);
    i += nsource, k += ndestination;
    if (nsource == ndestination) continue;
    say(step, edge, nsource, ndestination);
    break; // the first one is enough: one wrong list makes many edges wrong
  }
  free(by_source.items);
  free(by_destination.items);
}
