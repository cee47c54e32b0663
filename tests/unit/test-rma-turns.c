// RUN: %unit/test-rma-turns
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What turns tell, by enumeration. Two or three ranks run straight through lock epochs (exclusive and shared), atomic
// operations, and loads and stores of their own. The logs do not have the order of the turns, so all orders are
// enumerated. In each the turns order accesses as in a run. Two accesses are a race if, whichever order the run had,
// there is an order in which nothing orders them, and in which all that they depend on is as in the run: a turn that
// has read something has the same turns before it. Each pair that the judge reports must be such a race.
//
// The judge's search says nothing of a race where a turn on which none of the two depends has read something. If there
// are others, some must be reported; so too if all of them have one access first in some order, and the other in some
// other order. Each pair that is not reported though it is such a race is counted.
//   test-rma-turns [executions [seed]]
#include <time.h>
#include "fake-log.h"
#include "order/order.h"
#include "rma/rma.h"

enum { RANKS = 3, EVENTS = 64, TURNS = 6, ORDERS = 1024, DATA = 0, FLAGS = 1 };
enum what { PUT, GET, LOAD, STORE, FETCH, OTHER };
struct event {
  int rank, at; // at: its place among the events of its rank
  enum what what;
  int target, cell;
  int done; // the place of the event of its rank that completes it
};
static struct event events[EVENTS];
static int n, nranks, count[RANKS];
// A turn: what was over before the place released is passed on; what is passed on is known behind the place acquired.
// heard: the place behind which its rank may have read something; NEVER: it has read nothing.
enum { NEVER = 1000 };
static struct turn {
  int rank, object, is_exclusive, acquired, released, heard;
} turns[TURNS];
static int nturns, turns_of[RANKS][TURNS], nturns_of[RANKS];
static struct fake logs[RANKS];

static uint64_t state;
static uint32_t below(uint32_t k) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % k;
}

static int add(int rank, enum what what, int target, int cell) {
  events[n] = (struct event){rank, count[rank]++, what, target, cell, -1};
  return n++;
}

static int sync(int rank, uint16_t fn, int window, int target, uint32_t lock_type) {
  fake_event(&logs[rank], (struct mck_event){.kind = MCK_EV_SYNC,
                                             .fn = fn,
                                             .site = (uint32_t)n,
                                             .sync = {(uint32_t)window, target, 0, lock_type, 0}});
  return add(rank, OTHER, -1, -1);
}

// Completes the operations of the turn that began behind first. Gets have brought something then.
static void complete(int rank, int first, int by, struct turn *t) {
  for (int i = first; i < n; i++) {
    if (events[i].rank != rank || events[i].done >= 0 || events[i].what > GET) continue;
    events[i].done = events[by].at;
    if (events[i].what == GET && t->heard == NEVER) t->heard = events[by].at;
  }
}

static void touch(int rank, struct turn *t) {
  int is_store = (int)below(2), cell = (int)below(2);
  fake_access(&logs[rank], is_store ? MCK_ACCESS_STORE : 0, (uint32_t)n, DATA, (uint64_t)cell * 8, 4, 1, 0);
  int i = add(rank, is_store ? STORE : LOAD, rank, cell);
  events[i].done = events[i].at;
  if (!t || is_store) return;
  // Loads and stores between two calls are not in order in a log.
  int first = i;
  while (events[first - 1].what == LOAD || events[first - 1].what == STORE) first--;
  int heard = events[first].at - 1;
  if (t->heard == NEVER || heard < t->heard) t->heard = heard;
}

static struct turn *begin_turn(int rank, int object, int is_exclusive) {
  turns_of[rank][nturns_of[rank]++] = nturns;
  turns[nturns] = (struct turn){rank, object, is_exclusive, 0, 0, NEVER};
  return &turns[nturns++];
}

static void hold_lock(int rank) {
  int target = (int)below((uint32_t)nranks), is_exclusive = below(4) > 0;
  struct turn *t = begin_turn(rank, target, is_exclusive);
  int first = sync(rank, MCK_FN_MPI_Win_lock, DATA, target, is_exclusive ? 1 : 2);
  t->acquired = events[first].at;
  for (uint32_t steps = below(4); steps--;) {
    uint32_t way = below(target == rank ? 4 : 3);
    if (way < 2) {
      int cell = (int)below(2), is_get = (int)below(2);
      fake_rma(&logs[rank], is_get ? MCK_EV_GET : MCK_EV_PUT, 0, (uint32_t)n, DATA, target, (uint64_t)cell, 1,
               MCK_BASIC_INT);
      add(rank, is_get ? GET : PUT, target, cell);
    } else if (way == 2) complete(rank, first, sync(rank, MCK_FN_MPI_Win_flush, DATA, target, 0), t);
    else touch(rank, t);
  }
  int last = sync(rank, MCK_FN_MPI_Win_unlock, DATA, target, 0);
  complete(rank, first, last, t);
  t->released = events[last].at + 1; // with what the unlock completes
}

static void fetch(int rank) {
  int target = (int)below((uint32_t)nranks);
  struct turn *t = begin_turn(rank, 10 + target, 1);
  uint32_t unit = fake_rma(&logs[rank], MCK_EV_ACC, MCK_OP_SUM, (uint32_t)n, FLAGS, target, 0, 1, MCK_BASIC_INT);
  fake_at(&logs[rank], unit)->fn = MCK_FN_MPI_Fetch_and_op;
  t->released = events[add(rank, FETCH, target, 0)].at;
  t->acquired = t->heard = events[sync(rank, MCK_FN_MPI_Win_flush, FLAGS, target, 0)].at;
}

static void execute(void) {
  n = nturns = 0;
  nranks = 2 + (int)below(2);
  memset(count, 0, sizeof count), memset(nturns_of, 0, sizeof nturns_of);
  int most = TURNS / nranks;
  for (int r = 0; r < nranks; r++) {
    fake_begin(&logs[r], (uint32_t)r, (uint32_t)nranks);
    for (uint32_t w = 0; w < 2; w++) {
      struct mck_win_body body = {77 + w, 0x10010 + w * (uint64_t)64, 64};
      fake_define(&logs[r], MCK_EV_DEF_WIN, w, 0, 8, 1, 0, &body, sizeof body, NULL, 0);
    }
    sync(r, MCK_FN_MPI_Win_lock_all, FLAGS, -1, 0);
    for (uint32_t steps = 1 + below(5); steps--;) {
      uint32_t way = below(4);
      if (way == 3) touch(r, NULL);
      else if (nturns_of[r] == most) continue;
      else if (way == 2) fetch(r);
      else hold_lock(r);
    }
    sync(r, MCK_FN_MPI_Win_unlock_all, FLAGS, -1, 0);
  }
}

// --- the reference: all orders of the turns ---
// An order is a set: bit i * TURNS + k says that turn i comes before turn k, both about one object, and that this
// orders them.
static uint64_t orders[ORDERS];
static int norders;
static uint64_t bit(int i, int k) { return (uint64_t)1 << (i * TURNS + k); }
static bool is_ordering(const struct turn *x, const struct turn *y) {
  return x->rank != y->rank && x->object == y->object && (x->is_exclusive || y->is_exclusive);
}

static void enumerate(uint64_t order, uint32_t gone, int next[RANKS]) {
  bool is_last = true;
  for (int r = 0; r < nranks; r++) {
    if (next[r] == nturns_of[r]) continue;
    int k = turns_of[r][next[r]];
    uint64_t longer = order;
    for (int i = 0; i < nturns; i++)
      if (gone >> i & 1 && is_ordering(&turns[i], &turns[k])) longer |= bit(i, k);
    is_last = false, next[r]++;
    enumerate(longer, gone | 1u << k, next);
    next[r]--;
  }
  if (!is_last) return;
  for (int i = 0; i < norders; i++)
    if (orders[i] == order) return;
  if (norders == ORDERS) abort();
  orders[norders++] = order;
}

static bool is_before(uint64_t order, const struct event *a, const struct event *b) {
  int known[RANKS] = {NEVER, NEVER, NEVER}; // by rank: the place behind which it knows that a is over
  known[a->rank] = a->done;
  for (bool moved = true; moved;) {
    moved = false;
    for (int i = 0; i < nturns; i++)
      for (int k = 0; k < nturns; k++) {
        const struct turn *x = &turns[i], *y = &turns[k];
        if (!(order & bit(i, k)) || known[x->rank] >= x->released || known[y->rank] <= y->acquired) continue;
        known[y->rank] = y->acquired, moved = true;
      }
  }
  return known[b->rank] < b->at;
}

// What the ranks of two accesses have learned before them in an order: pairs of turns of which the later one has read
// something. What another rank has learned matters if they learned from it; all: in any case.
static uint64_t learned(uint64_t order, const struct event *a, const struct event *b, bool all) {
  int until[RANKS];
  uint64_t set = 0;
  for (int r = 0; r < RANKS; r++) until[r] = all && r != a->rank && r != b->rank ? NEVER : 0;
  until[a->rank] = a->at, until[b->rank] = b->at > until[b->rank] ? b->at : until[b->rank];
  for (bool moved = true; moved;) {
    moved = false;
    for (int k = 0; k < nturns; k++)
      for (int i = 0; i < nturns && turns[k].heard < until[turns[k].rank]; i++) {
        set |= bit(i, k);
        if (order & bit(i, k) && until[turns[i].rank] < turns[i].released)
          until[turns[i].rank] = turns[i].released, moved = true;
      }
  }
  return set;
}

static bool is_conflict(const struct event *a, const struct event *b) {
  bool is_data = a->what < FETCH && b->what < FETCH && a->target == b->target && a->cell == b->cell;
  bool is_local = a->what >= LOAD && b->what >= LOAD;
  return is_data && !is_local && (a->what == PUT || a->what == STORE || b->what == PUT || b->what == STORE);
}

// is_either: some order has a before b, and some has b before a.
static bool is_race(const struct event *a, const struct event *b, bool all, bool *is_either) {
  if (!is_conflict(a, b)) return false;
  uint64_t apart[ORDERS];
  int napart = 0, nfirst = 0, nlast = 0;
  for (int i = 0; i < norders; i++) {
    bool is_first = is_before(orders[i], a, b), is_last = is_before(orders[i], b, a);
    nfirst += is_first, nlast += is_last;
    if (!is_first && !is_last) apart[napart++] = orders[i];
  }
  *is_either = nfirst && nlast;
  for (int i = 0; i < norders; i++) { // the order of the run
    uint64_t read = learned(orders[i], a, b, all);
    int k = 0;
    while (k < napart && (orders[i] ^ apart[k]) & read) k++;
    if (k == napart) return false;
  }
  return true;
}

static uint64_t expected, untold, either, either_untold, missed;
static bool is_told[EVENTS][EVENTS];

// Each race that all orders have must be told, also those of which some order has the one first and some the other.
static int count_untold(uint64_t seed) {
  uint64_t before = expected, found = 0;
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++) {
      bool is_either, is_said = is_told[a][b] || is_told[b][a];
      found += is_said;
      if (!is_race(&events[a], &events[b], true, &is_either)) continue;
      expected++, untold += !is_said, either += is_either, either_untold += is_either && !is_said;
    }
  if (expected == before || found) return 0;
  printf("seed %llu: no race was found\n", (unsigned long long)seed), missed++;
  return 1;
}

static int compare(uint64_t seed, uint64_t *races) {
  struct mck_reader readers[RANKS];
  struct mck_pairs pairs;
  struct mck_findings found = {0};
  int bad = 0;
  for (int r = 0; r < nranks; r++) logs[r].header->has_all_accesses = true, fake_load(&logs[r], &readers[r]);
  if (!mck_pairs_make(&pairs, readers, (size_t)nranks, true)) abort();
  mck_rma_judge(readers, (size_t)nranks, &pairs, 0, MCK_RMA_EPOCHS, &found);
  norders = 0;
  enumerate(0, 0, (int[RANKS]){0});
  memset(is_told, 0, sizeof is_told);
  for (size_t i = 0; i < found.count; i++) {
    const struct mck_finding *f = &found.items[i];
    uint32_t a = f->places[0].site, b = f->places[1].site;
    bool is_either;
    if (f->nplaces >= 2 && a < (uint32_t)n && b < (uint32_t)n && is_race(&events[a], &events[b], false, &is_either)) {
      is_told[a][b] = true;
      continue;
    }
    printf("seed %llu: not a race: %s, events %u and %u\n", (unsigned long long)seed, f->text, a, b);
    bad = 1;
  }
  bad |= count_untold(seed);
  *races += found.count;
  mck_findings_free(&found);
  mck_pairs_free(&pairs);
  for (int r = 0; r < nranks; r++) fake_end(&logs[r], &readers[r]);
  return bad;
}

static void print(void) {
  static const char *const names[] = {"put", "get", "load", "store", "fetch", "sync"};
  for (int i = 0; i < n; i++)
    printf("  %d: rank %d, %s of cell %d of rank %d, done %d\n", i, events[i].rank, names[events[i].what],
           events[i].cell, events[i].target, events[i].done);
  for (int i = 0; i < nturns; i++)
    printf("  turn %d: rank %d, object %d%s, acquired %d, heard %d, released %d\n", i, turns[i].rank, turns[i].object,
           turns[i].is_exclusive ? ", exclusive" : "", turns[i].acquired, turns[i].heard, turns[i].released);
}

int main(int argc, char **argv) {
  uint64_t executions = argc > 1 ? strtoull(argv[1], NULL, 0) : 20000,
           seed = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL) << 20;
  uint64_t races = 0, of_turns = 0;
  int bad = 0;
  printf("%llu executions from seed %llu\n", (unsigned long long)executions, (unsigned long long)seed);
  for (uint64_t i = 0; i < executions && bad < 5; i++) {
    state = (seed + i) * 0x9e3779b97f4a7c15u;
    below(2), below(2);
    execute();
    int is_bad = compare(seed + i, &races);
    if (is_bad) print();
    bad += is_bad;
    of_turns += norders > 1;
  }
  printf("%llu races told; %llu expected, %llu of them not told; in turns either way %llu, %llu of them not told; "
         "%llu executions with races of which none was found; %llu executions had turns in several orders\n",
         (unsigned long long)races, (unsigned long long)expected, (unsigned long long)untold,
         (unsigned long long)either, (unsigned long long)either_untold, (unsigned long long)missed,
         (unsigned long long)of_turns);
  return bad != 0 || missed;
}
