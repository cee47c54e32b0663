// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search goes over logs, not over events: for each log it finds the earliest event from which on the rank may know
// of the first access. That event only ever moves to the front, so each edge is looked at once in a search. Of the
// sections of one log about one object the first that may pass on the knowledge, and has read something itself, is
// enough: a section that may have come after a later one may have come after it.
#include "rma/possible-meeting.h"
#include <stdlib.h>
#include <string.h>

struct group {
  uint64_t object;
  uint32_t log, first, n;
}; // sections about one object in one log, in by_group
struct mck_possible_search {
  uint32_t *edge_first; // by log
  uint32_t *exit_first; // by instance
  uint32_t *by_group;   // numbers of sections
  struct group *groups;
  size_t ngroups;                      // by object, log
  uint32_t *group_order, *group_first; // groups by log
  uint32_t *earliest, *looked;         // by log
  uint32_t own, back;                  // own: a log of several strands that is asked about itself; MCK_NONE: none.
                                       // back: the earliest event in it from which on it may know by others
  uint32_t *work;
  size_t nwork;
  bool *is_waiting;
  bool *is_reached; // by instance
};

bool mck_possible_open(struct mck_possible_order *c, const struct mck_rma_run *run, const uint32_t *component,
                       const uint32_t *strands) {
  *c = (struct mck_possible_order){
      .run = run, .component = component, .strands = strands, .clocks = calloc(run->nsections + 1, sizeof *c->clocks)};
  c->unknown = malloc((run->nlogs + 1) * sizeof *c->unknown);
  if (c->unknown) memset(c->unknown, 0xff, (run->nlogs + 1) * sizeof *c->unknown);
  return c->clocks && c->unknown;
}

void mck_possible_add_edge(struct mck_possible_order *c, uint32_t log, uint32_t from, uint32_t to_log, uint32_t to) {
  if (c->run->nsections &&
      !MCK_PUSH(c->edges, c->nedges, c->edges_capacity, ((struct mck_possible_edge){log, from, to_log, to})))
    c->is_short = true;
}

void mck_possible_add_exit(struct mck_possible_order *c, uint32_t instance, uint32_t to_log, uint32_t to) {
  if (c->run->nsections &&
      !MCK_PUSH(c->exits, c->nexits, c->exits_capacity, ((struct mck_possible_exit){instance, to_log, to})))
    c->is_short = true;
}

static int compare_edges(const void *a, const void *b) {
  const struct mck_possible_edge *x = a, *y = b;
  if (x->log != y->log) return x->log < y->log ? -1 : 1;
  return x->from != y->from ? (x->from < y->from ? -1 : 1) : 0;
}

static int compare_exits(const void *a, const void *b) {
  const struct mck_possible_exit *x = a, *y = b;
  return x->instance != y->instance ? (x->instance < y->instance ? -1 : 1) : 0;
}

// --- making the search ---
static void free_search(struct mck_possible_search *s) {
  if (!s) return;
  free(s->edge_first), free(s->exit_first), free(s->by_group), free(s->groups), free(s->group_order),
      free(s->group_first);
  free(s->earliest), free(s->looked), free(s->work), free(s->is_waiting), free(s->is_reached);
  free(s);
}

static int compare_groups(const void *a, const void *b, void *context) {
  const struct mck_rma_section *sections = context, *x = &sections[*(const uint32_t *)a],
                               *y = &sections[*(const uint32_t *)b];
  if (x->object != y->object) return x->object < y->object ? -1 : 1;
  if (x->log != y->log) return x->log < y->log ? -1 : 1;
  return x->enter != y->enter ? (x->enter < y->enter ? -1 : 1) : 0;
}

static void make_groups(struct mck_possible_search *s, const struct mck_rma_run *run) {
  for (uint32_t i = 0; i < run->nsections; i++) s->by_group[i] = i;
  if (run->nsections) qsort_r(s->by_group, run->nsections, sizeof *s->by_group, compare_groups, run->sections);
  for (uint32_t i = 0; i < run->nsections; i++) {
    const struct mck_rma_section *t = &run->sections[s->by_group[i]];
    struct group *last = s->ngroups ? &s->groups[s->ngroups - 1] : NULL;
    if (last && last->object == t->object && last->log == t->log) last->n++;
    else s->groups[s->ngroups++] = (struct group){t->object, t->log, i, 1};
  }
  for (size_t i = 0; i < s->ngroups; i++) s->group_first[s->groups[i].log + 1]++;
  for (size_t i = 0; i < run->nlogs; i++) s->group_first[i + 1] += s->group_first[i];
  for (size_t i = 0; i < s->ngroups; i++) s->group_order[s->group_first[s->groups[i].log]++] = (uint32_t)i;
  for (size_t i = run->nlogs; i > 0; i--) s->group_first[i] = s->group_first[i - 1];
  s->group_first[0] = 0;
}

static struct mck_possible_search *make_search(struct mck_possible_order *c) {
  const struct mck_rma_run *run = c->run;
  struct mck_possible_search *s = calloc(1, sizeof *s);
  size_t n = run->nlogs + 2;
  if (!s) return NULL;
  s->edge_first = calloc(n, sizeof *s->edge_first),
  s->exit_first = calloc((size_t)c->ninstances + 2, sizeof *s->exit_first);
  s->by_group = calloc(run->nsections + 1, sizeof *s->by_group),
  s->groups = calloc(run->nsections + 1, sizeof *s->groups);
  s->group_order = calloc(run->nsections + 1, sizeof *s->group_order),
  s->group_first = calloc(n, sizeof *s->group_first);
  s->earliest = calloc(n, sizeof *s->earliest), s->looked = calloc(n, sizeof *s->looked),
  s->work = calloc(n, sizeof *s->work);
  s->is_waiting = calloc(n, sizeof *s->is_waiting),
  s->is_reached = calloc((size_t)c->ninstances + 1, sizeof *s->is_reached);
  if (!s->edge_first || !s->exit_first || !s->by_group || !s->groups || !s->group_order || !s->group_first ||
      !s->earliest || !s->looked || !s->work || !s->is_waiting || !s->is_reached) {
    free_search(s);
    return NULL;
  }
  if (c->nedges) qsort(c->edges, c->nedges, sizeof *c->edges, compare_edges);
  if (c->nexits) qsort(c->exits, c->nexits, sizeof *c->exits, compare_exits);
  for (size_t i = 0; i < c->nedges; i++) s->edge_first[c->edges[i].log + 1]++;
  for (size_t i = 0; i < run->nlogs; i++) s->edge_first[i + 1] += s->edge_first[i];
  for (size_t i = 0; i < c->nexits; i++) s->exit_first[c->exits[i].instance + 1]++;
  for (uint32_t i = 0; i < c->ninstances; i++) s->exit_first[i + 1] += s->exit_first[i];
  make_groups(s, run);
  return s;
}

// --- searching ---
static void lower(struct mck_possible_search *s, uint32_t log, uint32_t to) {
  if (log == s->own && to < s->back) s->back = to;
  if (to >= s->earliest[log]) return;
  s->earliest[log] = to;
  if (s->is_waiting[log]) return;
  s->is_waiting[log] = true;
  s->work[s->nwork++] = log;
}

static const struct mck_rma_section *section_at(const struct mck_possible_order *c, uint32_t i) {
  return &c->run->sections[c->search->by_group[i]];
}

// The giver has read something before the first access, or in any case on another rank: that the taker had not been
// there yet. In the other order it might have read something else and done something else.
static bool has_read(const struct mck_possible_order *c, const struct mck_rma_section *giver) {
  return giver->is_acquiring && giver->heard < (giver->log == c->from_log ? c->began : MCK_NONE - 1);
}

// Behind which event the taker knows of the giver, or the giver is over. A lock that is known to be held when another
// rank asks for it gives its holder the first turn in any run.
static uint32_t acquired_by(const struct mck_possible_order *c, uint32_t i, uint32_t log,
                            const struct mck_rma_section *giver) {
  const struct mck_rma_section *taker = section_at(c, i);
  const struct mck_clock *clock = c->clocks[c->search->by_group[i]];
  // Of strands the clock is that of one of them: what is unknown counts as an order.
  bool has_strands = mck_rma_strands(c->run, log) || mck_rma_strands(c->run, taker->log);
  bool is_certain = has_strands || (clock && c->component[log] != MCK_NONE &&
                                    (clock->may_know_all || clock->known[c->component[log]] > giver->enter));
  return c->way == MCK_POSSIBLE_TURN || is_certain || has_read(c, giver) ? taker->acquired : taker->heard;
}

// Which sections about one object, in the order of a log of several strands, one that was entered with this clock knows
// to be over: so many of the first ones.
static uint32_t skip_over(const struct mck_possible_order *c, const struct group *to, const struct mck_clock *clock) {
  const struct mck_strands *strands = mck_rma_strands(c->run, to->log);
  uint32_t low = to->first;
  if (!clock || !strands || c->strands[to->log] == MCK_NONE) return low;
  for (; low < to->first + to->n; low++) {
    uint32_t end = section_at(c, low)->end;
    if (end == MCK_NONE || clock->known[c->strands[to->log] + mck_strands_of(strands, end)] <= end) break;
  }
  return low;
}

// What a section releases, the sections about the same object in other logs may acquire, no earlier than the logs
// allow.
static void pass_on(struct mck_possible_order *c, const struct group *g, uint32_t from) {
  struct mck_possible_search *s = c->search;
  const struct mck_rma_section *giver = section_at(c, from);
  const struct mck_clock *clock = c->clocks[s->by_group[from]];
  size_t first = (size_t)(g - s->groups), last = first;
  while (first > 0 && s->groups[first - 1].object == g->object) first--;
  for (; last < s->ngroups && s->groups[last].object == g->object; last++);
  for (size_t i = first; i < last; i++) {
    const struct group *to = &s->groups[i];
    // All that is searched comes behind the first event, also in its own log. (Not where that has several strands: one
    // may take a lock that the program makes of atomic operations from another one.)
    if ((to->log == g->log || to->log == c->from_log) && to->log != s->own) continue;
    // Sections that were over when this one was entered came before it.
    uint32_t over = clock && c->component[to->log] != MCK_NONE ? clock->known[c->component[to->log]] : 0;
    uint32_t low = skip_over(c, to, clock), high = to->first + to->n;
    while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (section_at(c, middle)->end < over) low = middle + 1;
      else high = middle;
    }
    for (; low < to->first + to->n; low++) {
      const struct mck_rma_section *taker = section_at(c, low);
      uint32_t acquired = acquired_by(c, low, g->log, giver);
      if (taker == giver || !taker->is_acquiring || !(taker->is_exclusive || giver->is_exclusive) ||
          acquired >= MCK_NONE - 1)
        continue;
      lower(s, to->log, acquired + 1);
      break;
    }
  }
}

static void follow_sections(struct mck_possible_order *c, uint32_t log) {
  struct mck_possible_search *s = c->search;
  for (uint32_t k = s->group_first[log]; k < s->group_first[log + 1]; k++) {
    const struct group *g = &s->groups[s->group_order[k]];
    uint32_t low = g->first, high = g->first + g->n;
    while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (section_at(c, middle)->released < s->earliest[log]) low = middle + 1;
      else high = middle;
    }
    bool is_done[2][2] = {{false}}; // is_exclusive, has_read
    for (; low < g->first + g->n && !is_done[true][true]; low++) {
      const struct mck_rma_section *t = section_at(c, low);
      bool has = c->way == MCK_POSSIBLE_TURN || has_read(c, t);
      if (!t->is_releasing || t->released >= MCK_NONE - 1) continue;
      // An earlier one orders all that this one does.
      if (is_done[t->is_exclusive][has] || is_done[true][has] || is_done[t->is_exclusive][true]) continue;
      pass_on(c, g, low);
      is_done[t->is_exclusive][has] = true;
    }
  }
}

static void follow_edges(struct mck_possible_order *c, uint32_t log) {
  struct mck_possible_search *s = c->search;
  uint32_t low = s->edge_first[log], high = s->edge_first[log + 1];
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (c->edges[middle].from < s->earliest[log]) low = middle + 1;
    else high = middle;
  }
  for (; low < s->edge_first[log + 1] && c->edges[low].from < s->looked[log]; low++) {
    const struct mck_possible_edge *e = &c->edges[low];
    if (e->to_log != MCK_NONE) lower(s, e->to_log, e->to + 1);
    else if (!s->is_reached[e->to]) {
      s->is_reached[e->to] = true;
      for (uint32_t i = s->exit_first[e->to]; i < s->exit_first[e->to + 1]; i++)
        lower(s, c->exits[i].to_log, c->exits[i].to + 1);
    }
  }
  s->looked[log] = s->earliest[log];
}

bool mck_possible_is_ordered(struct mck_possible_order *c, enum mck_possible_way way, struct mck_possible_access access,
                             uint32_t to_log, uint32_t to) {
  // Where another process ends it, what that one has read by then counts.
  c->way = way, c->from_log = access.log, c->began = access.process == access.log ? access.began : access.over;
  if (!c->run->nsections || access.over >= MCK_NONE - 1) return false;
  if (!c->search) c->search = make_search(c);
  struct mck_possible_search *s = c->search;
  if (!s || c->is_short) return true;
  memset(s->earliest, 0xff, c->run->nlogs * sizeof *s->earliest);
  memset(s->looked, 0xff, c->run->nlogs * sizeof *s->looked);
  memset(s->is_reached, 0, c->ninstances);
  // What leaves the second log behind the event does not come back before it. (The log of several strands is in the
  // order of their begins, which are in no order.)
  bool is_left = mck_rma_strands(c->run, to_log);
  s->own = MCK_NONE;
  lower(s, access.log, access.over + 1);
  // That its own log has the one before the other says nothing then; the walk knows what its strands say.
  if (is_left && access.log == to_log) s->own = to_log, s->back = MCK_NONE;
  while (s->nwork) {
    uint32_t next = s->work[--s->nwork];
    s->is_waiting[next] = false;
    if (next == to_log && !is_left) continue;
    follow_edges(c, next);
    follow_sections(c, next);
  }
  return (s->own == to_log ? s->back : s->earliest[to_log]) <= to;
}

void mck_possible_close(struct mck_possible_order *c) {
  for (size_t i = 0; c->clocks && i < c->run->nsections; i++) mck_clock_drop(c->clocks[i]);
  free(c->clocks);
  free(c->unknown);
  free(c->edges);
  free(c->exits);
  free_search(c->search);
  mck_meeting_close(c->meeting);
}
