// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes findings of the deadlocks that a search through other matches has found (predicted-deadlock.h).
#include "judge/prediction/predicted-deadlock.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "api/fns.h"
#include "base/own-command.h"
#include "judge/message/decision-file.h"
#include "judge/message/probe-receive.h"
#include "judge/prediction/match-search.h"
#include "report/why.h"

enum { FINDINGS_MAX = 16, RANKS_SHOWN = 4, MATCHES_SHOWN = 3 };

struct predicting {
  const struct mck_whole *whole;
  const struct mck_model *model;
  struct mck_predicted *predicted;
  size_t nfindings;
};

static uint32_t rank_of(const struct predicting *p, uint32_t log) { return p->whole->logs[log].header->rank; }
static struct mck_pair event_at(const struct predicting *p, struct mck_pair op) {
  return (struct mck_pair){op.log, p->model->logs[op.log].ops[op.index].index};
}
static const struct mck_event *event_of(const struct predicting *p, struct mck_pair op) {
  return &p->whole->logs[op.log].events[event_at(p, op).index];
}
static const char *fn_of(const struct mck_event *e) {
  return e->fn < MCK_FN_COUNT ? mck_fn_names[e->fn] : "an MPI call";
}

bool mck_predicted_has(const struct mck_predicted *p, uint32_t log, uint32_t site) {
  for (size_t i = 0; i < p->count; i++)
    if (p->places[i].log == log && p->places[i].index == site) return true;
  return false;
}

// --- text ---
struct text {
  char bytes[512];
  size_t used;
};
__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(t->bytes + t->used, sizeof t->bytes - t->used, format, list);
  va_end(list);
  if (n > 0) t->used = t->used + (size_t)n < sizeof t->bytes ? t->used + (size_t)n : sizeof t->bytes - 1;
}

static void add_call(struct text *t, const struct mck_event *e) {
  add(t, "%s", fn_of(e));
  bool is_send = e->kind == MCK_EV_SEND;
  if (!is_send && e->kind != MCK_EV_RECV && e->kind != MCK_EV_PROBE && e->kind != MCK_EV_MPROBE) return;
  if (!is_send && mck_event_any_source(e)) add(t, "(any source");
  else add(t, "(%s %d", is_send ? "destination" : "source", e->msg.peer);
  if (!is_send && mck_event_any_tag(e)) add(t, ", any tag)");
  else add(t, ", tag %d)", e->msg.tag);
}

static void say_match(struct mck_finding *f, const struct predicting *p, const struct mck_search_match *m) {
  struct text t = {.used = 0};
  add_call(&t, event_of(p, m->receive));
  mck_finding_why(f, "and then: %s of rank %u\x1a at %u:%u\x1a gets the message of rank %u", t.bytes,
                  rank_of(p, m->receive.log), rank_of(p, m->receive.log), event_of(p, m->receive)->site,
                  rank_of(p, m->send.log));
}

static bool is_waiting(const struct mck_deadlock *d, uint32_t log) {
  return d->graph->is_deadlocked[log] && d->graph->kinds[log] != MCK_WAITFOR_NEVER;
}
static struct mck_pair call_of(const struct mck_deadlock *d, uint32_t log) {
  return (struct mck_pair){log, d->state->entered[log] - 1};
}

static void say_waits(struct mck_finding *f, const struct predicting *p, const struct mck_deadlock *d) {
  uint32_t shown = 0, more = 0;
  for (uint32_t i = 0; i < d->state->model->n; i++) {
    if (!is_waiting(d, i)) continue;
    if (shown++ >= RANKS_SHOWN) {
      more++;
      continue;
    }
    const struct mck_event *e = event_of(p, call_of(d, i));
    struct text t = {.used = 0};
    add_call(&t, e);
    mck_finding_why(f, "rank %u would wait for ever in %s\x1a at %u:%u\x1a", rank_of(p, i), t.bytes, rank_of(p, i),
                    e->site);
  }
  if (more) mck_finding_why(f, "and %u more rank%s", more, more == 1 ? "" : "s");
}

static void say_help(struct mck_finding *f, const struct predicting *p, const struct mck_deadlock *d) {
  char command[512];
  size_t used = 0;
  for (size_t i = 0; i < d->nmatches; i++) {
    struct mck_pair receive = event_at(p, d->matches[i].receive), send = event_at(p, d->matches[i].send);
    int n = mck_decisions_take(p->whole, receive, send, command + used, sizeof command - used);
    if (n <= 0 || used + (size_t)n + 2 > sizeof command) return;
    used += (size_t)n;
    command[used++] = ',';
    command[used] = 0;
  }
  command[used - 1] = 0;
  mck_finding_help(f,
                   "make the program right whichever message comes first, or name the source or the tag; to prove it: "
                   "mpirun-check --take %s%s",
                   command, mck_own_command());
}

static void say_places(struct mck_finding *f, const struct predicting *p, const struct mck_deadlock *d) {
  const struct mck_search_match *m = &d->matches[0];
  const struct mck_event *e = event_of(p, m->receive), *other = event_of(p, m->send);
  struct mck_pair pair = p->model->logs[m->receive.log].ops[m->receive.index].pair;
  const struct mck_event *got = event_of(p, pair);
  mck_finding_place(f, (int)rank_of(p, m->receive.log), e->site, "%s by rank %u", fn_of(e), rank_of(p, m->receive.log));
  mck_finding_place(f, (int)rank_of(p, pair.log), got->site, "got: %s from rank %u", fn_of(got), rank_of(p, pair.log));
  mck_finding_place(f, (int)rank_of(p, m->send.log), other->site, "could have got: %s from rank %u", fn_of(other),
                    rank_of(p, m->send.log));
}

static void say(void *context, const struct mck_deadlock *d) {
  struct predicting *p = context;
  const struct mck_search_match *m = &d->matches[0];
  const struct mck_event *e = event_of(p, m->receive);
  uint32_t first = MCK_NONE;
  struct mck_pair place = {m->receive.log, e->site};
  if (mck_predicted_has(p->predicted, place.log, place.index) ||
      !MCK_PUSH(p->predicted->places, p->predicted->count, p->predicted->capacity, place))
    return;
  struct mck_finding *f = mck_findings_add(p->whole->findings, MCK_CHECK_DEADLOCK_ALTERNATIVE,
                                           (int)rank_of(p, m->receive.log));
  if (!f) return;
  p->nfindings++;
  f->severity = MCK_WARNING;
  for (uint32_t i = 0; i < p->model->n && first == MCK_NONE; i++)
    if (is_waiting(d, i)) first = i;
  mck_finding_text(f, "the program deadlocks if another message comes to a wildcard receive, and all ranks go on as in "
                      "this run");
  say_places(f, p, d);
  for (size_t i = 1; i < d->nmatches && i <= MATCHES_SHOWN; i++) say_match(f, p, &d->matches[i]);
  say_waits(f, p, d);
  say_help(f, p, d);
  mck_why(MCK_CHECK_DEADLOCK_ALTERNATIVE,
          "%s of rank %u (event %u) gets event %u of rank %u, %zu other matches in all: no rank that waits can go on",
          fn_of(e), rank_of(p, m->receive.log), event_at(p, m->receive).index, event_at(p, m->send).index,
          rank_of(p, m->send.log), d->nmatches);
}

// One finding for each place of a receive.
static bool is_wanted(void *context, struct mck_pair receive, struct mck_pair send) {
  const struct predicting *p = context;
  (void)send;
  return p->nfindings < FINDINGS_MAX && !mck_predicted_has(p->predicted, receive.log, event_of(p, receive)->site);
}

// --- is there anything to search for? ---
static bool is_trusted(const struct mck_whole *w) {
  // Locks and other worlds order what the model does not know.
  return w->run.is_complete && !w->doubts && !(w->needs & (MCK_WHOLE_RMA | MCK_WHOLE_WORLDS | MCK_WHOLE_CUT));
}

enum { FEW = 16 };
static bool competes(const struct mck_whole *w) {
  bool is_single = mck_options.single_path, has_synchronous = false, is_found = false;
  for (size_t i = 0; i < w->n; i++) has_synchronous |= w->pairs->facts[i].has_synchronous;
  for (size_t i = 0; i < w->n && !is_found; i++) {
    const struct mck_reader *r = &w->logs[i];
    struct mck_model_patterns patterns = {.log = r};
    size_t count = 0;
    for (uint64_t k = 0; w->pairs->facts[i].nwilds && k < r->units && !is_found; k += mck_event_units(&r->events[k])) {
      mck_model_note(&patterns, &r->events[k], is_single);
      // In most programs the first few patterns tell it.
      if (patterns.count != count && patterns.count <= FEW) is_found = mck_model_competes(&patterns);
      count = patterns.count;
    }
    // Which of two synchronous senders goes on makes a difference, too.
    is_found |= mck_model_competes(&patterns) || (has_synchronous && patterns.has_choice);
    mck_model_forget(&patterns);
  }
  return is_found;
}

bool mck_predict_needs_pairs(const struct mck_plain_run *plain_run, const struct mck_reader *logs) {
  bool is_found = false;
  for (size_t i = 0; mck_options.predict && i < plain_run->n && !is_found; i++) {
    const struct mck_plain_log *log = &plain_run->of[i];
    struct mck_model_patterns patterns = {.log = &logs[i]};
    bool may_be_unread = false; // the status of some call
    for (uint32_t k = 0; k < logs[i].nstacks; k++)
      may_be_unread |= logs[i].stacks[k].status & MCK_TOLD_KNOWN && !(logs[i].stacks[k].status & MCK_TOLD_SOURCE);
    for (size_t k = MCK_CODE_WORD; log->wild && k < log->nwords; k++) {
      struct mck_event e = log->words[k];
      // The next call completes it, so it is as good as blocking. That call gets the status.
      if (!may_be_unread) e.flags &= (uint8_t)~MCK_FLAG_NONBLOCKING;
      mck_model_note(&patterns, &e, mck_options.single_path);
    }
    is_found = mck_model_competes(&patterns);
    mck_model_forget(&patterns);
  }
  return is_found;
}

// How much of the logs is searched, in units of them. Both are counted, not measured, so the same run has the same
// findings. A unit costs some 100 ns in the model. The search enters each call a few times, at 20 to 40 ns. A share of
// the logs keeps its share of a long run's time.
enum { SHARE = 32, STEPS_A_UNIT = 4 };
static uint64_t units_of(const struct mck_whole *w) {
  uint64_t units = 0;
  for (size_t i = 0; i < w->n; i++) units += w->logs[i].units;
  return (uint64_t)mck_options.predict * 1000 / STEPS_A_UNIT + units / SHARE;
}

void mck_predict_deadlocks(const struct mck_whole *whole, struct mck_predicted *predicted) {
  if (!mck_options.predict || !is_trusted(whole) || !competes(whole)) return;
  struct mck_model model;
  struct predicting p = {.whole = whole, .model = &model, .predicted = predicted};
  const struct mck_search_sink sink = {.context = &p, .deadlock = say, .is_wanted = is_wanted};
  struct mck_search_counts counts = {0};
  enum mck_model_result made = mck_model_make(&model, whole, mck_options.single_path, units_of(whole));
  bool is_good = made != MCK_MODEL_NO_MEMORY;
  if (made == MCK_MODEL_MADE)
    is_good = mck_search_run(&model, mck_options.single_path, units_of(whole) * STEPS_A_UNIT, &sink, &counts);
  mck_model_free(&model);
  if (!is_good) mck_base_warn("out of memory: deadlocks with other matches are not looked for");
  else if (made != MCK_MODEL_MADE)
    mck_why_not(MCK_CHECK_DEADLOCK_ALTERNATIVE, "%s",
                made == MCK_MODEL_NO_CHOICE ? "whatever comes, all calls end"
                                            : "there are calls that are not followed");
  else
    mck_why_not(MCK_CHECK_DEADLOCK_ALTERNATIVE, "%llu states, %llu steps, %s", (unsigned long long)counts.states,
                (unsigned long long)counts.steps, counts.is_whole ? "which are all" : "then the search met its bound");
}
