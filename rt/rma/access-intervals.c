// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intervals of bytes, each with a list of accesses (access-intervals.h).
#include "rma/access-intervals.h"
#include <stdlib.h>

enum { NODES_MAX = 1 << 28 };

static uint32_t rotate_right(struct mck_intervals *c, uint32_t at) {
  uint32_t left = c->nodes[at - 1].left;
  c->nodes[at - 1].left = c->nodes[left - 1].right;
  c->nodes[left - 1].right = at;
  return left;
}

static uint32_t rotate_left(struct mck_intervals *c, uint32_t at) {
  uint32_t right = c->nodes[at - 1].right;
  c->nodes[at - 1].right = c->nodes[right - 1].left;
  c->nodes[right - 1].left = at;
  return right;
}

// Expected depth is logarithmic: weights are random.
static uint32_t insert(struct mck_intervals *c, uint32_t at, uint32_t new) {
  if (!at) return new;
  if (c->nodes[new - 1].low < c->nodes[at - 1].low) {
    uint32_t left = insert(c, c->nodes[at - 1].left, new);
    c->nodes[at - 1].left = left;
    return c->nodes[left - 1].weight > c->nodes[at - 1].weight ? rotate_right(c, at) : at;
  }
  uint32_t right = insert(c, c->nodes[at - 1].right, new);
  c->nodes[at - 1].right = right;
  return c->nodes[right - 1].weight > c->nodes[at - 1].weight ? rotate_left(c, at) : at;
}

// Returns the number of the new interval + 1; 0: out of memory.
static uint32_t add(struct mck_intervals *c, uint64_t low, uint64_t high, uint32_t list) {
  c->random = c->random * 1664525u + 1013904223u;
  struct mck_interval new = {low, high, 0, 0, c->random, list};
  if (c->count >= NODES_MAX || !MCK_PUSH(c->nodes, c->count, c->capacity, new)) return 0;
  if (!mck_table_add(&c->begins, mck_table_mix(low, 0), (uint32_t)c->count - 1)) return 0;
  c->root = insert(c, c->root, (uint32_t)c->count);
  return (uint32_t)c->count;
}

// The first interval that ends behind low.
static uint32_t find(const struct mck_intervals *c, uint64_t low) {
  uint32_t slot, id;
  MCK_TABLE_EACH (&c->begins, mck_table_mix(low, 0), slot, id)
    if (c->nodes[id].low == low) return id + 1;
  uint32_t found = 0;
  for (uint32_t at = c->root; at;) {
    const struct mck_interval *n = &c->nodes[at - 1];
    if (n->high > low) found = at, at = n->left;
    else at = n->right;
  }
  return found;
}

// The part from middle on becomes an interval of its own.
static uint32_t cut(struct mck_intervals *c, uint32_t at, uint64_t middle, const struct mck_interval_sink *sink) {
  uint64_t high = c->nodes[at - 1].high;
  uint32_t list = sink->copy(sink->context, c->nodes[at - 1].list);
  c->nodes[at - 1].high = middle;
  return add(c, middle, high, list);
}

bool mck_intervals_visit(struct mck_intervals *c, uint64_t low, uint64_t high, const struct mck_interval_sink *sink) {
  while (low < high) {
    uint32_t at = find(c, low);
    if (!at || c->nodes[at - 1].low > low) {
      uint64_t end = at && c->nodes[at - 1].low < high ? c->nodes[at - 1].low : high;
      at = add(c, low, end, MCK_NONE);
    } else if (c->nodes[at - 1].low < low) at = cut(c, at, low, sink);
    if (!at || (c->nodes[at - 1].high > high && !cut(c, at, high, sink))) return false;
    struct mck_interval *n = &c->nodes[at - 1];
    n->list = sink->visit(sink->context, n->list, n->low, n->high);
    low = n->high;
  }
  return true;
}

void mck_intervals_free(struct mck_intervals *c) {
  free(c->nodes);
  mck_table_free(&c->begins);
  *c = (struct mck_intervals){0};
}
