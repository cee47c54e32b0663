// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Node ranks: the ranks of one node, as ranges. Launchers place ranks in blocks or in turns, and both are one range a
// node, so that nobody needs a table of all ranks.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mck_rank_range { // first, first + step, ...
  uint32_t first, step, count;
  uint32_t before; // ranks of the node that lie before it
};
struct mck_node_ranks {
  struct mck_rank_range *ranges;
  size_t nranges, capacity;
  uint32_t count;
};

// The ranks come in ascending order. false: out of memory.
bool mck_node_ranks_add(struct mck_node_ranks *ranks, uint32_t rank);
void mck_node_ranks_trim(struct mck_node_ranks *ranks);                         // gives back room that it does not use
uint32_t mck_node_ranks_at(const struct mck_node_ranks *ranks, uint32_t place); // place < count
uint32_t mck_node_ranks_place(const struct mck_node_ranks *ranks, uint32_t rank); // MCK_NONE: it is not on the node
void mck_node_ranks_free(struct mck_node_ranks *ranks);
