// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The OR-knots of a solved wait-for graph. An OR-knot is a strongly connected set that no OR arc leaves; arcs of AND
// nodes may leave it. Model checkers call this an end component (AND nodes choose an arc, OR nodes must keep all). The
// maximal ones are found the same way: compute the strongly connected components, remove the nodes that break the rule
// within their component, and repeat until no node breaks it. In practice there are two rounds, and the second only
// confirms. After MAX_ROUNDS the search takes the components that no arc leaves at all: they are OR-knots, too, and
// every deadlock has one.
#include "waitfor/waitfor.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_ROUNDS = 64, NO_COMPONENT = UINT32_MAX };

struct search {
  // Tarjan's algorithm: path is the recursion, next its arc counters; order 0: not visited.
  uint32_t *order, *low, *component, *stack, *path, *next;
  uint8_t *is_active; // [node]
  uint32_t ncomponents;
};

// Tarjan's components of the active nodes, without recursion: a chain of a million ranks would be too deep.
static void find_components(struct mck_waitfor *graph, struct search *s) {
  size_t n = graph->nnodes;
  uint32_t visits = 0, nstack = 0;
  s->ncomponents = 0;
  memset(s->order, 0, n * sizeof *s->order);
  for (size_t v = 0; v < n; v++) s->component[v] = NO_COMPONENT;
  graph->steps += n;
  for (size_t start = 0; start < n; start++) {
    if (!s->is_active[start] || s->order[start]) continue;
    uint32_t depth = 0, enter = (uint32_t)start;
    for (;;) {
      if (enter != UINT32_MAX) {
        s->order[enter] = s->low[enter] = ++visits;
        s->next[enter] = graph->first[enter];
        s->stack[nstack++] = s->path[depth++] = enter;
        enter = UINT32_MAX;
      }
      uint32_t v = s->path[depth - 1];
      if (s->next[v] < graph->first[v + 1]) {
        uint32_t to = graph->targets[s->next[v]++];
        graph->steps++;
        if (!s->is_active[to]) continue;
        if (!s->order[to]) enter = to;
        else if (s->component[to] == NO_COMPONENT && s->order[to] < s->low[v]) s->low[v] = s->order[to];
        continue;
      }
      if (s->low[v] == s->order[v]) {
        uint32_t member;
        do {
          member = s->stack[--nstack];
          s->component[member] = s->ncomponents;
        } while (member != v);
        s->ncomponents++;
      }
      if (--depth == 0) break;
      uint32_t caller = s->path[depth - 1];
      if (s->low[v] < s->low[caller]) s->low[caller] = s->low[v];
    }
  }
}

static bool is_never(const struct mck_waitfor *graph, size_t v) {
  return graph->kinds[v] == MCK_WAITFOR_NEVER ||
         (graph->kinds[v] == MCK_WAITFOR_ANY && graph->first[v] == graph->first[v + 1]);
}

// Does v obey the rule of an OR-knot within its component?
static bool is_knotted(struct mck_waitfor *graph, const struct search *s, size_t v) {
  uint32_t inside = 0, n = graph->first[v + 1] - graph->first[v];
  if (is_never(graph, v)) return true;
  for (uint32_t i = graph->first[v]; i < graph->first[v + 1]; i++) {
    uint32_t to = graph->targets[i];
    inside += s->is_active[to] && s->component[to] == s->component[v];
  }
  graph->steps += n;
  return graph->kinds[v] == MCK_WAITFOR_ANY ? inside == n : inside > 0;
}

static bool take_out_breakers(struct mck_waitfor *graph, struct search *s) {
  bool is_changed = false;
  for (size_t v = 0; v < graph->nnodes; v++) {
    if (!s->is_active[v] || is_knotted(graph, s, v)) continue;
    s->next[v] = 1; // it is marked first and removed below: the rule refers to the components as they are
    is_changed = true;
  }
  return is_changed;
}

// The last resort: components of deadlocked nodes that no arc to a deadlocked node leaves.
static bool keep_sinks(struct mck_waitfor *graph, struct search *s) {
  memcpy(s->is_active, graph->is_deadlocked, graph->nnodes);
  find_components(graph, s);
  uint8_t *is_leaving = calloc((size_t)s->ncomponents + 1, 1);
  if (!is_leaving) return false;
  for (size_t v = 0; v < graph->nnodes; v++) {
    for (uint32_t i = graph->first[v]; s->is_active[v] && i < graph->first[v + 1]; i++) {
      uint32_t to = graph->targets[i];
      if (s->is_active[to] && s->component[to] != s->component[v]) is_leaving[s->component[v]] = true;
    }
  }
  for (size_t v = 0; v < graph->nnodes; v++) s->is_active[v] = s->is_active[v] && !is_leaving[s->component[v]];
  free(is_leaving);
  return true;
}

// Numbers the knots in the order of their lowest node.
static void number_knots(struct mck_waitfor *graph, struct search *s) {
  uint32_t *number = s->order;
  for (uint32_t c = 0; c < s->ncomponents; c++) number[c] = UINT32_MAX;
  for (size_t v = 0; v < graph->nnodes; v++) {
    graph->knot[v] = UINT32_MAX;
    if (!s->is_active[v]) continue;
    if (number[s->component[v]] == UINT32_MAX) number[s->component[v]] = graph->nknots++;
    graph->knot[v] = number[s->component[v]];
  }
}

bool mck_waitfor_find_knots(struct mck_waitfor *graph) {
  size_t n = graph->nnodes;
  uint32_t *memory = malloc((6 * n + 6) * sizeof *memory);
  struct search s = {.is_active = malloc(n + 1)};
  bool is_ok = memory && s.is_active;
  if (is_ok) {
    s.order = memory, s.low = memory + n + 1, s.component = s.low + n + 1, s.stack = s.component + n + 1;
    s.path = s.stack + n + 1, s.next = s.path + n + 1;
    memcpy(s.is_active, graph->is_deadlocked, n);
    bool is_stable = false;
    for (int round = 0; round < MAX_ROUNDS && !is_stable; round++) {
      find_components(graph, &s);
      memset(s.next, 0, n * sizeof *s.next);
      is_stable = !take_out_breakers(graph, &s);
      for (size_t v = 0; v < n; v++) s.is_active[v] &= !s.next[v];
    }
    if (!is_stable) is_ok = keep_sinks(graph, &s);
    if (is_ok) number_knots(graph, &s);
  }
  free(memory);
  free(s.is_active);
  return is_ok;
}
