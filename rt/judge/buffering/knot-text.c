// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words for the knots of a rerun (knot-text.h).
#include "judge/buffering/knot-text.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "base/rank-span.h"
#include "log/signature.h"

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
    char span[MCK_RANK_SPAN];
    say(t, "%s%s", i ? "," : "", mck_rank_span(span, ranks[i], ranks[last]));
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
    if (is_there[i] && i != log) ranks[n++] = mck_knot_rank(r, i);
  if (!n) say(t, " for itself");
  else {
    say(t, is_any && n > 1 ? " for any of " : " for ");
    say_ranks(t, ranks, n);
  }
  free(ranks);
  free(is_there);
}

static bool has_send(struct mck_standstill *s, uint32_t knot) {
  uint32_t op;
  for (uint32_t i = 0; i < s->rerun->n; i++)
    if (mck_knot_has(s, i, knot) && mck_standstill_send(s, i, knot, 0, &op)) return true;
  return false;
}

static void say_headline(struct mck_finding *f, struct mck_standstill *s, uint32_t knot, uint32_t nmembers) {
  const struct mck_rerun *r = s->rerun;
  bool is_collective = f->check == MCK_CHECK_DEADLOCK_COLLECTIVE, is_buffering = has_send(s, knot);
  struct text t = {.used = 0};
  say(&t, "deadlock if %s%s%s: ", is_collective ? "collectives synchronize" : "",
      is_collective && is_buffering ? " and " : "", is_buffering ? "standard sends are not buffered" : "");
  if (nmembers == 1) say(&t, "1 rank waits for itself: ");
  else say(&t, "%u ranks wait for each other: ", nmembers);
  uint8_t *is_named = calloc(r->n + 1, 1);
  uint32_t *ranks = malloc((r->n + 1) * sizeof *ranks);
  bool is_first = true;
  for (uint32_t i = 0; is_named && ranks && i < r->n; i++) {
    if (is_named[i] || !mck_knot_has(s, i, knot)) continue;
    size_t n = 0;
    for (uint32_t k = i; k < r->n; k++)
      if (mck_knot_has(s, k, knot) && mck_knot_call(r, k)->fn == mck_knot_call(r, i)->fn && (k == i || nmembers > 4))
        is_named[k] = 1, ranks[n++] = mck_knot_rank(r, k);
    say(&t, "%s%s on ", is_first ? "" : ", ", name_of(mck_knot_call(r, i)));
    say_ranks(&t, ranks, n);
    is_first = false;
  }
  free(is_named);
  free(ranks);
  mck_finding_text(f, "%s", t.bytes);
}

// The members of the knot that enter a collective only behind it.
static void add_late_entries(struct mck_finding *f, struct mck_standstill *s, uint32_t knot) {
  struct mck_rerun *r = s->rerun;
  for (uint32_t i = 0; i < r->n; i++) {
    if (!mck_knot_has(s, i, knot) || !mck_rerun_assumes(r, i)) continue;
    for (uint32_t k = 0, op; k < r->n && f->nplaces < MCK_PLACES_MAX; k++) {
      if (!mck_knot_has(s, k, knot) || (op = mck_standstill_late_entry(s, i, k)) == MCK_NONE) continue;
      const struct mck_event *e = &r->logs[k].reader->events[op];
      mck_finding_place(f, (int)mck_knot_rank(r, k), e->site, "rank %u calls %s only behind that", mck_knot_rank(r, k),
                        name_of(e));
    }
    return;
  }
}

// Adds the calls of the knot as places and then, as far as there is room, what comes too late: entries, and receives.
static void add_places(struct mck_finding *f, struct mck_standstill *s, uint32_t knot) {
  struct mck_rerun *r = s->rerun;
  for (uint32_t i = 0; i < r->n && f->nplaces < MCK_PLACES_MAX; i++) {
    if (!mck_knot_has(s, i, knot)) continue;
    const struct mck_reader *log = r->logs[i].reader;
    const struct mck_event *e = mck_knot_call(r, i);
    struct text t = {.used = 0};
    uint32_t op = 0;
    say(&t, "rank %u would wait in ", mck_knot_rank(r, i));
    say_call(&t, log, e);
    if (e->kind != MCK_EV_SEND && mck_standstill_send(s, i, knot, 0, &op) && log->events[op].site != MCK_NONE) {
      say(&t, " of ");
      say_message(&t, log, &log->events[op]);
    }
    say_targets(&t, s, i);
    mck_finding_place(f, (int)mck_knot_rank(r, i), e->site, "%s", t.bytes);
  }
  if (f->check == MCK_CHECK_DEADLOCK_COLLECTIVE) add_late_entries(f, s, knot);
  for (uint32_t i = 0, op; i < r->n && f->nplaces < MCK_PLACES_MAX; i++) {
    if (!mck_knot_has(s, i, knot) || !mck_standstill_send(s, i, knot, 0, &op)) continue;
    struct mck_pair of = r->whole->pairs->of[i][op];
    const struct mck_event *receive = &r->logs[of.log].reader->events[of.index];
    mck_finding_place(f, (int)mck_knot_rank(r, of.log), receive->site,
                      "rank %u receives rank %u's message only behind that, in %s", mck_knot_rank(r, of.log),
                      mck_knot_rank(r, i), name_of(receive));
  }
}

static void say_why(struct mck_finding *f, struct mck_standstill *s, uint32_t knot) {
  struct mck_rerun *r = s->rerun;
  uint64_t smallest = UINT64_MAX;
  bool is_wild = false;
  for (uint32_t i = 0; i < r->n; i++) {
    if (!mck_knot_has(s, i, knot)) continue;
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
  if (f->check == MCK_CHECK_DEADLOCK_COLLECTIVE)
    mck_finding_why(f, "here a collective returned before all ranks had called it: it may also wait for all, and a "
                       "program must be right in both cases (MPI-3.1 5.14)");
  if (is_wild) mck_finding_why(f, "wildcard receives match as they did in this run");
}

void mck_knot_describe(struct mck_finding *f, struct mck_standstill *s, uint32_t knot, uint32_t nmembers) {
  say_headline(f, s, knot, nmembers);
  add_places(f, s, knot);
  say_why(f, s, knot);
}
