// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wait-for graph in the AND(+)OR model (Hilbrich et al., MUST, Definition 1): every node waits either for all of its
// targets or for any one. Ranks are the nodes 0 to nranks-1; conditions that mix both kinds get intermediate nodes
// (MUST section IV), and what many ranks wait for alike (all members of a communicator) is one intermediate node that
// they share, so that the graph is linear in the number of ranks. Pure functions; knows nothing of logs or MPI.
#pragma once
#include "base/base.h"

enum mck_waitfor_kind {
  MCK_WAITFOR_MOVES, // waits for nothing, or we cannot tell
  MCK_WAITFOR_ALL,   // AND node: goes on when all targets can (at once without targets)
  MCK_WAITFOR_ANY,   // OR node: goes on when one target can (never without targets)
  MCK_WAITFOR_NEVER, // will do nothing any more: a rank that has finished
};
struct mck_waitfor_arc {
  uint32_t from, to;
};
struct mck_waitfor {
  uint8_t *kinds;
  size_t nnodes, nodes_capacity; // enum mck_waitfor_kind
  struct mck_waitfor_arc *arcs;
  size_t narcs, arcs_capacity; // in the order they were added
  // From here on: results of mck_waitfor_solve.
  uint32_t *first, *targets; // CSR: node v waits for targets[first[v]] .. targets[first[v + 1] - 1]
  uint8_t *is_deadlocked;    // [node] can never go on
  uint32_t *knot;            // [node] number of the OR-knot that it belongs to, or UINT32_MAX
  uint32_t nknots;
  uint64_t steps; // nodes and arcs looked at: what the scaling test counts
};

bool mck_waitfor_init(struct mck_waitfor *graph, uint32_t nranks); // all ranks MOVES; false: out of memory
uint32_t mck_waitfor_add_node(struct mck_waitfor *graph, enum mck_waitfor_kind kind); // UINT32_MAX: out of memory
bool mck_waitfor_add_arc(struct mck_waitfor *graph, uint32_t from, uint32_t to);      // false: out of memory
// Deadlocked nodes in O(nodes + arcs): whoever can still move is marked by a worklist, the rest is deadlocked. Then the
// OR-knots among them (knot.c). Call once. False: out of memory.
bool mck_waitfor_solve(struct mck_waitfor *graph);
void mck_waitfor_free(struct mck_waitfor *graph);

// Second half of solve (knot.c): maximal OR-knots, MUST section III-B: sets X in which each node reaches all of X and
// no OR arc leaves X. A node that never moves is a knot by itself: the root of what waits for it.
bool mck_waitfor_find_knots(struct mck_waitfor *graph);
