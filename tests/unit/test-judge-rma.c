// RUN: %unit/test-judge-rma
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races in fence epochs: each rule by hand, then random epochs against the pairwise definition. With messages within
// the epochs, the sweep and what it leaves to the walk (rt/rma) together are compared with the walk over everything.
//   test-judge-rma [executions [seed]]
#include <time.h>
#include "fake-log.h"
#include "judge/whole/whole.h"
#include "rma/rma.h"

static int failures;
#define EXPECT(condition) ((condition) ? 0 : (failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))

enum { RANKS = 3, KEY = 77 };
static struct fake logs[RANKS];
static uint64_t state;
static uint32_t below(uint32_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % n;
}

static void begin(uint32_t disp_unit) {
  for (uint32_t r = 0; r < RANKS; r++) {
    fake_begin(&logs[r], r, RANKS);
    struct mck_type_part part = {2, MCK_BASIC_INT, 0};
    struct mck_block blocks[2] = {{0, 4}, {16, 4}}; // a vector with a gap
    fake_type(&logs[r], MCK_TYPE_USER, 8, &part, 1, 20, blocks, 2);
    fake_type(&logs[r], MCK_TYPE_USER + 1, 8, &part, 1, 20, NULL, 0);
    fake_win(&logs[r], 0, 0, KEY, disp_unit, 4096, "halo");
  }
}
static void fence(uint32_t site) {
  for (int r = 0; r < RANKS; r++) fake_fence(&logs[r], site, 0);
}
static size_t judge(void) {
  struct mck_findings found = {0};
  fake_judge(logs, RANKS, true, &found);
  size_t n = found.count;
  for (size_t i = 0; i < n; i++)
    EXPECT(found.items[i].check == MCK_CHECK_RMA_RACE || found.items[i].check == MCK_CHECK_RMA_ATOMICITY);
  mck_findings_free(&found);
  return n;
}
#define PUT(rank, site, disp, count) fake_rma(&logs[rank], MCK_EV_PUT, 0, site, 0, 2, disp, count, MCK_BASIC_INT)
#define GET(rank, site, disp, count) fake_rma(&logs[rank], MCK_EV_GET, 0, site, 0, 2, disp, count, MCK_BASIC_INT)
#define ADD(rank, site, op, disp) fake_rma(&logs[rank], MCK_EV_ACC, op, site, 0, 2, disp, 1, MCK_BASIC_INT)
#define STORE(site, offset, size) fake_access(&logs[2], MCK_ACCESS_STORE, site, 0, offset, size, 1, 0)
#define LOAD(site, offset, size) fake_access(&logs[2], 0, site, 0, offset, size, 1, 0)
#define CASE(n, ...)                                                                                                   \
  do {                                                                                                                 \
    begin(4);                                                                                                          \
    fence(1);                                                                                                          \
    __VA_ARGS__;                                                                                                       \
    fence(2);                                                                                                          \
    EXPECT(judge() == (n));                                                                                            \
  } while (0)

static void by_hand(void) {
  CASE(1, PUT(0, 5, 0, 4); PUT(1, 6, 3, 1));
  CASE(0, PUT(0, 5, 0, 4); PUT(1, 6, 4, 1));
  CASE(1, PUT(0, 5, 0, 4); GET(1, 6, 3, 1));
  CASE(0, GET(0, 5, 0, 4); GET(1, 6, 0, 4));
  CASE(1, PUT(0, 5, 0, 4); PUT(0, 6, 3, 1));
  CASE(1, PUT(0, 5, 0, 4); PUT(0, 5, 0, 4));
  CASE(0, PUT(0, 5, 0, 4); fence(3); PUT(1, 6, 0, 4));
  CASE(1, PUT(0, 5, 0, 4); STORE(6, 15, 1));
  CASE(1, PUT(0, 5, 0, 4); LOAD(6, 15, 1));
  CASE(0, PUT(0, 5, 0, 4); LOAD(6, 16, 1));
  CASE(0, GET(0, 5, 0, 4); LOAD(6, 0, 16));
  CASE(1, GET(0, 5, 0, 4); STORE(6, 0, 16));
  CASE(0, STORE(6, 0, 16); LOAD(7, 0, 16));
  CASE(0, STORE(6, 0, 16); fence(3); PUT(0, 5, 0, 4));
  CASE(0, ADD(0, 5, MCK_OP_SUM, 0); ADD(1, 6, MCK_OP_SUM, 0));
  CASE(1, ADD(0, 5, MCK_OP_SUM, 0); ADD(1, 6, MCK_OP_MAX, 0));
  CASE(0, ADD(0, 5, MCK_OP_SUM, 0); ADD(1, 6, MCK_OP_NO_OP, 0));
  CASE(0, ADD(0, 5, MCK_OP_SUM, 0); ADD(0, 6, MCK_OP_MAX, 0));
  CASE(1, ADD(0, 5, MCK_OP_SUM, 0); LOAD(6, 0, 4));
  CASE(1, ADD(0, 5, MCK_OP_SUM, 0); PUT(1, 6, 0, 1));
  // Elements that overlap in part are not atomic to each other, and not in order at their origin.
  for (uint64_t disp = 1; disp <= 2; disp++)
    for (int origin = 0; origin < 2; origin++) {
      begin(4);
      for (uint32_t r = 0; r < RANKS; r++) fake_win(&logs[r], 1, 0, KEY + 1, 2, 4096, "odd");
      for (int r = 0; r < RANKS; r++) fake_fence(&logs[r], 1, 1);
      fake_rma(&logs[0], MCK_EV_ACC, MCK_OP_SUM, 5, 1, 2, 0, 1, MCK_BASIC_INT);
      fake_rma(&logs[origin], MCK_EV_ACC, MCK_OP_SUM, 6, 1, 2, disp, 1, MCK_BASIC_INT);
      for (int r = 0; r < RANKS; r++) fake_fence(&logs[r], 2, 1);
      EXPECT(judge() == (disp == 1));
    }
  // The gap of a vector is not touched; without a block list nothing is said.
  CASE(0, fake_rma(&logs[0], MCK_EV_PUT, 0, 5, 0, 2, 0, 1, MCK_TYPE_USER); PUT(1, 6, 1, 3));
  CASE(1, fake_rma(&logs[0], MCK_EV_PUT, 0, 5, 0, 2, 0, 1, MCK_TYPE_USER); PUT(1, 6, 1, 4));
  CASE(0, fake_rma(&logs[0], MCK_EV_PUT, 0, 5, 0, 2, 0, 1, MCK_TYPE_USER + 1); PUT(1, 6, 0, 5));
  // A barrier inside the epoch may have ordered the store before the put; it never orders a put before a store.
  CASE(0, STORE(6, 0, 16); for (int r = 0; r < RANKS; r++) fake_collective(&logs[r], MCK_FN_MPI_Barrier, 9, 0, -1);
       PUT(0, 5, 0, 4));
  CASE(1, PUT(0, 5, 0, 4); for (int r = 0; r < RANKS; r++) fake_collective(&logs[r], MCK_FN_MPI_Barrier, 9, 0, -1);
       STORE(6, 0, 16));
  // To oneself: a store before the call is done, one after it is not.
  CASE(0, STORE(6, 0, 16); PUT(2, 5, 0, 4));
  CASE(1, PUT(2, 5, 0, 4); STORE(6, 0, 16));
  // A lock anywhere on the window, or before any fence: not ours to judge.
  CASE(0, PUT(0, 5, 0, 4); PUT(1, 6, 0, 4);
       fake_event(&logs[0], (struct mck_event){.kind = MCK_EV_SYNC, .site = 8, .sync = {.win = 0, .rank = 2}}));
  begin(4);
  PUT(0, 5, 0, 4);
  PUT(1, 6, 0, 4);
  fence(1);
  EXPECT(judge() == 0);
  // Strided stores.
  CASE(0, PUT(0, 5, 1, 1); fake_access(&logs[2], MCK_ACCESS_STORE, 6, 0, 0, 4, 10, 8));
  CASE(1, PUT(0, 5, 2, 1); fake_access(&logs[2], MCK_ACCESS_STORE, 6, 0, 0, 4, 10, 8));

  begin(4);
  fence(1);
  PUT(1, 5, 32, 32);
  STORE(6, 128, 512);
  fence(2);
  struct mck_findings found = {0};
  fake_judge(logs, RANKS, true, &found);
  EXPECT(found.count == 1);
  if (found.count == 1) {
    const struct mck_finding *f = found.items;
    EXPECT(!strcmp(f->text, "race on window \"halo\" of rank 2, bytes 128..255 (elements 32..63 of 4 bytes)"));
    EXPECT(f->nplaces == 4 && !strcmp(f->places[0].label, "MPI_Put from rank 1") && f->places[0].site == 5);
    EXPECT(!strcmp(f->places[1].label, "conflicts with store by rank 2") && f->places[1].site == 6);
    EXPECT(f->places[2].site == 1 && strstr(f->why, "fence epoch 1"));
  }
  mck_findings_free(&found);
}

// --- random ---------------------------------------------------------------------------------------------------------
struct thing {
  int kind, rank, op;
  uint32_t low, high, event, type; // type: of an accumulate
  int epoch;
}; // kind 0 put, 1 get, 2 acc, 3 store, 4 load

static bool is_race(const struct thing *a, const struct thing *b) {
  if (a->epoch != b->epoch || a->high <= b->low || b->high <= a->low) return false;
  bool ra = a->kind == 1 || a->kind == 4, rb = b->kind == 1 || b->kind == 4;
  if ((ra && rb) || (a->kind >= 3 && b->kind >= 3)) return false;
  if (a->kind == 2 && b->kind == 2) // one type and one position of the elements: in order or atomic (11.7.1, 11.7.2)
    return a->type != b->type || (a->low - b->low) % 4 || (a->rank != b->rank && a->op != b->op);
  if (a->rank == b->rank && a->kind >= 3) return b->event < a->event;
  if (a->rank == b->rank && b->kind >= 3) return a->event < b->event;
  return true;
}

static void random_epochs(int executions, uint64_t seed) {
  enum { THINGS = 24 };
  state = seed;
  for (int round = 0; round < executions; round++) {
    struct thing things[THINGS];
    begin(2);
    fence(1);
    int epoch = 1, n = (int)below(THINGS);
    for (int i = 0; i < n; i++) {
      if (!below(6)) fence(2), epoch++;
      struct thing *t = &things[i];
      *t = (struct thing){
          .kind = (int)below(5), .rank = (int)below(RANKS), .op = below(2) ? MCK_OP_SUM : MCK_OP_MAX, .epoch = epoch};
      uint32_t disp = below(80) & ~below(4), count = 1 + below(6), site = 100 + (uint32_t)i;
      t->type = below(4) ? MCK_BASIC_INT : MCK_BASIC_FLOAT;
      t->low = 2 * disp;
      t->high = 2 * disp + 4 * count;
      if (t->kind >= 3) t->rank = 2;
      if (t->kind == 0) t->event = PUT(t->rank, site, disp, count);
      if (t->kind == 1) t->event = GET(t->rank, site, disp, count);
      if (t->kind == 2)
        t->event = fake_rma(&logs[t->rank], MCK_EV_ACC, (uint8_t)t->op, site, 0, 2, disp, count, t->type);
      if (t->kind == 3) t->event = STORE(site, t->low, t->high - t->low);
      if (t->kind == 4) t->event = LOAD(site, t->low, t->high - t->low);
    }
    fence(2);
    size_t races = 0;
    for (int i = 0; i < n; i++)
      for (int k = 0; k < i; k++) races += is_race(&things[i], &things[k]);
    size_t said = judge();
    if (said != races && !failures++)
      printf("seed %llu round %d: said %zu, true %zu\n", (unsigned long long)seed, round, said, races);
  }
}

// --- the two finders ------------------------------------------------------------------------------------------------
enum { SITES = 32, FIRST_SITE = 100 };
struct verdicts {
  bool is_race[SITES][SITES], is_named[SITES];
};

// false: a pair is there twice.
static bool note(struct verdicts *v, const struct mck_findings *found) {
  bool is_once = true;
  memset(v, 0, sizeof *v);
  for (size_t i = 0; i < found->count; i++) {
    if (found->items[i].nplaces < 2) continue;
    uint32_t a = found->items[i].places[0].site - FIRST_SITE, b = found->items[i].places[1].site - FIRST_SITE;
    if (a >= SITES || b >= SITES) abort();
    is_once &= !v->is_race[a][b];
    v->is_race[a][b] = v->is_race[b][a] = v->is_named[a] = v->is_named[b] = true;
  }
  return is_once;
}

// Random accesses in fence epochs; with messages also between them.
static void generate(uint64_t seed, bool has_messages) {
  state = seed;
  begin(4);
  fence(1);
  for (int i = 0; i < SITES; i++) {
    uint32_t disp = below(12), count = 1 + below(3), site = FIRST_SITE + (uint32_t)i, way = below(6);
    int rank = (int)below(RANKS), other = (rank + 1 + (int)below(RANKS - 1)) % RANKS;
    if (!below(8)) fence(2);
    if (has_messages && !below(12))
      for (int r = 0; r < RANKS; r++) fake_collective(&logs[r], MCK_FN_MPI_Barrier, 9, 0, -1);
    if (has_messages && !below(2)) {
      fake_send(&logs[rank], MCK_FN_MPI_Send, 9, 0, other, 1, MCK_BASIC_INT, 1);
      fake_recv(&logs[other], MCK_FN_MPI_Recv, 9, 0, rank, 1, MCK_BASIC_INT, 1);
    }
    if (way == 0) PUT(rank, site, disp, count);
    else if (way == 1) GET(rank, site, disp, count);
    else if (way < 4) ADD(rank, site, way == 2 ? MCK_OP_SUM : MCK_OP_MAX, disp);
    else if (way == 4) STORE(site, 4 * disp, 4 * count);
    else LOAD(site, 4 * disp, 4 * count);
  }
  fence(2);
}

static void walk(unsigned scope, struct mck_reader *readers, struct mck_findings *found) {
  struct mck_pairs pairs;
  if (!mck_pairs_make(&pairs, readers, RANKS, true)) abort();
  mck_rma_judge(readers, RANKS, &pairs, 0, scope, found);
  mck_pairs_free(&pairs);
}

// The walk takes all of a window if its logs have a call that is no fence.
static void find_by_walk(struct mck_findings *found) {
  struct mck_reader readers[RANKS];
  for (int r = 0; r < RANKS; r++) {
    fake_event(&logs[r],
               (struct mck_event){.kind = MCK_EV_SYNC, .fn = MCK_FN_MPI_Win_sync, .site = 8, .sync = {0, -1}});
    fake_load(&logs[r], &readers[r]);
  }
  walk(MCK_RMA_EPOCHS, readers, found);
  for (int r = 0; r < RANKS; r++) fake_end(&logs[r], &readers[r]);
}

// Returns how many findings are the walk's.
static size_t find_by_sweep(struct mck_findings *found) {
  struct mck_reader readers[RANKS];
  for (int r = 0; r < RANKS; r++) fake_load(&logs[r], &readers[r]);
  unsigned needs = mck_judge_logs_with(readers, RANKS, &(struct mck_judge_run){RANKS, true}, 1, found);
  size_t n = found->count;
  if (needs & MCK_WHOLE_FENCES) walk(MCK_RMA_FENCES, readers, found);
  for (int r = 0; r < RANKS; r++) fake_end(&logs[r], &readers[r]);
  return found->count - n;
}

// The sweep, with what it leaves to the walk, misses nothing of what the walk calls a race. What the sweep finds the
// walk finds, too; of several accesses that come one after another it names the last one only. No pair is told twice.
static void two_finders(int executions, uint64_t seed) {
  static struct verdicts sweep, walk;
  uint32_t nraces = 0;
  size_t nleft = 0;
  for (int round = 0; round < executions; round++) {
    bool has_messages = round % 2;
    struct mck_findings found = {0}, again = {0};
    generate(seed + (uint64_t)round, has_messages);
    nleft += find_by_sweep(&found);
    generate(seed + (uint64_t)round, has_messages);
    find_by_walk(&again);
    EXPECT(note(&sweep, &found)), note(&walk, &again);
    for (int a = 0; a < SITES; a++)
      for (int b = 0; b < a; b++) {
        bool is_missed = walk.is_race[a][b] && !sweep.is_race[a][b],
             is_invented = sweep.is_race[a][b] && !walk.is_named[a] && !walk.is_named[b];
        nraces += sweep.is_race[a][b];
        if ((is_missed || is_invented) && !failures++)
          printf("seed %llu: accesses %d and %d: %s\n", (unsigned long long)(seed + (uint64_t)round), a, b,
                 is_missed ? "the sweep misses a race" : "the sweep invents a race");
      }
    mck_findings_free(&found), mck_findings_free(&again);
  }
  printf("%u races, %zu of them found by the walk\n", nraces, nleft);
  EXPECT(nraces > (uint32_t)executions / 3 && nleft > (size_t)executions / 30);
}

int main(int argc, char **argv) {
  int executions = argc > 1 ? atoi(argv[1]) : 3000;
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL);
  printf("seed %llu\n", (unsigned long long)seed);
  by_hand();
  random_epochs(executions, seed);
  two_finders(executions, seed);
  return failures != 0;
}
