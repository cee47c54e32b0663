// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two accesses that turns may order either way: is there a run in which they meet, both begun and neither over?
//
// The past of the two is what must have happened before they begin: what their ranks did before, and what they know of
// others. In the other run the ranks go no further than that. It has the turns in the order of this run, but for one
// thing: the turns that are held at the end are taken last, with all that comes behind them. That is possible unless
// one of the turns behind conflicts with one that is held. A turn that has read something has the same turns before it
// as in this run. That order no log has: so each of the two must let them meet.
#include "rma/possible-meeting.h"
#include <stdlib.h>
#include <string.h>

enum { FIXED_MAX = 10 };
static const uint64_t work_max = 1u << 24; // of a run, in visits of edges and sections

// Edges: behind event to of to_log it is known that event from of log was issued. A collective instance is a log of one
// event. All logs are one strand here, and so a line is a log.
struct mck_meeting_search {
  const struct mck_possible_order *order;
  const struct mck_rma_run *run;
  size_t nlogs, nedges; // nlogs: with the instances
  struct mck_possible_edge *by_source, *by_target;
  uint32_t *source_first, *target_first; // by log
  uint32_t *section_first;               // by log
  uint32_t *until;                       // by log: the past ends before this event
  uint32_t *low;                         // by log: what comes last begins with this event
  uint32_t *seen;                        // by log: until or low, as far as it was followed
  uint32_t *work;
  bool *is_waiting;
  size_t nwork;
  uint64_t visits;
  struct fixed {
    const struct mck_rma_section *first, *second;
  } fixed[FIXED_MAX]; // orders of turns
  uint32_t nfixed;
  struct mck_possible_access a, b;
};

static int compare_sources(const void *a, const void *b) {
  const struct mck_possible_edge *x = a, *y = b;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return x->from != y->from ? (x->from < y->from ? -1 : 1) : 0;
}
static int compare_targets(const void *a, const void *b) {
  const struct mck_possible_edge *x = a, *y = b;
  if (x->to_line != y->to_line) return x->to_line < y->to_line ? -1 : 1;
  return x->to != y->to ? (x->to < y->to ? -1 : 1) : 0;
}

void mck_meeting_close(struct mck_meeting_search *s) {
  if (!s) return;
  free(s->by_source), free(s->by_target), free(s->source_first), free(s->target_first), free(s->section_first);
  free(s->until), free(s->low), free(s->seen), free(s->work), free(s->is_waiting);
  free(s);
}

static void add_edges(struct mck_meeting_search *s, const struct mck_possible_order *c) {
  uint32_t instances = (uint32_t)s->run->nlogs;
  for (size_t i = 0; i < c->nedges; i++) {
    struct mck_possible_edge e = c->edges[i];
    if (e.to_line == MCK_NONE) e.to_line = instances + e.to, e.to = 0;
    s->by_source[s->nedges++] = e;
  }
  for (size_t i = 0; i < c->nexits; i++)
    s->by_source[s->nedges++] = (struct mck_possible_edge){instances + c->exits[i].instance, 1, c->exits[i].to_line,
                                                           c->exits[i].to};
  if (s->nedges) memcpy(s->by_target, s->by_source, s->nedges * sizeof *s->by_target);
  qsort(s->by_source, s->nedges, sizeof *s->by_source, compare_sources);
  qsort(s->by_target, s->nedges, sizeof *s->by_target, compare_targets);
  for (size_t i = 0; i < s->nedges; i++) s->source_first[s->by_source[i].line + 1]++;
  for (size_t i = 0; i < s->nedges; i++) s->target_first[s->by_target[i].to_line + 1]++;
  for (size_t i = 0; i < s->run->nsections; i++) s->section_first[s->run->sections[i].log + 1]++;
  for (size_t i = 0; i < s->nlogs; i++) {
    s->source_first[i + 1] += s->source_first[i], s->target_first[i + 1] += s->target_first[i];
    s->section_first[i + 1] += s->section_first[i];
  }
}

static struct mck_meeting_search *make_search(const struct mck_possible_order *c) {
  struct mck_meeting_search *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  size_t nedges = c->nedges + c->nexits + 1, n = c->run->nlogs + c->ninstances + 2;
  s->order = c, s->run = c->run, s->nlogs = c->run->nlogs + c->ninstances;
  s->by_source = calloc(nedges, sizeof *s->by_source), s->by_target = calloc(nedges, sizeof *s->by_target);
  s->source_first = calloc(n, sizeof *s->source_first), s->target_first = calloc(n, sizeof *s->target_first);
  s->section_first = calloc(n, sizeof *s->section_first), s->until = calloc(n, sizeof *s->until);
  s->low = calloc(n, sizeof *s->low), s->seen = calloc(n, sizeof *s->seen);
  s->work = calloc(n, sizeof *s->work), s->is_waiting = calloc(n, sizeof *s->is_waiting);
  if (!s->by_source || !s->by_target || !s->source_first || !s->target_first || !s->section_first || !s->until ||
      !s->low || !s->seen || !s->work || !s->is_waiting) {
    mck_meeting_close(s);
    return NULL;
  }
  add_edges(s, c);
  return s;
}

static void add_work(struct mck_meeting_search *s, uint32_t log) {
  if (s->is_waiting[log]) return;
  s->is_waiting[log] = true;
  s->work[s->nwork++] = log;
}
static bool is_too_much(const struct mck_meeting_search *s) { return s->visits > work_max; }
static uint32_t next_work(struct mck_meeting_search *s) {
  uint32_t log = s->work[--s->nwork];
  s->is_waiting[log] = false;
  return log;
}

// --- the past ---
static void extend(struct mck_meeting_search *s, uint32_t log, uint32_t until) {
  if (until > s->until[log]) s->until[log] = until, add_work(s, log);
}

static void follow_past(struct mck_meeting_search *s) {
  while (s->nwork) {
    uint32_t log = next_work(s), low = s->target_first[log], high = s->target_first[log + 1], end = high;
    while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (s->by_target[middle].to < s->seen[log]) low = middle + 1;
      else high = middle;
    }
    s->seen[log] = s->until[log];
    for (; low < end && s->by_target[low].to < s->until[log]; low++, s->visits++)
      extend(s, s->by_target[low].line, s->by_target[low].from);
    for (const struct fixed *f = s->fixed; f < s->fixed + s->nfixed; f++)
      if (f->second->log == log && f->second->acquired < s->until[log]) extend(s, f->first->log, f->first->released);
  }
}

static bool is_over(const struct mck_meeting_search *s, const struct mck_possible_access *a) {
  return a->over < MCK_NONE - 1 && s->until[a->log] > a->over;
}

// --- turns that have read something ---
static bool is_known_before(const struct mck_meeting_search *s, const struct mck_rma_section *x,
                            const struct mck_rma_section *y) {
  const struct mck_clock *clock = s->order->clocks[y - s->run->sections];
  uint32_t component = s->order->component[x->log];
  return clock && component != MCK_NONE && clock->known[component] > x->end;
}

static bool is_fixed(const struct mck_meeting_search *s, const struct mck_rma_section *x,
                     const struct mck_rma_section *y) {
  for (const struct fixed *f = s->fixed; f < s->fixed + s->nfixed; f++)
    if ((f->first == x && f->second == y) || (f->first == y && f->second == x)) return true;
  return is_known_before(s, x, y) || is_known_before(s, y, x);
}

static bool is_conflict(const struct mck_rma_section *x, const struct mck_rma_section *y) {
  return x->object == y->object && x->log != y->log && (x->is_exclusive || y->is_exclusive);
}

// Two turns that were over before, and that need not come last, are in the order of this run in any case.
static bool is_settled(const struct mck_meeting_search *s, const struct mck_rma_section *t) {
  return t->end < s->until[t->log] && t->end < s->low[t->log];
}

// A turn of the past that has read something, and another one of which it may have read, in an order that is not known
// and makes a difference.
static bool find_open_order(struct mck_meeting_search *s, const struct mck_rma_section **first,
                            const struct mck_rma_section **second) {
  const struct mck_rma_section *all = s->run->sections, *end = all + s->run->nsections;
  for (const struct mck_rma_section *t = all; t < end; t++) {
    if (is_too_much(s)) return false;
    if (!t->is_acquiring || t->heard >= s->until[t->log]) continue;
    for (const struct mck_rma_section *g = all; g < end; g++, s->visits++)
      if (g->is_releasing && is_conflict(g, t) && !(is_settled(s, g) && is_settled(s, t)) && !is_fixed(s, g, t)) {
        *first = g, *second = t;
        return true;
      }
  }
  return false;
}

// --- the turns that are held ---
static bool is_held(const struct mck_meeting_search *s, const struct mck_rma_section *t) {
  return t->is_lock && t->enter < s->until[t->log] && t->end >= s->until[t->log];
}

static void lower(struct mck_meeting_search *s, uint32_t log, uint32_t low) {
  if (low < s->low[log]) s->low[log] = low, add_work(s, log);
}

static void follow_edge(struct mck_meeting_search *s, uint32_t to_log, uint32_t to) {
  if (to < s->until[to_log]) lower(s, to_log, to + 1);
}

// All that comes behind, as far as it is in the past. A turn comes last as a whole.
static void follow_last(struct mck_meeting_search *s) {
  while (s->nwork) {
    uint32_t log = next_work(s), low = s->source_first[log], end = s->source_first[log + 1], high = end;
    for (uint32_t i = s->section_first[log]; i < s->section_first[log + 1] && !is_too_much(s); i++, s->visits++) {
      const struct mck_rma_section *t = &s->run->sections[i];
      if (t->is_lock && t->enter < s->low[log] && t->end >= s->low[log]) s->low[log] = t->enter;
    }
    while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (s->by_source[middle].from < s->low[log]) low = middle + 1;
      else high = middle;
    }
    for (; low < end && s->by_source[low].from <= s->seen[log]; low++, s->visits++)
      follow_edge(s, s->by_source[low].to_line, s->by_source[low].to);
    s->seen[log] = s->low[log];
    for (const struct fixed *f = s->fixed; f < s->fixed + s->nfixed; f++) {
      uint32_t given = f->first->is_lock ? f->first->end : f->first->enter; // with this event
      if (f->first->log == log && given >= s->low[log]) follow_edge(s, f->second->log, f->second->acquired);
    }
  }
}

static void put_last(struct mck_meeting_search *s) {
  const struct mck_rma_section *all = s->run->sections, *end = all + s->run->nsections;
  memset(s->seen, 0xff, s->nlogs * sizeof *s->seen);
  for (const struct mck_rma_section *t = all; t < end; t++)
    if (is_held(s, t)) lower(s, t->log, t->enter);
  follow_last(s);
}

static bool can_be_held(struct mck_meeting_search *s) {
  const struct mck_rma_section *all = s->run->sections, *end = all + s->run->nsections;
  for (const struct mck_rma_section *held = all; held < end; held++) {
    if (is_too_much(s)) return false;
    if (!is_held(s, held)) continue;
    for (const struct mck_rma_section *t = all; t < end; t++, s->visits++)
      if (t->is_lock && is_conflict(held, t) && t->enter < s->until[t->log] && t->enter >= s->low[t->log]) return false;
  }
  return true;
}

// No run has these orders: y comes before the first of another one, whose second comes before x.
static bool is_contrary(const struct mck_meeting_search *s, const struct mck_rma_section *x,
                        const struct mck_rma_section *y) {
  for (const struct fixed *f = s->fixed; f < s->fixed + s->nfixed; f++)
    if (f->first->log == y->log && y->acquired < f->first->released && f->second->log == x->log &&
        f->second->acquired < x->released)
      return true;
  return false;
}

static bool can_meet(struct mck_meeting_search *s);
static bool can_meet_if(struct mck_meeting_search *s, const struct mck_rma_section *x,
                        const struct mck_rma_section *y) {
  if (is_contrary(s, x, y)) return true;
  s->fixed[s->nfixed++] = (struct fixed){x, y};
  bool can = can_meet(s);
  s->nfixed--;
  return can;
}

static bool can_meet(struct mck_meeting_search *s) {
  const struct mck_rma_section *first, *second;
  if (is_too_much(s)) return false;
  memset(s->until, 0, s->nlogs * sizeof *s->until);
  memset(s->seen, 0, s->nlogs * sizeof *s->seen);
  memset(s->low, 0xff, s->nlogs * sizeof *s->low);
  for (uint32_t i = 0; i < s->run->nlogs; i++) {
    uint32_t cut = mck_order_cut(&s->run->readers[i]); // all that comes before it is the past of all
    if (cut != MCK_NONE) extend(s, i, cut);
  }
  extend(s, s->a.process, s->a.began), extend(s, s->b.process, s->b.began);
  follow_past(s);
  if (is_over(s, &s->a) || is_over(s, &s->b)) return false;
  for (uint32_t i = 0; i < s->run->nlogs; i++)
    if (s->until[i] > s->order->unknown[i]) return false;
  if (!find_open_order(s, &first, &second)) {
    put_last(s);
    if (!find_open_order(s, &first, &second)) return can_be_held(s);
  }
  if (s->nfixed == FIXED_MAX) return false;
  return can_meet_if(s, first, second) && can_meet_if(s, second, first);
}

bool mck_possible_can_meet(struct mck_possible_order *c, struct mck_possible_access a, struct mck_possible_access b) {
  if (c->is_short) return false;
  for (uint32_t i = 0; i < c->run->nlogs; i++)
    if (mck_rma_strands(c->run, i)) return false;
  if (!c->meeting) c->meeting = make_search(c);
  if (!c->meeting) return false;
  c->meeting->a = a, c->meeting->b = b, c->meeting->nfixed = 0;
  return can_meet(c->meeting);
}
