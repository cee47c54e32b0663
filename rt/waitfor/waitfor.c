// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the wait-for graph and finds its deadlocked nodes (waitfor.h).
#include "waitfor/waitfor.h"
#include <stdlib.h>

bool mck_waitfor_init(struct mck_waitfor *graph, uint32_t nranks) {
  *graph = (struct mck_waitfor){0};
  graph->kinds = calloc(nranks ? nranks : 1, 1); // MCK_WAITFOR_MOVES is 0
  graph->nnodes = nranks;
  graph->nodes_capacity = nranks ? nranks : 1;
  return graph->kinds != NULL;
}

uint32_t mck_waitfor_add_node(struct mck_waitfor *graph, enum mck_waitfor_kind kind) {
  if (graph->nnodes >= UINT32_MAX - 1) return UINT32_MAX;
  return MCK_PUSH(graph->kinds, graph->nnodes, graph->nodes_capacity, (uint8_t)kind) ? (uint32_t)(graph->nnodes - 1)
                                                                                     : UINT32_MAX;
}

bool mck_waitfor_add_arc(struct mck_waitfor *graph, uint32_t from, uint32_t to) {
  if (graph->narcs >= UINT32_MAX - 1) return false;
  return MCK_PUSH(graph->arcs, graph->narcs, graph->arcs_capacity, ((struct mck_waitfor_arc){from, to}));
}

// A counting sort of the arcs by one end: first[v] .. first[v + 1] are the other ends of v's arcs.
static bool sort_arcs(struct mck_waitfor *graph, bool is_reverse, uint32_t **first, uint32_t **ends) {
  size_t n = graph->nnodes;
  *first = calloc(n + 2, sizeof **first);
  *ends = malloc((graph->narcs ? graph->narcs : 1) * sizeof **ends);
  if (!*first || !*ends) return false;
  // Counts are stored two places further on, so that the distribution below leaves the starts in their places.
  for (size_t i = 0; i < graph->narcs; i++) (*first)[(is_reverse ? graph->arcs[i].to : graph->arcs[i].from) + 2]++;
  for (size_t v = 2; v < n + 2; v++) (*first)[v] += (*first)[v - 1];
  for (size_t i = 0; i < graph->narcs; i++) {
    struct mck_waitfor_arc a = graph->arcs[i];
    (*ends)[(*first)[(is_reverse ? a.to : a.from) + 1]++] = is_reverse ? a.from : a.to;
  }
  graph->steps += 2 * graph->narcs + n;
  return true;
}

// Removes the nodes that can move, and those that waited only for removed nodes, until nothing changes.
static void release_nodes(struct mck_waitfor *graph, const uint32_t *waiter_first, const uint32_t *waiters,
                          uint32_t *pending, uint32_t *list) {
  size_t n = graph->nnodes, count = 0;
  for (size_t v = 0; v < n; v++) {
    switch ((enum mck_waitfor_kind)graph->kinds[v]) {
    case MCK_WAITFOR_MOVES: pending[v] = 0; break;
    case MCK_WAITFOR_ALL: pending[v] = graph->first[v + 1] - graph->first[v]; break;
    case MCK_WAITFOR_ANY: pending[v] = 1; break;
    case MCK_WAITFOR_NEVER: pending[v] = UINT32_MAX; break;
    }
    graph->is_deadlocked[v] = pending[v] != 0;
    if (!pending[v]) list[count++] = (uint32_t)v;
  }
  graph->steps += n;
  while (count) {
    uint32_t v = list[--count];
    for (uint32_t i = waiter_first[v]; i < waiter_first[v + 1]; i++) {
      uint32_t waiter = waiters[i];
      graph->steps++;
      if (!graph->is_deadlocked[waiter] || pending[waiter] == UINT32_MAX || --pending[waiter]) continue;
      graph->is_deadlocked[waiter] = false;
      list[count++] = waiter;
    }
  }
}

bool mck_waitfor_solve(struct mck_waitfor *graph) {
  size_t n = graph->nnodes;
  uint32_t *waiter_first = NULL, *waiters = NULL;
  uint32_t *pending = malloc((n + 1) * sizeof *pending), *list = malloc((n + 1) * sizeof *list);
  graph->is_deadlocked = calloc(n + 1, 1);
  graph->knot = malloc((n + 1) * sizeof *graph->knot);
  bool is_ok = pending && list && graph->is_deadlocked && graph->knot &&
               sort_arcs(graph, false, &graph->first, &graph->targets) &&
               sort_arcs(graph, true, &waiter_first, &waiters);
  if (is_ok) release_nodes(graph, waiter_first, waiters, pending, list);
  free(waiter_first);
  free(waiters);
  free(pending);
  free(list);
  return is_ok && mck_waitfor_find_knots(graph);
}

void mck_waitfor_free(struct mck_waitfor *graph) {
  free(graph->kinds);
  free(graph->arcs);
  free(graph->first);
  free(graph->targets);
  free(graph->is_deadlocked);
  free(graph->knot);
  *graph = (struct mck_waitfor){0};
}
