// RUN: %unit/test-judge-cut
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Incremental is whole: the random runs of test-judge-match, once whole and once cut at random moments, where what is
// settled leaves the logs, have the same findings; and so have hand-written collectives and fence epochs.
#define main match_main
#include "test-judge-match.c"
#undef main
#include "judge/cut.h"

static struct mck_findings early;   // of the cuts
static uint64_t cut_state, ncuts, units_before, units_after;
static uint32_t cut_every;

static uint32_t cut_below(uint32_t n) {
  cut_state = cut_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(cut_state >> 33) % n;
}

static void cut_all(struct fake *logs, uint32_t n, const struct mck_pending *pending, struct mck_carried *carried) {
  struct mck_reader readers[RANKS];
  struct mck_judge *judges[RANKS];
  struct mck_parcel from[RANKS + 1];
  struct mck_judge_run run = {n, false};
  struct mck_findings found = {0};
  for (uint32_t r = 0; r < n; r++) {
    fake_load(&logs[r], &readers[r]);
    judges[r] = mck_judge_index_cut(&readers[r], n, &pending[r]);
  }
  for (uint32_t r = 0; r < n; r++) mck_judge_parcels(judges[r]);
  for (uint32_t r = 0; r < n; r++) {
    for (uint32_t s = 0; s < n; s++) from[s] = mck_judge_parcels(judges[s])[r];
    mck_judge_decide(judges[r], from, &run, &found);
  }
  mck_findings_merge(&early, &found);
  for (uint32_t r = 0; r < n; r++)
    for (uint32_t s = 0; s < n; s++) EXPECT(mck_judge_take(judges[s], (int)r, &mck_judge_verdicts(judges[r])[s]));
  for (uint32_t r = 0; r < n; r++) EXPECT(mck_judge_carry(judges[r], &carried[r]));
  for (uint32_t r = 0; r < n; r++) {
    mck_judge_free(judges[r]);
    mck_log_unload(&readers[r]);
    units_before += logs[r].units;
    logs[r].units = 0;
    fake_units(&logs[r], carried[r].events, (uint32_t)carried[r].count);
    units_after += logs[r].units;
  }
  ncuts++;
}

static int compare_events(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static uint32_t moved(const struct mck_pending *pending, const struct mck_carried *carried, uint32_t event) {
  const uint32_t *at = bsearch(&event, pending->events, pending->count, sizeof event, compare_events);
  EXPECT(at && carried->moved[at - pending->events] != MCK_NONE);
  return at ? carried->moved[at - pending->events] : MCK_NONE;
}

static void cut_processes(void) {
  if (cut_below(cut_every)) return;
  static uint32_t events[RANKS][2 * STEPS];
  struct mck_pending pending[RANKS];
  struct mck_carried carried[RANKS];
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
  cut_all(logs, RANKS, pending, carried);
  for (int r = 0; r < RANKS; r++) {
    struct process *p = &processes[r];
    p->log = logs[r];
    for (int i = 0; i < p->nposted; i++) p->posted[i].event = moved(&pending[r], &carried[r], p->posted[i].event);
    for (int i = 0; i < p->nprobed; i++) p->probed[i].event = moved(&pending[r], &carried[r], p->probed[i].event);
    mck_carried_free(&carried[r]);
  }
}

static bool is_same(const struct mck_finding *a, const struct mck_finding *b, bool with_words) {
  if (a->check != b->check || a->rank != b->rank || a->count != b->count || a->nplaces != b->nplaces) return false;
  for (uint32_t i = 0; i < a->nplaces; i++)
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
    // Where several pairs of one place differ, the words are those of the first that was judged.
    if (!are_same(&whole, &early, !with_few_sites)) {
      printf("seed %llu round %d: %zu findings whole, %zu cut\n", (unsigned long long)seed, round, whole.count, early.count);
      if (!failures++) printf("whole:\n"), fake_print(&whole), printf("cut:\n"), fake_print(&early);
    }
    mck_findings_free(&whole);
    mck_findings_free(&early);
  }
  printf("%llu cuts, %llu units before, %llu after\n", (unsigned long long)ncuts, (unsigned long long)units_before,
         (unsigned long long)units_after);
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)time(NULL);
  printf("seed %llu\n", (unsigned long long)seed);
  (void)match_main;
  check_cuts(seed);
  return failures != 0;
}
