// RUN: %unit/test-rma-cut
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The random executions of test-rma-random, whose logs are cut at some of their barriers: what is reported at the cuts
// and at the end are races by the reference over the whole execution, and all that a whole log has. Locks are held and
// operations under way over the cuts, so are sends and receives with a buffer in a window, and memory that was freed
// before a cut stays so.
//   test-rma-cut [executions [seed]]
#define main random_main
#include "test-rma-random.c"
#undef main
#include "cut-logs.h"
#include "rma/open-operations.h"

enum { CUTS = 8 };
static uint32_t cuts[CUTS][RANKS]; // units in the logs
static int ncuts;

// Cut where no start or post is open (judge/transport/cut-round.h).
static void mark_cut(void) {
  for (int t = 0; t < nranks; t++)
    if (exposures[t].stage) return;
  for (int r = 0; r < nranks && ncuts < CUTS; r++) cuts[ncuts][r] = logs[r].units;
  ncuts += ncuts < CUTS;
}

static int get_part(int event) {
  int k = 0;
  while (k < ncuts && events[event].unit >= cuts[k][events[event].rank]) k++;
  return k;
}

// --- messages under way: their requests follow them from log to log ---
static uint32_t where[EVENTS]; // of a call: its index in the part of the log
static bool is_request_freed(int call) { return waited[call] < 0 && call % 2; } // of those that nobody waits for
static bool is_pending(int call, int rank, uint32_t before) {
  const struct event *e = &events[call];
  bool is_posted = e->what == OTHER && e->window == -1 && e->rank == rank && e->unit < before;
  return is_posted && !is_request_freed(call) && (waited[call] < 0 || events[waited[call]].unit >= before);
}

// The units of a part, in which a wait names its request anew.
static void add_units(struct fake *part, int rank, uint32_t first, uint32_t end) {
  uint32_t base = part->units;
  fake_units(part, fake_at(&logs[rank], first), end - first);
  for (int e = 0; e < n; e++) {
    if (events[e].rank != rank || events[e].unit < first || events[e].unit >= end) continue;
    where[e] = events[e].unit - first + base;
    for (int call = 0; call < e; call++)
      if (events[call].window == -1 && waited[call] == e) fake_at(part, where[e])->wait.request[0] = where[call];
  }
}

static void cut_parts(struct fake *parts, int k, cut_judge *judge, struct mck_findings *all) {
  static uint32_t units[RANKS][EVENTS];
  static int calls[RANKS][EVENTS];
  uint32_t *pending[RANKS];
  size_t npending[RANKS] = {0};
  for (int r = 0; r < nranks; r++) {
    pending[r] = units[r];
    for (int i = 0; i < count[r]; i++)
      if (is_pending(by_rank[r][i], r, cuts[k][r]))
        calls[r][npending[r]] = by_rank[r][i], units[r][npending[r]++] = where[by_rank[r][i]];
  }
  cut_logs_with(parts, nranks, pending, npending, judge, all);
  for (int r = 0; r < nranks; r++)
    for (size_t i = 0; i < npending[r]; i++) where[calls[r][i]] = units[r][i];
}

static int message_of(int e) {
  int call = events[e].lender;
  return call >= 0 && events[call].window == -1 ? call : -1;
}

// Need a race of a whole log be found in logs that are cut? Where a send stays under way over a cut, only those are
// kept out that have not heard of the end of its receive, as if its request were to be freed. Nobody can hear of it
// where the request of the receive was freed, and behind a cut that settled the message the log has no receive any
// more (as of seed 1801679778). Where a receive has no message yet, it may be cancelled.
static bool is_due(int a, int b) {
  int e = message_of(a) >= 0 ? a : b, other = e == a ? b : a, call = message_of(e);
  if (call < 0 || !is_race(a < b ? a : b, a < b ? b : a)) return call < 0;
  int part = get_part(other), done = events[e].done;
  if (is_request_freed(call) && get_part(call) < part) return false; // it has left the log
  if (waited[call] >= 0 && get_part(waited[call]) <= part) return true;
  if (other_side[call] == OF_FILE) return true;
  if (events[e].what == STORE) return waited[call] >= 0 && get_part(other_side[call]) <= part;
  int receive = other_side[call];
  bool is_settled = receive >= 0 && is_request_freed(receive) && get_part(call) < part && get_part(receive) < part;
  if (received[call] < 0) return !is_settled;
  events[e].done = received[call];
  bool is_still = is_race(a < b ? a : b, a < b ? b : a);
  events[e].done = done;
  return is_still;
}

static void judge_part(const struct mck_reader *readers, bool is_cut, struct mck_findings *found) {
  struct mck_pairs pairs;
  if (!mck_pairs_make(&pairs, readers, (size_t)nranks, true)) abort();
  mck_rma_judge(readers, (size_t)nranks, &pairs, mck_order_doubts(readers, (size_t)nranks, &pairs),
                MCK_RMA_EPOCHS | (is_cut ? MCK_RMA_CUT : 0), found);
  mck_pairs_free(&pairs);
}

static void judge_at_cut(const struct mck_reader *readers, int ranks, struct mck_findings *found) {
  (void)ranks;
  judge_part(readers, true, found);
}

// Of which cell: elements may overlap in part, and which bytes are named depends on which accesses are.
static long cell_of(const struct mck_finding *f) {
  int owner = -1;
  long low = -1;
  if (sscanf(strstr(f->text, " on a window"), " on a window of rank %d, bytes %ld", &owner, &low) != 2) abort();
  return owner + RANKS * (low / 8);
}

static uint64_t made, kept, races, nover;
// Those of a whole log are there: the same accesses, or others to the same cell by one of the two processes at least.
// Which accesses stand for earlier ones, of another process, too, depends on the order of the walk and on the sections
// in a log (rma/completed-before.c). There may be more: that a section was over before the cut is known behind it.
static int compare_findings(uint64_t seed, const struct mck_findings *some, const struct mck_findings *others) {
  for (size_t i = 0; i < some->count; i++) {
    const struct mck_finding *f = &some->items[i];
    bool is_there = is_of_freed(f) || !is_due((int)f->places[0].site, (int)f->places[1].site);
    for (size_t k = 0; k < others->count && !is_there; k++) {
      const struct mck_finding *g = &others->items[k];
      if (is_of_freed(g)) continue;
      int a = f->places[0].rank, b = f->places[1].rank, c = g->places[0].rank, d = g->places[1].rank;
      is_there = cell_of(f) == cell_of(g) && (a == c || b == d || a == d || b == c);
    }
    if (is_there) continue;
    printf("seed %llu: not found with cuts: %s, events %u and %u\n", (unsigned long long)seed, f->text,
           f->places[0].site, f->places[1].site);
    return 1;
  }
  return 0;
}
// A buffer may be in use when its process has released the lock of its memory. The judge of a whole log takes it for
// protected all the same; behind a cut in between it does not, and finds races that are there.
static void forget_released_locks(void) {
  for (int e = 0; e < n; e++)
    for (int i = 0; events[e].lender >= 0 && i < nsections; i++) {
      const struct section *s = &sections[i];
      bool is_its = s->is_lock && s->rank == events[e].rank && s->thing == events[e].target && s->enter < e;
      if (is_its && s->over > e && (events[e].done < 0 || events[e].done > s->over)) events[e].lock = 0;
    }
}

// The call of a message that is under way over a cut, in a race that is found in logs that are cut.
static bool is_over_cut(int a, int b) {
  int e = message_of(a) >= 0 ? a : b;
  return message_of(e) >= 0 && get_part(e) < get_part(e == a ? b : a);
}

static int compare_cut(uint64_t seed) {
  struct fake parts[RANKS] = {{0}};
  struct mck_reader readers[RANKS];
  struct mck_findings whole = {0}, all = {0}, rest = {0};
  int bad = 0, expected = 0;
  uint64_t nraces = 0;
  for (int r = 0; r < nranks; r++) fake_load(&logs[r], &readers[r]);
  judge_part(readers, false, &whole);
  for (int k = 0; k <= ncuts; k++) {
    for (int r = 0; r < nranks; r++) {
      uint32_t first = k ? cuts[k - 1][r] : 0, end = k < ncuts ? cuts[k][r] : logs[r].units;
      if (!k) fake_units(&parts[r], NULL, 0), memcpy(parts[r].header, logs[r].header, MCK_LOG_HEADER);
      add_units(&parts[r], r, first, end);
    }
    if (k < ncuts) cut_parts(parts, k, judge_at_cut, &all);
    for (int r = 0; k < ncuts && r < nranks; r++) made += cuts[k][r], kept += parts[r].units;
  }
  struct mck_reader last[RANKS];
  for (int r = 0; r < nranks; r++) fake_load(&parts[r], &last[r]);
  judge_part(last, false, &rest);
  mck_findings_merge(&all, &rest);
  part_of = NULL; // what a judge of the whole log may know
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++) expected += is_race(a, b) && is_due(a, b);
  bad |= compare_findings(seed, &whole, &all);
  part_of = get_part;
  // At a cut a request is under way that nobody will wait for, also when the lock of its memory is released.
  for (int e = 0; e < n; e++)
    if (message_of(e) >= 0) events[e].done = waited[message_of(e)];
  forget_released_locks();
  for (size_t i = 0; i < all.count; i++) {
    uint32_t a = all.items[i].places[0].site, b = all.items[i].places[1].site;
    if (is_of_freed(&all.items[i])) continue;
    nraces++;
    nover += a < (uint32_t)n && b < (uint32_t)n && is_over_cut((int)a, (int)b);
    bool is_true = all.items[i].nplaces >= 2 && a < (uint32_t)n && b < (uint32_t)n &&
                   is_race((int)(a < b ? a : b), (int)(a < b ? b : a));
    if (!is_true)
      bad = 1,
      printf("seed %llu: not a race: %s, events %u and %u\n", (unsigned long long)seed, all.items[i].text, a, b);
  }
  if (!is_each_too_late(seed, &all)) bad = 1;
  if (expected && !nraces) bad = 1, printf("seed %llu: %d races, none found\n", (unsigned long long)seed, expected);
  races += nraces;
  mck_findings_free(&whole), mck_findings_free(&all);
  for (int r = 0; r < nranks; r++) fake_end(&logs[r], &readers[r]), fake_end(&parts[r], &last[r]);
  return bad;
}

int main(int argc, char **argv) {
  uint64_t executions = argc > 1 ? strtoull(argv[1], NULL, 0) : 20000,
           seed = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL) << 20;
  uint64_t total = 0, i = 0;
  int bad = 0;
  (void)random_main;
  printf("%llu executions from seed %llu\n", (unsigned long long)executions, (unsigned long long)seed);
  after_barrier = mark_cut, part_of = get_part, has_posted = true;
  for (uint64_t done = 0; done < executions && bad < 5; i++) {
    state = (seed + i) * 0x9e3779b97f4a7c15u;
    below(2), below(2);
    ncuts = 0;
    execute();
    if (!ncuts) {
      for (int r = 0; r < nranks; r++) fake_end(&logs[r], NULL);
      continue;
    }
    done++;
    total += (uint64_t)ncuts;
    bad += compare_cut(seed + i);
  }
  printf("%llu cuts, %llu races, %llu of messages over a cut, %llu units before, %llu after\n",
         (unsigned long long)total, (unsigned long long)races, (unsigned long long)nover, (unsigned long long)made,
         (unsigned long long)kept);
  return bad != 0;
}
