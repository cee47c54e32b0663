// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the deadlocks that buffered sends hide, and makes findings of them (unsafe-send.h).
#include "judge/buffering/unsafe-send.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "judge/buffering/standstill.h"
#include "log/signature.h"
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
  uint64_t nuncertain; // sends that were released where nothing was certain
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

static bool is_member(const struct mck_standstill *s, uint32_t log, uint32_t knot) {
  return s->graph.knot[log] == knot;
}
static const struct mck_event *call_of(const struct mck_rerun *r, uint32_t log) {
  return &r->logs[log].reader->events[r->logs[log].at];
}

static int compare_words(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

// A hash of the set of places that stand still: the same code on other ranks is the same cause.
static uint64_t hash_knot(const struct mck_standstill *s, uint32_t knot) {
  const struct mck_rerun *r = s->rerun;
  uint64_t *hashes = malloc((r->n + 1) * sizeof *hashes), hash = 0, last = 0;
  size_t count = 0;
  if (!hashes) return 0;
  for (uint32_t i = 0; i < r->n; i++)
    if (is_member(s, i, knot)) {
      const struct mck_event *e = call_of(r, i);
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

// --- text ---
struct text {
  char bytes[1024];
  size_t used;
};
__attribute__((format(printf, 2, 3))) static void say(struct text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(t->bytes + t->used, sizeof t->bytes - t->used, format, list);
  va_end(list);
  if (n > 0) t->used = t->used + (size_t)n < sizeof t->bytes ? t->used + (size_t)n : sizeof t->bytes - 1;
}

static const char *name_of(const struct mck_event *e) {
  return e->fn < MCK_FN_COUNT ? mck_fn_names[e->fn] : "an MPI call";
}
static uint32_t rank_of(const struct mck_rerun *r, uint32_t log) { return r->logs[log].reader->header->rank; }

static uint64_t bytes_of(const struct mck_reader *log, const struct mck_event *e) {
  uint64_t size = 0, bytes;
  uint32_t type = e->msg.type;
  if (type < MCK_TYPE_USER) size = mck_basic_bytes(type);
  else if (type - MCK_TYPE_USER < log->ntypes && log->types[type - MCK_TYPE_USER].body)
    size = log->types[type - MCK_TYPE_USER].body->size;
  else if (e->msg.count) return UINT64_MAX;
  return __builtin_mul_overflow(size, e->msg.count, &bytes) || (!size && e->msg.count && type < MCK_TYPE_USER)
             ? UINT64_MAX
             : bytes;
}

static void say_message(struct text *t, const struct mck_reader *log, const struct mck_event *e) {
  say(t, "%s(%s %d, tag %d", name_of(e), e->kind == MCK_EV_SEND ? "destination" : "source", e->msg.peer, e->msg.tag);
  if (e->msg.comm) say(t, ", another communicator");
  uint64_t bytes = e->kind == MCK_EV_SEND ? bytes_of(log, e) : UINT64_MAX;
  if (bytes != UINT64_MAX) say(t, ", %" PRIu64 " bytes", bytes);
  say(t, ")");
}

static void say_call(struct text *t, const struct mck_reader *log, const struct mck_event *e) {
  if (e->kind == MCK_EV_SEND || e->kind == MCK_EV_RECV) say_message(t, log, e);
  else say(t, "%s", name_of(e));
}

static int compare_ranks(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}
static void say_ranks(struct text *t, uint32_t *ranks, size_t n) {
  qsort(ranks, n, sizeof *ranks, compare_ranks);
  say(t, n == 1 ? "rank " : "ranks ");
  for (size_t i = 0, shown = 0; i < n; i++, shown++) {
    size_t last = i;
    while (last + 1 < n && ranks[last + 1] <= ranks[last] + 1) last++;
    if (shown == 12) {
      say(t, ",...");
      return;
    }
    say(t, last > i ? "%s%u-%u" : "%s%u", i ? "," : "", ranks[i], ranks[last]);
    i = last;
  }
}

// Names the ranks that this rank waits for, without itself: the targets of its node, and those of shared nodes.
static void say_targets(struct text *t, const struct mck_standstill *s, uint32_t log) {
  const struct mck_rerun *r = s->rerun;
  const struct mck_waitfor *g = &s->graph;
  uint32_t *ranks = malloc((r->n + 1) * sizeof *ranks);
  uint8_t *is_there = calloc(r->n + 1, 1);
  bool is_any = g->kinds[log] == MCK_WAITFOR_ANY && g->first[log + 1] - g->first[log] > 1;
  size_t n = 0;
  for (uint32_t i = g->first[log]; ranks && is_there && i < g->first[log + 1]; i++) {
    uint32_t to = g->targets[i];
    if (to < r->n) is_there[to] = g->is_deadlocked[to];
    else
      for (uint32_t k = g->first[to]; k < g->first[to + 1]; k++)
        if (g->targets[k] != log) is_there[g->targets[k]] = g->is_deadlocked[g->targets[k]];
    is_any |= to >= r->n && g->kinds[to] == MCK_WAITFOR_ANY;
  }
  for (uint32_t i = 0; ranks && is_there && i < r->n; i++)
    if (is_there[i] && i != log) ranks[n++] = rank_of(r, i);
  if (!n) say(t, " for itself");
  else {
    say(t, is_any && n > 1 ? " for any of " : " for ");
    say_ranks(t, ranks, n);
  }
  free(ranks);
  free(is_there);
}

static void say_headline(struct mck_finding *f, const struct mck_standstill *s, uint32_t knot, uint32_t nmembers) {
  const struct mck_rerun *r = s->rerun;
  struct text t = {.used = 0};
  say(&t, "deadlock if standard sends are not buffered: ");
  if (nmembers == 1) say(&t, "1 rank waits for itself: ");
  else say(&t, "%u ranks wait for each other: ", nmembers);
  uint8_t *is_named = calloc(r->n + 1, 1);
  uint32_t *ranks = malloc((r->n + 1) * sizeof *ranks);
  bool is_first = true;
  for (uint32_t i = 0; is_named && ranks && i < r->n; i++) {
    if (is_named[i] || !is_member(s, i, knot)) continue;
    size_t n = 0;
    for (uint32_t k = i; k < r->n; k++)
      if (is_member(s, k, knot) && call_of(r, k)->fn == call_of(r, i)->fn && (k == i || nmembers > 4))
        is_named[k] = 1, ranks[n++] = rank_of(r, k);
    say(&t, "%s%s on ", is_first ? "" : ", ", name_of(call_of(r, i)));
    say_ranks(&t, ranks, n);
    is_first = false;
  }
  free(is_named);
  free(ranks);
  mck_finding_text(f, "%s", t.bytes);
}

// Adds the calls of the knot as places and then, as far as there is room, the receives that come too late.
static void add_places(struct mck_finding *f, struct mck_standstill *s, uint32_t knot) {
  struct mck_rerun *r = s->rerun;
  for (uint32_t i = 0; i < r->n && f->nplaces < MCK_PLACES_MAX; i++) {
    if (!is_member(s, i, knot)) continue;
    const struct mck_reader *log = r->logs[i].reader;
    const struct mck_event *e = call_of(r, i);
    struct text t = {.used = 0};
    uint32_t op = 0;
    say(&t, "rank %u would wait in ", rank_of(r, i));
    say_call(&t, log, e);
    if (e->kind != MCK_EV_SEND && mck_standstill_send(s, i, knot, 0, &op) && log->events[op].site != MCK_NONE) {
      say(&t, " of ");
      say_message(&t, log, &log->events[op]);
    }
    say_targets(&t, s, i);
    mck_finding_place(f, (int)rank_of(r, i), e->site, "%s", t.bytes);
  }
  for (uint32_t i = 0, op; i < r->n && f->nplaces < MCK_PLACES_MAX; i++) {
    if (!is_member(s, i, knot) || !mck_standstill_send(s, i, knot, 0, &op)) continue;
    struct mck_pair of = r->whole->pairs->of[i][op];
    const struct mck_event *receive = &r->logs[of.log].reader->events[of.index];
    mck_finding_place(f, (int)rank_of(r, of.log), receive->site,
                      "rank %u receives rank %u's message only behind that, in %s", rank_of(r, of.log), rank_of(r, i),
                      name_of(receive));
  }
}

static void say_why(struct mck_finding *f, struct mck_standstill *s, uint32_t knot) {
  struct mck_rerun *r = s->rerun;
  uint64_t smallest = UINT64_MAX;
  bool is_wild = false;
  for (uint32_t i = 0; i < r->n; i++) {
    if (!is_member(s, i, knot)) continue;
    is_wild |= r->logs[i].has_wild;
    for (uint32_t k = 0, op; mck_standstill_send(s, i, knot, k, &op) && k < 1000; k++) {
      uint64_t bytes = bytes_of(r->logs[i].reader, &r->logs[i].reader->events[op]);
      if (bytes < smallest) smallest = bytes;
    }
  }
  if (smallest != UINT64_MAX)
    mck_finding_why(f,
                    "the smallest message on the cycle has %" PRIu64
                    " byte%s: the program hangs where the library does not buffer that much",
                    smallest, smallest == 1 ? "" : "s");
  if (r->is_synchronizing) mck_finding_why(f, "collectives are taken to synchronize (option collectives_synchronize)");
  if (is_wild) mck_finding_why(f, "wildcard receives match as they did in this run");
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
  while (!is_member(s, first, knot)) first++;
  struct mck_finding *f = mck_findings_add(search->whole->findings, MCK_CHECK_DEADLOCK_BUFFERING,
                                           (int)rank_of(s->rerun, first));
  if (!f) return;
  search->causes[search->ncauses++] = (struct cause){hash, (size_t)(f - search->whole->findings->items), 1};
  mck_why(MCK_CHECK_DEADLOCK_BUFFERING,
          "in the rerun with synchronous sends %u ranks, rank %u among them, form a knot of the wait-for graph: a send "
          "of the knot has to wait for a receive that is posted only behind the knot",
          nmembers, rank_of(s->rerun, first));
  say_headline(f, s, knot, nmembers);
  add_places(f, s, knot);
  say_why(f, s, knot);
}

// Releases the sends of one log, for good when this cause was seen often enough.
static bool let_go(struct mck_standstill *s, uint32_t log, uint32_t knot, bool is_for_good) {
  uint32_t op;
  if (!mck_standstill_send(s, log, knot, 0, &op)) return false;
  for (uint32_t k = 0; is_for_good && mck_standstill_send(s, log, knot, k, &op);) {
    // A buffered send is not waited for any more: the next one then has the same number.
    if (!mck_rerun_buffer(s->rerun, log, s->rerun->logs[log].reader->events[op].site)) k++;
  }
  mck_rerun_release(s->rerun, log);
  return true;
}

static bool judge_knot(struct search *search, struct mck_standstill *s, uint32_t knot) {
  struct mck_rerun *r = s->rerun;
  uint32_t nmembers = 0, op;
  bool is_unsafe = false;
  for (uint32_t i = 0; i < r->n; i++) {
    if (!is_member(s, i, knot)) continue;
    nmembers++;
    is_unsafe = is_unsafe || mck_standstill_send(s, i, knot, 0, &op);
  }
  if (!nmembers || !is_unsafe) return false;
  uint64_t hash = hash_knot(s, knot);
  report(search, s, knot, nmembers, hash);
  const struct cause *cause = find_cause(search, hash);
  bool is_for_good = !cause || cause->count >= INSTANCES_MAX;
  for (uint32_t i = 0; i < r->n; i++)
    if (is_member(s, i, knot)) let_go(s, i, knot, is_for_good);
  return true;
}

static bool judge_standstill(struct mck_rerun *r, void *context) {
  struct search *search = context;
  struct mck_standstill s;
  bool is_moving = false;
  if (!mck_standstill_make(&s, r, &search->budget)) {
    r->is_short = true;
    mck_standstill_free(&s);
    return false;
  }
  for (uint32_t knot = 0; knot < s.graph.nknots; knot++) is_moving |= judge_knot(search, &s, knot);
  // Nothing is certain here. The library has buffered some message, and its receiver went on.
  bool is_certain = is_moving;
  if (!is_certain)
    mck_why_not(MCK_CHECK_DEADLOCK_BUFFERING,
                "the rerun with synchronous sends stands still, but no knot has a standard send in it that must wait: "
                "the sends that wait are buffered, and it goes on");
  for (uint32_t i = 0; i < r->n && !is_certain; i++)
    if (let_go(&s, i, UINT32_MAX, search->nuncertain >= INSTANCES_MAX)) is_moving = true, search->nuncertain++;
  mck_standstill_free(&s);
  return is_moving;
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
