// RUN: %unit/test-judge-cut
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Incremental is whole: the random runs of test-judge-match, once whole and once cut at random moments, where what is
// settled leaves the logs, have the same findings; and so have hand-written collectives and fence epochs.
#define main match_main
#include "sent-parcels.h"
#include "test-judge-match.c"
#undef main
#include "judge/cut/cut.h"

static struct mck_findings early; // of the cuts
static uint64_t cut_state, ncuts, units_before, units_after;
static uint32_t cut_every;

static uint32_t cut_below(uint32_t n) {
  cut_state = cut_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(cut_state >> 33) % n;
}

static void cut_all(struct fake *logs, uint32_t n, const struct mck_pending *pending,
                    struct mck_remaining_log *remaining) {
  struct mck_reader readers[RANKS];
  struct mck_judge *judges[RANKS];
  struct mck_judge_run run = {n, false};
  struct mck_findings found = {0};
  for (uint32_t r = 0; r < n; r++) {
    fake_load(&logs[r], &readers[r]);
    judges[r] = mck_judge_index_cut(&readers[r], n, &pending[r]);
  }
  for (uint32_t r = 0; r < n; r++) mck_judge_parcels(judges[r]);
  for (uint32_t r = 0; r < n; r++) {
    struct mck_parcels from = sent_to((int)r, judges, (int)n);
    mck_judge_decide(judges[r], &from, &run, &found);
    free(from.items);
  }
  mck_findings_merge(&early, &found);
  for (uint32_t r = 0; r < n; r++) {
    const struct mck_parcels *verdicts = mck_judge_verdicts(judges[r]);
    for (size_t i = 0; i < verdicts->count; i++)
      EXPECT(mck_judge_take(judges[verdicts->items[i].rank], (int)r, &verdicts->items[i].parcel));
  }
  for (uint32_t r = 0; r < n; r++) EXPECT(mck_judge_make_remaining_log(judges[r], &remaining[r]));
  for (uint32_t r = 0; r < n; r++) {
    mck_judge_free(judges[r]);
    mck_log_unload(&readers[r]);
    units_before += logs[r].units;
    logs[r].units = 0;
    fake_units(&logs[r], remaining[r].events, (uint32_t)remaining[r].count);
    units_after += logs[r].units;
  }
  ncuts++;
}

static int compare_events(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static uint32_t moved(const struct mck_pending *pending, const struct mck_remaining_log *remaining, uint32_t event) {
  const uint32_t *at = bsearch(&event, pending->events, pending->count, sizeof event, compare_events);
  EXPECT(at && remaining->moved[at - pending->events] != MCK_NONE);
  return at ? remaining->moved[at - pending->events] : MCK_NONE;
}

static void cut_processes(void) {
  if (cut_below(cut_every)) return;
  static uint32_t events[RANKS][2 * STEPS];
  struct mck_pending pending[RANKS];
  struct mck_remaining_log remaining[RANKS];
  struct fake logs[RANKS];
  for (int r = 0; r < RANKS; r++) {
    struct process *p = &processes[r];
    size_t n = 0;
    for (int i = 0; i < p->nposted; i++) events[r][n++] = p->posted[i].event;
    for (int i = 0; i < p->nprobed; i++) events[r][n++] = p->probed[i].event;
    qsort(events[r], n, sizeof **events, compare_events);
    pending[r] = (struct mck_pending){events[r], n};
    logs[r] = p->log;
  }
  cut_all(logs, RANKS, pending, remaining);
  for (int r = 0; r < RANKS; r++) {
    struct process *p = &processes[r];
    p->log = logs[r];
    for (int i = 0; i < p->nposted; i++) p->posted[i].event = moved(&pending[r], &remaining[r], p->posted[i].event);
    for (int i = 0; i < p->nprobed; i++) p->probed[i].event = moved(&pending[r], &remaining[r], p->probed[i].event);
    mck_remaining_log_free(&remaining[r]);
  }
}

static bool is_same(const struct mck_finding *a, const struct mck_finding *b, bool with_words) {
  if (a->check != b->check || a->rank != b->rank || a->count != b->count || a->nplaces != b->nplaces) return false;
  for (uint32_t i = 0; i < (with_words || a->nplaces < 3 ? a->nplaces : 2); i++) // the third: the fence, one of many
    if (a->places[i].rank != b->places[i].rank || a->places[i].site != b->places[i].site) return false;
  return !with_words || (!strcmp(a->text, b->text) && !strcmp(a->why ? a->why : "", b->why ? b->why : ""));
}

static bool are_same(const struct mck_findings *a, const struct mck_findings *b, bool with_words) {
  bool is_good = a->count == b->count;
  for (size_t i = 0; i < a->count && is_good; i++) {
    is_good = false;
    for (size_t k = 0; k < b->count && !is_good; k++) is_good = is_same(&a->items[i], &b->items[k], with_words);
  }
  return is_good;
}

// The findings of the run without cuts, and those of the cuts and what came behind them.
static void compare(struct mck_findings *whole, uint64_t seed, int round) {
  // Where several pairs of one place differ, the words are those of the first that was judged.
  if (!are_same(whole, &early, !with_few_sites)) {
    printf("seed %llu round %d: %zu findings whole, %zu cut\n", (unsigned long long)seed, round, whole->count,
           early.count);
    if (!failures++) printf("whole:\n"), fake_print(whole), printf("cut:\n"), fake_print(&early);
  }
  mck_findings_free(whole);
  mck_findings_free(&early);
}

static void judge_processes(bool is_complete, struct mck_findings *found) {
  struct fake logs[RANKS];
  for (int r = 0; r < RANKS; r++) logs[r] = processes[r].log;
  fake_judge(logs, RANKS, is_complete, found);
}

static void check_cuts(uint64_t seed) {
  for (int round = 0; round < 1500; round++) {
    bool is_decided = round % 3, is_complete = round % 4;
    struct mck_findings whole = {0}, rest = {0};
    early = (struct mck_findings){0};
    with_few_sites = round & 1;
    state = seed + (uint64_t)round;
    after_step = NULL;
    simulate(is_decided);
    judge_processes(is_complete, &whole);
    state = seed + (uint64_t)round;
    cut_state = seed ^ (uint64_t)round << 20;
    cut_every = 1 + (uint32_t)round % 40;
    after_step = cut_processes;
    simulate(is_decided);
    after_step = NULL;
    judge_processes(is_complete, &rest);
    mck_findings_merge(&early, &rest);
    compare(&whole, seed, round);
  }
  printf("%llu cuts, %llu units before, %llu after\n", (unsigned long long)ncuts, (unsigned long long)units_before,
         (unsigned long long)units_after);
}

// --- collectives and fences ------------------------------------------------------------------------------------------
static struct fake plain[RANKS];
static bool is_cutting;

static void begin_plain(void) {
  for (uint32_t r = 0; r < RANKS; r++) {
    fake_begin(&plain[r], r, RANKS);
    struct mck_range reversed[RANKS];
    for (uint32_t i = 0; i < RANKS; i++) reversed[i] = (struct mck_range){RANKS - 1 - i, 1};
    fake_comm(&plain[r], 1, 200, RANKS - 1 - r, reversed, RANKS, RANKS, 0);
    fake_win(&plain[r], 0, 0, 300, 4, 64, "halo");
    fake_win(&plain[r], 1, 0, 301, 4, 64, "");
  }
}

static void cut_plain(void) {
  struct mck_pending pending[RANKS] = {{NULL, 0}};
  struct mck_remaining_log remaining[RANKS];
  if (!is_cutting) return;
  cut_all(plain, RANKS, pending, remaining);
  for (int r = 0; r < RANKS; r++) mck_remaining_log_free(&remaining[r]);
}

static void compare_plain(void (*run)(void), uint64_t seed, int round, bool is_complete) {
  struct mck_findings whole = {0}, rest = {0};
  early = (struct mck_findings){0};
  for (int pass = 0; pass < 2; pass++) {
    state = seed + (uint64_t)round;
    cut_state = seed ^ (uint64_t)round << 20;
    is_cutting = pass == 1;
    next_site = 0;
    begin_plain();
    run();
    fake_judge(plain, RANKS, is_complete, pass ? &rest : &whole);
  }
  mck_findings_merge(&early, &rest);
  compare(&whole, seed, round);
}

// Ranks are anywhere in their communicator's sequence at a cut; now and then one names another root, or leaves one out.
static void run_collectives(void) {
  uint32_t at[RANKS] = {0}, n = 1 + below(60), wrong = below(4) ? UINT32_MAX : below(n), odd = below(RANKS),
           kind = below(3);
  uint32_t calls[64];
  for (uint32_t i = 0; i < n; i++) calls[i] = below(4);
  for (uint32_t left = n * RANKS; left > 0;) {
    uint32_t r = below(RANKS);
    if (at[r] < n) {
      uint32_t call = calls[at[r]], site = new_site(), comm = call & 1;
      bool is_wrong = at[r]++ == wrong && r == odd;
      left--;
      if (is_wrong && kind == 0) continue;
      uint16_t fn = call & 2 ? MCK_FN_MPI_Bcast : MCK_FN_MPI_Barrier;
      fake_collective(&plain[r], is_wrong && kind == 1 ? MCK_FN_MPI_Allreduce : fn, site, comm,
                      !(call & 2) ? -1
                      : is_wrong  ? 1
                                  : 0);
    }
    if (!cut_below(20)) cut_plain();
  }
}

static void barrier(uint32_t site) {
  for (int r = 0; r < RANKS; r++) fake_collective(&plain[r], MCK_FN_MPI_Barrier, site, 0, -1);
  if (!cut_below(2)) cut_plain();
}

// Two windows, their fences interleaved; operations, accesses and messages that may order them; cuts within epochs.
static void run_epochs(void) {
  // A window that is also locked is left alone (rma.c).
  for (uint32_t r = 0, is_locked = !below(6); is_locked && r < RANKS; r++)
    fake_event(&plain[r], (struct mck_event){.kind = MCK_EV_SYNC, .fn = MCK_FN_MPI_Win_lock, .sync = {.win = 1}});
  for (int step = 0; step < 150; step++) {
    uint32_t r = below(RANKS), q = below(RANKS), win = below(2), what = below(12), kind = below(3);
    uint32_t site = 16 * new_site() + (what < 4 ? kind : what < 6 ? 3 + !!kind : what); // a site makes one kind of call
    if (what < 4)
      fake_rma(&plain[r], (uint8_t)(MCK_EV_PUT + kind), MCK_OP_SUM, site, win, (int)q, below(12), 1 + below(3),
               MCK_BASIC_INT);
    else if (what < 6)
      fake_access(&plain[r], kind ? MCK_ACCESS_STORE : 0, site, win, 4 * below(12), 4, 1 + below(3), 4);
    else if (what < 8) {
      fake_send(&plain[r], MCK_FN_MPI_Send, site, 0, (int)q, 1, MCK_BASIC_INT, 1);
      fake_recv(&plain[q], MCK_FN_MPI_Recv, site, 0, (int)r, 1, MCK_BASIC_INT, 1);
    } else if (what < 10)
      for (int i = 0; i < RANKS; i++) fake_fence(&plain[i], site, win);
    else if (what == 10) barrier(site);
  }
}

// A request that is freed while it is being cancelled: whether it took the first message is not known (MPI-3.1 3.8.4),
// and so it is not known which message the next receive gets, before a cut and after it.
static void run_cancelled(void) {
  uint8_t unknown = MCK_FLAG_NONBLOCKING | MCK_FLAG_CANCELLED | MCK_FLAG_MATCHED;
  fake_send(&plain[0], MCK_FN_MPI_Send, 1, 0, 1, 5, MCK_BASIC_INT, 1);
  fake_message(&plain[1], MCK_EV_RECV, unknown, MCK_FN_MPI_Irecv, 2, 0, 0, 5, MCK_BASIC_INT, 1);
  cut_plain();
  fake_send(&plain[0], MCK_FN_MPI_Send, 3, 0, 1, 5, MCK_BASIC_DOUBLE, 1);
  fake_recv(&plain[1], MCK_FN_MPI_Recv, 4, 0, 0, 5, MCK_BASIC_DOUBLE, 1);
  cut_plain();
}

static void measure_cut(void) {
  enum { EACH = 500000 };
  struct fake logs[2];
  for (uint32_t r = 0; r < 2; r++) fake_begin(&logs[r], r, 2);
  for (uint32_t i = 0; i < EACH; i++)
    for (uint32_t r = 0; r < 2; r++) {
      fake_send(&logs[r], MCK_FN_MPI_Send, 1, 0, (int)!r, (int)i % 8, MCK_BASIC_INT, 1);
      fake_recv(&logs[r], MCK_FN_MPI_Recv, 2, 0, (int)!r, (int)i % 8, MCK_BASIC_INT, 1);
    }
  struct mck_pending pending[2] = {{NULL, 0}};
  struct mck_remaining_log remaining[2];
  struct timespec a, b;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
  cut_all(logs, 2, pending, remaining);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
  printf("a cut of 2 logs of %d events: %.1f ns an event, %zu units stay\n", 2 * EACH,
         ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / (4.0 * EACH), remaining[0].count);
  EXPECT(remaining[0].count < 50);
  for (int r = 0; r < 2; r++) mck_remaining_log_free(&remaining[r]), fake_end(&logs[r], NULL);
  mck_findings_free(&early);
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)time(NULL);
  printf("seed %llu\n", (unsigned long long)seed);
  (void)match_main;
  check_cuts(seed);
  for (int round = 0; round < 1500; round++) {
    with_few_sites = round & 1;
    compare_plain(run_collectives, seed, round, round % 5);
    compare_plain(run_epochs, seed, round, true);
  }
  compare_plain(run_cancelled, seed, 0, true);
  printf("%llu cuts\n", (unsigned long long)ncuts);
  measure_cut();
  return failures != 0;
}
