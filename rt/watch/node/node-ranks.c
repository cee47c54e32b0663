// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of ranks in ascending order, which do not overlap (node-ranks.h).
#include "watch/node/node-ranks.h"
#include <stdlib.h>
#include "base/base.h"
#include "log/event.h"

bool mck_node_ranks_add(struct mck_node_ranks *n, uint32_t rank) {
  struct mck_rank_range *last = n->nranges ? &n->ranges[n->nranges - 1] : NULL;
  if (last && last->count == 1) last->step = rank - last->first;
  if (last && rank - last->first == (uint64_t)last->step * last->count) last->count++;
  else {
    struct mck_rank_range new = {.first = rank, .step = 1, .count = 1, .before = n->count};
    if (!MCK_PUSH(n->ranges, n->nranges, n->capacity, new)) return false;
  }
  n->count++;
  return true;
}

void mck_node_ranks_trim(struct mck_node_ranks *n) {
  void *less = n->nranges ? realloc(n->ranges, n->nranges * sizeof *n->ranges) : NULL;
  if (less) n->ranges = less, n->capacity = n->nranges;
}

uint32_t mck_node_ranks_at(const struct mck_node_ranks *n, uint32_t place) {
  size_t low = 0, high = n->nranges;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (n->ranges[middle].before <= place) low = middle;
    else high = middle;
  }
  return n->ranges[low].first + (place - n->ranges[low].before) * n->ranges[low].step;
}

uint32_t mck_node_ranks_place(const struct mck_node_ranks *n, uint32_t rank) {
  size_t low = 0, high = n->nranges;
  while (low < high) { // the first range that begins behind the rank
    size_t middle = low + (high - low) / 2;
    if (n->ranges[middle].first <= rank) low = middle + 1;
    else high = middle;
  }
  if (!low) return MCK_NONE;
  const struct mck_rank_range *r = &n->ranges[low - 1];
  uint32_t distance = rank - r->first;
  if (distance % r->step || distance / r->step >= r->count) return MCK_NONE;
  return r->before + distance / r->step;
}

void mck_node_ranks_free(struct mck_node_ranks *n) {
  free(n->ranges);
  *n = (struct mck_node_ranks){0};
}
