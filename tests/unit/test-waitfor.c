// RUN: %unit/test-waitfor
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wait-for graph against the examples of the MUST paper, against the definitions on random graphs, and for linear
// cost.
#include "waitfor/waitfor.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
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
  arc(&g, 0, 1), arc(&g, 1, 0), arc(&g, 2, 0); // rank 2 merely waits for the cycle
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
  for (size_t i = 0; i < g.nnodes; i++) EXPECT(g.knot[i] == 0); // "the first includes all nodes"
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
    bool is_never = g->kinds[v] == MCK_WAITFOR_NEVER ||
                    (g->kinds[v] == MCK_WAITFOR_ANY && g->first[v] == g->first[v + 1]);
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
  bool moves[16] = {0}, is_changed = true; // least fixpoint, the slow way
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
  for (uint32_t k = 0; k < g.nknots; k++) { // and each numbered knot is one
    uint32_t set = 0;
    for (uint32_t v = 0; v < n; v++) set |= (uint32_t)(g.knot[v] == k) << v;
    EXPECT(is_knot(&g, set));
  }
  if (failures != before) printf("seed %llu\n", (unsigned long long)seed);
  mck_waitfor_free(&g);
}

// --- MUST section IV: AND-OR conditions become nodes of one kind each ------------------------------------------------
// A condition is a rank, or all or any of two conditions (Definition 2).
struct condition {
  uint32_t rank;
  bool is_any;
  const struct condition *left, *right;
};

// Fig. 5: t(v, R). Two new nodes for each operator, alpha and beta.
static void translate(struct mck_waitfor *g, uint32_t v, const struct condition *r) {
  g->kinds[v] = MCK_WAITFOR_ALL;
  if (!r->left) {
    arc(g, v, r->rank);
    return;
  }
  g->kinds[v] = r->is_any ? MCK_WAITFOR_ANY : MCK_WAITFOR_ALL;
  uint32_t alpha = mck_waitfor_add_node(g, MCK_WAITFOR_ALL), beta = mck_waitfor_add_node(g, MCK_WAITFOR_ALL);
  arc(g, v, alpha), arc(g, v, beta);
  translate(g, alpha, r->left), translate(g, beta, r->right);
}

// Fig. 4 by the translation as it stands, Fig. 6(a): 14 nodes and 18 arcs for process 0's ((0 or 1) or 2) and ((2 or 3)
// or 0).
static void check_translation(void) {
  const struct condition p0 = {.rank = 0}, p1 = {.rank = 1}, p2 = {.rank = 2}, p3 = {.rank = 3};
  const struct condition a1 = {.is_any = true, .left = &p0, .right = &p1},
                         a = {.is_any = true, .left = &a1, .right = &p2};
  const struct condition b1 = {.is_any = true, .left = &p2, .right = &p3},
                         b = {.is_any = true, .left = &b1, .right = &p0};
  const struct condition both = {.left = &a, .right = &b};
  struct mck_waitfor g;
  EXPECT(mck_waitfor_init(&g, 4));
  translate(&g, 0, &both), translate(&g, 1, &p2), translate(&g, 2, &p0), translate(&g, 3, &p2);
  EXPECT(g.nnodes == 14 && g.narcs == 19);
  EXPECT(mck_waitfor_solve(&g));
  for (size_t i = 0; i < g.nnodes; i++) EXPECT(g.is_deadlocked[i] && g.knot[i] == 0);
  mck_waitfor_free(&g);
}

// The second knot that the paper names: without the request that rank 1 could help with.
static void check_second_knot(void) {
  struct mck_waitfor g;
  EXPECT(mck_waitfor_init(&g, 4));
  for (int i = 0; i < 4; i++) g.kinds[i] = MCK_WAITFOR_ALL;
  g.kinds[1] = MCK_WAITFOR_MOVES;
  uint32_t b = mck_waitfor_add_node(&g, MCK_WAITFOR_ANY);
  arc(&g, 0, b), arc(&g, b, 0), arc(&g, b, 2), arc(&g, b, 3), arc(&g, 2, 0), arc(&g, 3, 2);
  EXPECT(mck_waitfor_solve(&g));
  for (size_t i = 0; i < g.nnodes; i++) EXPECT((g.knot[i] == 0) == (i != 1));
  mck_waitfor_free(&g);
}

enum { CONDITIONS = 24 };
static const struct condition *make_condition(struct condition *pool, uint32_t *used, uint32_t nranks, int depth) {
  struct condition *c = &pool[(*used)++];
  *c = (struct condition){.rank = pick(nranks)};
  if (depth && *used + 2 < CONDITIONS && pick(3)) {
    c->is_any = pick(2);
    c->left = make_condition(pool, used, nranks, depth - 1);
    c->right = make_condition(pool, used, nranks, depth - 1);
  }
  return c;
}
static bool holds(const struct condition *c, const bool *moves) {
  if (!c->left) return moves[c->rank];
  bool left = holds(c->left, moves), right = holds(c->right, moves);
  return c->is_any ? left || right : left && right;
}

// The translated graph says of each process what its condition says.
static void check_random_conditions(uint64_t seed) {
  static struct condition pools[8][CONDITIONS];
  const struct condition *conditions[8] = {0};
  state = seed;
  for (int i = 0; i < 4; i++) pick(2);
  uint32_t n = 1 + pick(8);
  struct mck_waitfor g;
  EXPECT(mck_waitfor_init(&g, n));
  bool moves[8] = {0}, is_changed = true;
  for (uint32_t v = 0; v < n; v++) {
    uint32_t used = 0;
    if (pick(6) == 0) moves[v] = true;
    else translate(&g, v, conditions[v] = make_condition(pools[v], &used, n, 3));
  }
  while (is_changed) {
    is_changed = false;
    for (uint32_t v = 0; v < n; v++)
      if (!moves[v] && holds(conditions[v], moves)) moves[v] = is_changed = true;
  }
  EXPECT(mck_waitfor_solve(&g));
  int before = failures;
  for (uint32_t v = 0; v < n; v++) EXPECT(g.is_deadlocked[v] == !moves[v]);
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
  check_translation();
  check_second_knot();
  printf("seed %llu\n", (unsigned long long)seed);
  for (uint64_t i = 0; i < 100000; i++) check_random(seed + i);
  for (uint64_t i = 0; i < 20000; i++) check_random_conditions(seed + i);
  // Linear: twice the ranks, twice the steps. A step is a node or an arc looked at.
  uint64_t last = count_steps(62500);
  for (uint32_t n = 125000; n <= 1000000; n *= 2) {
    uint64_t steps = count_steps(n);
    EXPECT(steps < last * 21 / 10);
    printf("%u ranks: %llu steps\n", n, (unsigned long long)steps);
    last = steps;
  }
  struct timespec from, to;
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
  count_steps(1000000);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
  getrusage(RUSAGE_SELF, &after);
  double seconds = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
  printf("1,000,000 ranks: %.2f s, %ld bytes a rank at most\n", seconds, after.ru_maxrss * 1024 / 1000000);
  EXPECT(after.ru_maxrss * 1024 / 1000000 <= 400);
  EXPECT(seconds < 2);
  if (failures) printf("%d failures\n", failures);
  return failures != 0;
}
