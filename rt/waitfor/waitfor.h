// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wait-for graph in the AND(+)OR model (Hilbrich et al., MUST, Definition 1): each node waits either for all of its
// targets or for any one. Ranks are the nodes 0 to nranks-1. Conditions that mix both kinds get intermediate nodes
// (MUST section IV). A condition that many ranks share (all members of a communicator) is one intermediate node, so the
// graph is linear in the number of ranks. The functions are pure and know nothing of logs or MPI.
#pragma once
#include "base/base.h"

enum mck_waitfor_kind {
  MCK_WAITFOR_MOVES, // waits for nothing, or it is unknown
  MCK_WAITFOR_ALL,   // AND node: goes on when all targets can (at once without targets)
  MCK_WAITFOR_ANY,   // OR node: goes on when one target can (never without targets)
  MCK_WAITFOR_NEVER, // does nothing any more: a rank that has finished
};
struct mck_waitfor_arc {
  uint32_t from, to;
};
struct mck_waitfor {
  uint8_t *kinds;
  size_t nnodes, nodes_capacity; // enum mck_waitfor_kind
  struct mck_waitfor_arc *arcs;
  size_t narcs, arcs_capacity; // in the order in which they were added
  // From here on: results of mck_waitfor_solve.
  uint32_t *first, *targets; // CSR: node v waits for targets[first[v]] .. targets[first[v + 1] - 1]
  uint8_t *is_deadlocked;    // [node] it can never go on
  uint32_t *knot;            // [node] the number of its OR-knot, or UINT32_MAX
  uint32_t nknots;
  uint64_t steps; // nodes and arcs that were visited, for the scaling test
};

bool mck_waitfor_init(struct mck_waitfor *graph, uint32_t nranks); // all ranks MOVES; false: out of memory
uint32_t mck_waitfor_add_node(struct mck_waitfor *graph, enum mck_waitfor_kind kind); // UINT32_MAX: out of memory
bool mck_waitfor_add_arc(struct mck_waitfor *graph, uint32_t from, uint32_t to);      // false: out of memory
// Finds the deadlocked nodes in O(nodes + arcs): a worklist marks the nodes that can move, the others are deadlocked.
// Then it finds the OR-knots among these (knot.c). Call it once. Returns false when out of memory.
bool mck_waitfor_solve(struct mck_waitfor *graph);
void mck_waitfor_free(struct mck_waitfor *graph);

// The second half of solve (knot.c): the maximal OR-knots of MUST section III-B, which are sets X in which each node
// reaches all of X and which no OR arc leaves. A node that never moves is a knot by itself: the root of those that wait
// for it.
bool mck_waitfor_find_knots(struct mck_waitfor *graph);
