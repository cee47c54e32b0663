// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the deadlocks that buffered sends hide, or collectives that did not synchronize, and makes findings of them
// (unsafe-send.h).
#include "judge/buffering/unsafe-send.h"
#include <stdlib.h>
#include "judge/buffering/knot-text.h"
#include "report/why.h"

enum {
  CAUSES_MAX = 16,     // limit of findings
  INSTANCES_MAX = 8,   // of one cause: then its sends are always buffered, because a loop of exchanges is one cause
  STEPS_PER_EVENT = 8, // limit of steps for looking through logs because of wildcards
};

struct cause {
  uint64_t hash;
  size_t finding;
  uint32_t count;
};
struct search {
  const struct mck_whole *whole;
  struct cause causes[CAUSES_MAX];
  uint32_t ncauses;
  uint64_t budget;
  uint64_t nuncertain;  // sends and collectives that were released where nothing was certain
  enum mck_check check; // what the knots are that are looked at: of buffered sends, or of collectives
};

// --- equal causes ---
// A hash of the contents of a call stack: site numbers of different logs are unrelated.
static uint64_t hash_site(const struct mck_reader *log, uint32_t site) {
  if (site >= log->nstacks || !log->stacks[site].frames) return 0;
  const struct mck_stack_def *stack = &log->stacks[site];
  uint64_t hash = stack->depth;
  for (uint32_t i = 0; i < stack->depth; i++) {
    uint64_t module = stack->frames[i] >> 48, words[2] = {stack->frames[i] & 0xffffffffffffu, module};
    if (module < log->nmodules && log->modules[module].path)
      words[1] = mck_base_hash(log->modules[module].path, log->modules[module].path_length, 1);
    hash = mck_base_hash(words, sizeof words, hash);
  }
  return hash;
}

static int compare_words(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

// A hash of the set of places that stand still: the same code on other ranks is the same cause.
static uint64_t hash_knot(const struct mck_standstill *s, uint32_t knot, enum mck_check check) {
  const struct mck_rerun *r = s->rerun;
  uint64_t *hashes = malloc((r->n + 1) * sizeof *hashes), hash = check, last = 0;
  size_t count = 0;
  if (!hashes) return 0;
  for (uint32_t i = 0; i < r->n; i++)
    if (mck_knot_has(s, i, knot)) {
      const struct mck_event *e = mck_knot_call(r, i);
      uint64_t words[2] = {hash_site(r->logs[i].reader, e->site), e->fn};
      hashes[count++] = mck_base_hash(words, sizeof words, 0);
    }
  qsort(hashes, count, sizeof *hashes, compare_words);
  for (size_t i = 0; i < count; i++) {
    if (i && hashes[i] == last) continue;
    last = hashes[i];
    hash = mck_base_hash(&last, sizeof last, hash);
  }
  free(hashes);
  return hash;
}

static struct cause *find_cause(struct search *search, uint64_t hash) {
  for (uint32_t i = 0; i < search->ncauses; i++)
    if (search->causes[i].hash == hash) return &search->causes[i];
  return NULL;
}

static void report(struct search *search, struct mck_standstill *s, uint32_t knot, uint32_t nmembers, uint64_t hash) {
  struct cause *known = find_cause(search, hash);
  if (known) {
    known->count++; // not the count of the finding, which would depend on when we stop looking
    return;
  }
  if (search->ncauses == CAUSES_MAX) return;
  uint32_t first = 0;
  while (!mck_knot_has(s, first, knot)) first++;
  struct mck_finding *f = mck_findings_add(search->whole->findings, search->check, (int)mck_knot_rank(s->rerun, first));
  if (!f) return;
  search->causes[search->ncauses++] = (struct cause){hash, (size_t)(f - search->whole->findings->items), 1};
  mck_why(
      search->check,
      "in the rerun with synchronous sends %u ranks, rank %u among them, form a knot of the wait-for graph: a %s of "
      "the knot has to wait for a %s that comes only behind the knot",
      nmembers, mck_knot_rank(s->rerun, first), search->check == MCK_CHECK_DEADLOCK_COLLECTIVE ? "collective" : "send",
      search->check == MCK_CHECK_DEADLOCK_COLLECTIVE ? "call of another member" : "receive");
  mck_knot_describe(f, s, knot, nmembers);
}

// Releases the sends of one log, for good when this cause was seen often enough.
static bool let_go_sends(struct mck_standstill *s, uint32_t log, uint32_t knot, bool is_for_good) {
  uint32_t op;
  if (!mck_standstill_send(s, log, knot, 0, &op)) return false;
  for (uint32_t k = 0; is_for_good && mck_standstill_send(s, log, knot, k, &op);) {
    // A buffered send is not waited for any more: the next one then has the same number.
    if (!mck_rerun_buffer(s->rerun, log, s->rerun->logs[log].reader->events[op].site)) k++;
  }
  mck_rerun_release(s->rerun, log);
  return true;
}

static bool let_go_collective(struct mck_standstill *s, uint32_t log, bool is_for_good) {
  if (!mck_rerun_assumes(s->rerun, log)) return false;
  if (is_for_good) mck_rerun_buffer(s->rerun, log, mck_knot_call(s->rerun, log)->site);
  mck_rerun_release(s->rerun, log);
  return true;
}

static bool let_go(const struct search *search, struct mck_standstill *s, uint32_t log, uint32_t knot,
                   bool is_for_good) {
  return search->check == MCK_CHECK_DEADLOCK_COLLECTIVE ? let_go_collective(s, log, is_for_good)
                                                        : let_go_sends(s, log, knot, is_for_good);
}

static bool judge_knot(struct search *search, struct mck_standstill *s, uint32_t knot) {
  struct mck_rerun *r = s->rerun;
  uint32_t nmembers = 0, op;
  bool is_unsafe = false, is_collective = search->check == MCK_CHECK_DEADLOCK_COLLECTIVE;
  for (uint32_t i = 0; i < r->n; i++) {
    if (!mck_knot_has(s, i, knot)) continue;
    nmembers++;
    is_unsafe = is_unsafe || (is_collective ? mck_rerun_assumes(r, i) : mck_standstill_send(s, i, knot, 0, &op));
  }
  if (!nmembers || !is_unsafe) return false;
  uint64_t hash = hash_knot(s, knot, search->check);
  report(search, s, knot, nmembers, hash);
  const struct cause *cause = find_cause(search, hash);
  bool is_for_good = !cause || cause->count >= INSTANCES_MAX;
  for (uint32_t i = 0; i < r->n; i++)
    if (mck_knot_has(s, i, knot)) let_go(search, s, i, knot, is_for_good);
  return true;
}

// Nothing is certain here. The library has buffered some message, and its receiver went on, or a collective did not
// synchronize.
static bool let_go_all(struct search *search, struct mck_standstill *s) {
  bool is_moving = false;
  for (uint32_t i = 0; i < s->rerun->n; i++)
    if (let_go(search, s, i, UINT32_MAX, search->nuncertain >= INSTANCES_MAX)) is_moving = true, search->nuncertain++;
  if (is_moving)
    mck_why_not(search->check,
                "the rerun with synchronous sends stands still, but no knot has a standard send or a collective in it "
                "that must wait: what waits is released, and it goes on");
  return is_moving;
}

// What may be a knot is one of sends, if it is one without synchronizing collectives.
static bool judge_as(struct search *search, struct mck_rerun *r, enum mck_check check, bool is_synchronizing,
                     bool is_certain) {
  struct mck_standstill s;
  bool is_moving = false;
  search->check = check;
  bool is_taken = r->is_synchronizing;
  r->is_synchronizing = is_synchronizing;
  if (!mck_standstill_make(&s, r, &search->budget)) r->is_short = true;
  else if (!is_certain) is_moving = let_go_all(search, &s);
  else
    for (uint32_t knot = 0; knot < s.graph.nknots; knot++) is_moving |= judge_knot(search, &s, knot);
  mck_standstill_free(&s);
  r->is_synchronizing = is_taken;
  return is_moving;
}

static bool judge_standstill(struct mck_rerun *r, void *context) {
  struct search *search = context;
  bool has_both = r->is_synchronizing;
  return judge_as(search, r, MCK_CHECK_DEADLOCK_BUFFERING, false, true) ||
         (has_both && judge_as(search, r, MCK_CHECK_DEADLOCK_COLLECTIVE, true, true)) ||
         (has_both && judge_as(search, r, MCK_CHECK_DEADLOCK_COLLECTIVE, true, false)) ||
         judge_as(search, r, MCK_CHECK_DEADLOCK_BUFFERING, false, false);
}

void mck_whole_judge_sends(const struct mck_whole *whole) {
  if (whole->doubts & (MCK_DOUBT_THREADS | MCK_DOUBT_UNSEEN)) return;
  struct search search = {.whole = whole};
  for (size_t i = 0; i < whole->n; i++) search.budget += whole->logs[i].units * STEPS_PER_EVENT;
  struct mck_rerun rerun;
  if (!mck_rerun_run(&rerun, whole, mck_options.collectives_synchronize, judge_standstill, &search))
    mck_base_warn("out of memory: deadlocks that buffered sends hide are not looked for");
  else if (!search.ncauses)
    mck_why_not(MCK_CHECK_DEADLOCK_BUFFERING,
                "the rerun with synchronous sends found no cycle of ranks: %zu logs, %llu sends released where nothing "
                "was certain",
                whole->n, (unsigned long long)search.nuncertain);
}
