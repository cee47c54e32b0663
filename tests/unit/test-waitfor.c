// RUN: %unit/test-waitfor
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wait-for graph against the examples of the MUST paper, against the definitions on random graphs, and for linear
// cost.
#include "waitfor/waitfor.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int failures;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (failures++, (void)printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))

static void arc(struct mck_waitfor *g, uint32_t from, uint32_t to) { EXPECT(mck_waitfor_add_arc(g, from, to)); }

// MUST Fig. 1(b) and 3(a): two receives wait for each other.
static void check_recv_recv(void) {
  struct mck_waitfor g;
  EXPECT(mck_waitfor_init(&g, 3));
  g.kinds[0] = g.kinds[1] = g.kinds[2] = MCK_WAITFOR_ALL;
  arc(&g, 0, 1), arc(&g, 1, 0), arc(&g, 2, 0);  // rank 2 merely waits for the cycle
  EXPECT(mck_waitfor_solve(&g));
  EXPECT(g.is_deadlocked[0] && g.is_deadlocked[1] && g.is_deadlocked[2]);
  EXPECT(g.nknots == 1 && g.knot[0] == 0 && g.knot[1] == 0 && g.knot[2] == UINT32_MAX);
  mck_waitfor_free(&g);
}

// Fig. 1(d) and 3(b): 0 sends to 1, 1 receives from 2, 2 is in a barrier that 0 and 1 have not reached.
static void check_send_recv_barrier(void) {
  struct mck_waitfor g;
  EXPECT(mck_waitfor_init(&g, 3));
  g.kinds[0] = g.kinds[1] = g.kinds[2] = MCK_WAITFOR_ALL;
  arc(&g, 0, 1), arc(&g, 1, 2), arc(&g, 2, 0), arc(&g, 2, 1);
  EXPECT(mck_waitfor_solve(&g));
  for (int i = 0; i < 3; i++) EXPECT(g.is_deadlocked[i] && g.knot[i] == 0);
  mck_waitfor_free(&g);
}

// Fig. 3(c): rank 0 would take a message from anyone, rank 1 waits for rank 0. With a third rank that moves nothing is
// deadlocked.
static void check_wildcard(bool with_mover) {
  struct mck_waitfor g;
  EXPECT(mck_waitfor_init(&g, 3));
  g.kinds[0] = MCK_WAITFOR_ANY;
  g.kinds[1] = MCK_WAITFOR_ALL;
  arc(&g, 0, 1), arc(&g, 1, 0);
  if (with_mover) arc(&g, 0, 2);
  EXPECT(mck_waitfor_solve(&g));
  EXPECT(g.is_deadlocked[0] == !with_mover && g.is_deadlocked[1] == !with_mover && g.nknots == !with_mover);
  mck_waitfor_free(&g);
}

// Fig. 4 and 6(d): rank 0 waits for both of two wildcard receives, on communicators {0,1,2} and {0,2,3}.
static void check_waitall(void) {
  struct mck_waitfor g;
  EXPECT(mck_waitfor_init(&g, 4));
  for (int i = 0; i < 4; i++) g.kinds[i] = MCK_WAITFOR_ALL;
  uint32_t a = mck_waitfor_add_node(&g, MCK_WAITFOR_ANY), b = mck_waitfor_add_node(&g, MCK_WAITFOR_ANY);
  arc(&g, 0, a), arc(&g, 0, b);
  arc(&g, a, 0), arc(&g, a, 1), arc(&g, a, 2);
  arc(&g, b, 0), arc(&g, b, 2), arc(&g, b, 3);
  arc(&g, 1, 2), arc(&g, 2, 0), arc(&g, 3, 2);
  EXPECT(mck_waitfor_solve(&g));
  for (size_t i = 0; i < g.nnodes; i++) EXPECT(g.is_deadlocked[i]);
  for (size_t i = 0; i < g.nnodes; i++) EXPECT(g.knot[i] == 0);  // "the first includes all nodes"
  mck_waitfor_free(&g);
}

// A finished rank is the root of what waits for it; a knot beside it stays a knot of its own.
static void check_finished(void) {
  struct mck_waitfor g;
  EXPECT(mck_waitfor_init(&g, 5));
  g.kinds[0] = g.kinds[3] = g.kinds[4] = MCK_WAITFOR_ALL;
  g.kinds[1] = MCK_WAITFOR_NEVER;
  arc(&g, 0, 1), arc(&g, 3, 4), arc(&g, 4, 3), arc(&g, 4, 1);
  EXPECT(mck_waitfor_solve(&g));
  EXPECT(g.is_deadlocked[0] && g.is_deadlocked[1] && !g.is_deadlocked[2] && g.is_deadlocked[3] && g.is_deadlocked[4]);
  EXPECT(g.nknots == 2 && g.knot[0] == UINT32_MAX && g.knot[1] == 0 && g.knot[3] == 1 && g.knot[4] == 1);
  mck_waitfor_free(&g);
}

// --- random graphs against the definitions
// ------------------------------------------------------------------------------------------
static uint64_t state;
static uint32_t pick(uint32_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 33) % n);
}

// Is the set X of nodes (bits) an OR-knot? Each node reaches all of X within X, no OR arc leaves; a node that never
// moves is one alone.
static bool is_knot(const struct mck_waitfor *g, uint32_t set) {
  uint32_t reach[16] = {0};
  for (size_t v = 0; v < g->nnodes; v++) {
    if (!(set >> v & 1)) continue;
    bool is_never =
        g->kinds[v] == MCK_WAITFOR_NEVER || (g->kinds[v] == MCK_WAITFOR_ANY && g->first[v] == g->first[v + 1]);
    if (is_never) return set == 1u << v;
    if (g->kinds[v] == MCK_WAITFOR_MOVES) return false;
    for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++) {
      if (set >> g->targets[i] & 1) reach[v] |= 1u << g->targets[i];
      else if (g->kinds[v] == MCK_WAITFOR_ANY) return false;
    }
  }
  for (size_t k = 0; k < g->nnodes; k++)
    for (size_t v = 0; v < g->nnodes; v++)
      if (reach[v] >> k & 1) reach[v] |= reach[k];
  for (size_t v = 0; v < g->nnodes; v++)
    if (set >> v & 1 && (reach[v] & set) != set) return false;
  return true;
}

static void check_random(uint64_t seed) {
  state = seed;
  for (int i = 0; i < 4; i++) pick(2);
  uint32_t n = 1 + pick(9);
  struct mck_waitfor g;
  EXPECT(mck_waitfor_init(&g, n));
  for (uint32_t v = 0; v < n; v++) {
    uint32_t kind = pick(20);
    g.kinds[v] = kind == 0   ? MCK_WAITFOR_MOVES
                 : kind == 1 ? MCK_WAITFOR_NEVER
                 : kind < 11 ? MCK_WAITFOR_ALL
                             : MCK_WAITFOR_ANY;
    uint32_t arcs = g.kinds[v] == MCK_WAITFOR_NEVER ? 0 : pick(4);
    for (uint32_t i = 0; i < arcs; i++) arc(&g, v, pick(n));
  }
  EXPECT(mck_waitfor_solve(&g));
  bool moves[16] = {0}, is_changed = true;  // least fixpoint, the slow way
  while (is_changed) {
    is_changed = false;
    for (uint32_t v = 0; v < n; v++) {
      bool all = true, any = false;
      for (uint32_t i = g.first[v]; i < g.first[v + 1]; i++) all &= moves[g.targets[i]], any |= moves[g.targets[i]];
      bool now = g.kinds[v] == MCK_WAITFOR_MOVES || (g.kinds[v] == MCK_WAITFOR_ALL && all) ||
                 (g.kinds[v] == MCK_WAITFOR_ANY && any);
      if (now && !moves[v]) moves[v] = is_changed = true;
    }
  }
  uint32_t core = 0;
  for (uint32_t set = 1; set < 1u << n; set++)
    if (is_knot(&g, set)) core |= set;
  int before = failures;
  for (uint32_t v = 0; v < n; v++) {
    EXPECT(g.is_deadlocked[v] == !moves[v]);
    EXPECT((g.knot[v] != UINT32_MAX) == (core >> v & 1));
  }
  for (uint32_t k = 0; k < g.nknots; k++) {  // and each numbered knot is one
    uint32_t set = 0;
    for (uint32_t v = 0; v < n; v++) set |= (uint32_t)(g.knot[v] == k) << v;
    EXPECT(is_knot(&g, set));
  }
  if (failures != before) printf("seed %llu\n", (unsigned long long)seed);
  mck_waitfor_free(&g);
}

// n ranks: the first half a long chain behind a cycle, the others in one collective that the cycle never reaches, with
// wildcards between.
static uint64_t count_steps(uint32_t n) {
  struct mck_waitfor g;
  EXPECT(mck_waitfor_init(&g, n));
  uint32_t barrier = mck_waitfor_add_node(&g, MCK_WAITFOR_ALL), any = mck_waitfor_add_node(&g, MCK_WAITFOR_ANY);
  for (uint32_t v = 0; v < n; v++) {
    g.kinds[v] = v % 7 == 3 ? MCK_WAITFOR_ANY : MCK_WAITFOR_ALL;
    if (v < n / 2) arc(&g, v, (v + 1) % (n / 2));
    else arc(&g, v, v % 3 ? barrier : any);
    if (v < n / 2) arc(&g, barrier, v);
    arc(&g, any, v);
  }
  EXPECT(mck_waitfor_solve(&g));
  for (uint32_t v = 0; v < n; v++) EXPECT(g.is_deadlocked[v]);
  uint64_t steps = g.steps;
  mck_waitfor_free(&g);
  return steps;
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20240901;
  check_recv_recv();
  check_send_recv_barrier();
  check_wildcard(false);
  check_wildcard(true);
  check_waitall();
  check_finished();
  for (uint64_t i = 0; i < 20000; i++) check_random(seed + i);
  uint64_t small = count_steps(100000), large = count_steps(1000000);
  EXPECT(large < 11 * small);
  printf("steps: %llu for 100,000 ranks, %llu for 1,000,000\n", (unsigned long long)small, (unsigned long long)large);
  if (failures) printf("%d failures\n", failures);
  return failures != 0;
}
