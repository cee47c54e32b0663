// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search goes over lines, not over events: for each line it finds the earliest event from which on the strand may
// know of the first access. That event only ever moves to the front, so each edge is looked at once in a search. Of the
// sections of one line about one object the first that may pass on the knowledge, and has read something itself, is
// enough: a section that may have come after a later one may have come after it.
#include "rma/possible-meeting.h"
#include <stdlib.h>
#include <string.h>

// Sections about one object in one line: those that acquire there, or those that release there.
struct group {
  uint64_t object;
  uint32_t line, first, n;
};
struct groups {
  uint32_t *sections; // numbers of sections, by group and event
  struct group *items;
  size_t count;
};
struct mck_possible_search {
  uint32_t *edge_first;                // by line
  uint32_t *exit_first;                // by instance
  struct groups in, out;               // by object, line
  uint32_t *group_order, *group_first; // groups of out by line
  uint32_t *earliest, *looked;         // by line
  uint32_t *begun;                     // by line: from which event on an operation is known to have begun
  uint32_t from_line;
  uint32_t *work;
  size_t nwork;
  bool *is_waiting;
  bool *is_reached; // by instance
};

bool mck_possible_open(struct mck_possible_order *c, const struct mck_rma_run *run, const uint32_t *component,
                       const uint32_t *strands) {
  *c = (struct mck_possible_order){
      .run = run, .component = component, .strands = strands, .clocks = calloc(run->nsections + 1, sizeof *c->clocks)};
  c->unknown = malloc((run->nlogs + 1) * sizeof *c->unknown), c->line = malloc((run->nlogs + 1) * sizeof *c->line);
  if (!c->clocks || !c->unknown || !c->line) return false;
  memset(c->unknown, 0xff, (run->nlogs + 1) * sizeof *c->unknown);
  for (uint32_t i = 0; i < run->nlogs; i++) {
    const struct mck_strands *s = mck_rma_strands(run, i);
    c->line[i] = c->nlines, c->nlines += s ? s->nstrands : 1;
  }
  return true;
}

static uint32_t line_of(const struct mck_possible_order *c, uint32_t log, uint32_t event) {
  const struct mck_strands *s = mck_rma_strands(c->run, log);
  return c->line[log] + (s ? mck_strands_of(s, event) : 0);
}

void mck_possible_add_edge(struct mck_possible_order *c, uint32_t log, uint32_t from, bool is_included, uint32_t to_log,
                           uint32_t to) {
  enum { EDGES_MAX = 1 << 24 };
  if (!c->run->nsections) return;
  struct mck_possible_edge new = {line_of(c, log, from), from + is_included,
                                  to_log == MCK_NONE ? MCK_NONE : line_of(c, to_log, to), to};
  if (c->nedges >= EDGES_MAX || !MCK_PUSH(c->edges, c->nedges, c->edges_capacity, new)) c->is_short = true;
}

void mck_possible_add_exit(struct mck_possible_order *c, uint32_t instance, uint32_t to_log, uint32_t to) {
  if (!c->run->nsections) return;
  struct mck_possible_exit new = {instance, line_of(c, to_log, to), to};
  if (!MCK_PUSH(c->exits, c->nexits, c->exits_capacity, new)) c->is_short = true;
}

static int compare_edges(const void *a, const void *b) {
  const struct mck_possible_edge *x = a, *y = b;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return x->from != y->from ? (x->from < y->from ? -1 : 1) : 0;
}

static int compare_exits(const void *a, const void *b) {
  const struct mck_possible_exit *x = a, *y = b;
  return x->instance != y->instance ? (x->instance < y->instance ? -1 : 1) : 0;
}

// --- making the search ---
static void free_search(struct mck_possible_search *s) {
  if (!s) return;
  free(s->edge_first), free(s->exit_first), free(s->group_order), free(s->group_first);
  free(s->in.sections), free(s->in.items), free(s->out.sections), free(s->out.items);
  free(s->earliest), free(s->looked), free(s->begun), free(s->work), free(s->is_waiting), free(s->is_reached);
  free(s);
}

static uint32_t line_in(const struct mck_possible_order *c, const struct mck_rma_section *t) {
  return line_of(c, t->log, t->in);
}
static uint32_t line_out(const struct mck_possible_order *c, const struct mck_rma_section *t) {
  return line_of(c, t->log, t->out);
}

static int compare_groups(const struct mck_rma_section *x, uint32_t line_x, const struct mck_rma_section *y,
                          uint32_t line_y) {
  if (x->object != y->object) return x->object < y->object ? -1 : 1;
  if (line_x != line_y) return line_x < line_y ? -1 : 1;
  return x->enter != y->enter ? (x->enter < y->enter ? -1 : 1) : 0;
}
static int compare_in(const void *a, const void *b, void *context) {
  const struct mck_possible_order *c = context;
  const struct mck_rma_section *x = &c->run->sections[*(const uint32_t *)a],
                               *y = &c->run->sections[*(const uint32_t *)b];
  return compare_groups(x, line_in(c, x), y, line_in(c, y));
}
static int compare_out(const void *a, const void *b, void *context) {
  const struct mck_possible_order *c = context;
  const struct mck_rma_section *x = &c->run->sections[*(const uint32_t *)a],
                               *y = &c->run->sections[*(const uint32_t *)b];
  return compare_groups(x, line_out(c, x), y, line_out(c, y));
}

static void make_groups(const struct mck_possible_order *c, struct groups *g, bool is_in) {
  const struct mck_rma_run *run = c->run;
  for (uint32_t i = 0; i < run->nsections; i++) g->sections[i] = i;
  if (run->nsections)
    qsort_r(g->sections, run->nsections, sizeof *g->sections, is_in ? compare_in : compare_out, (void *)c);
  for (uint32_t i = 0; i < run->nsections; i++) {
    const struct mck_rma_section *t = &run->sections[g->sections[i]];
    uint32_t line = is_in ? line_in(c, t) : line_out(c, t);
    struct group *last = g->count ? &g->items[g->count - 1] : NULL;
    if (last && last->object == t->object && last->line == line) last->n++;
    else g->items[g->count++] = (struct group){t->object, line, i, 1};
  }
}

static void order_groups(struct mck_possible_search *s, uint32_t nlines) {
  for (size_t i = 0; i < s->out.count; i++) s->group_first[s->out.items[i].line + 1]++;
  for (size_t i = 0; i < nlines; i++) s->group_first[i + 1] += s->group_first[i];
  for (size_t i = 0; i < s->out.count; i++) s->group_order[s->group_first[s->out.items[i].line]++] = (uint32_t)i;
  for (size_t i = nlines; i > 0; i--) s->group_first[i] = s->group_first[i - 1];
  s->group_first[0] = 0;
}

static bool open_groups(struct groups *g, size_t n) {
  g->sections = calloc(n, sizeof *g->sections), g->items = calloc(n, sizeof *g->items);
  return g->sections && g->items;
}

static struct mck_possible_search *make_search(struct mck_possible_order *c) {
  struct mck_possible_search *s = calloc(1, sizeof *s);
  size_t n = (size_t)c->nlines + 2, nsections = c->run->nsections + 1;
  if (!s) return NULL;
  s->edge_first = calloc(n, sizeof *s->edge_first);
  s->exit_first = calloc((size_t)c->ninstances + 2, sizeof *s->exit_first);
  s->group_order = calloc(nsections, sizeof *s->group_order), s->group_first = calloc(n, sizeof *s->group_first);
  s->earliest = calloc(n, sizeof *s->earliest), s->looked = calloc(n, sizeof *s->looked);
  s->begun = calloc(n, sizeof *s->begun);
  s->work = calloc(n, sizeof *s->work), s->is_waiting = calloc(n, sizeof *s->is_waiting);
  s->is_reached = calloc((size_t)c->ninstances + 1, sizeof *s->is_reached);
  if (!s->edge_first || !s->exit_first || !s->group_order || !s->group_first || !s->earliest || !s->looked ||
      !s->begun || !s->work || !s->is_waiting || !s->is_reached || !open_groups(&s->in, nsections) ||
      !open_groups(&s->out, nsections)) {
    free_search(s);
    return NULL;
  }
  if (c->nedges) qsort(c->edges, c->nedges, sizeof *c->edges, compare_edges);
  if (c->nexits) qsort(c->exits, c->nexits, sizeof *c->exits, compare_exits);
  for (size_t i = 0; i < c->nedges; i++) s->edge_first[c->edges[i].line + 1]++;
  for (size_t i = 0; i < c->nlines; i++) s->edge_first[i + 1] += s->edge_first[i];
  for (size_t i = 0; i < c->nexits; i++) s->exit_first[c->exits[i].instance + 1]++;
  for (uint32_t i = 0; i < c->ninstances; i++) s->exit_first[i + 1] += s->exit_first[i];
  make_groups(c, &s->in, true), make_groups(c, &s->out, false);
  order_groups(s, c->nlines);
  return s;
}

// --- searching ---
static void lower(struct mck_possible_search *s, uint32_t line, uint32_t to) {
  if (to >= s->earliest[line]) return;
  s->earliest[line] = to;
  if (s->is_waiting[line]) return;
  s->is_waiting[line] = true;
  s->work[s->nwork++] = line;
}

// The giver has read something before the first access, or in any case on another rank: that the taker had not been
// there yet. In the other order it might have read something else and done something else. What another strand of the
// first access's process has read counts, whenever it was.
static bool has_read(const struct mck_possible_order *c, const struct mck_rma_section *giver) {
  bool is_own = giver->log == c->from_log &&
                (!mck_rma_strands(c->run, giver->log) || line_in(c, giver) == line_of(c, giver->log, c->began));
  return giver->is_acquiring && giver->heard < (is_own ? c->began : MCK_NONE - 1);
}

// Did who entered the taker know that the giver was entered?
static bool knows_giver(const struct mck_possible_order *c, const struct mck_clock *clock,
                        const struct mck_rma_section *giver) {
  uint32_t component = c->component[giver->log];
  if (c->strands[giver->log] != MCK_NONE)
    component = c->strands[giver->log] + line_of(c, giver->log, giver->enter) - c->line[giver->log];
  if (!clock) return c->strands[giver->log] != MCK_NONE;
  return component != MCK_NONE && (clock->may_know_all || clock->known[component] > giver->enter);
}

// Behind which event the taker knows of the giver, or the giver is over. A lock that is known to be held when another
// rank asks for it gives its holder the first turn in any run.
static uint32_t acquired_by(const struct mck_possible_order *c, uint32_t number, const struct mck_rma_section *giver) {
  const struct mck_rma_section *taker = &c->run->sections[number];
  bool is_certain = knows_giver(c, c->clocks[number], giver);
  return c->way == MCK_POSSIBLE_TURN || is_certain || has_read(c, giver) ? taker->acquired : taker->heard;
}

// Sections that were over when one with this clock was entered came before it: where those that may come behind begin.
static uint32_t skip_over(const struct mck_possible_order *c, const struct group *to, const struct mck_clock *clock) {
  const struct groups *in = &c->search->in;
  const struct mck_rma_section *all = c->run->sections;
  uint32_t log = all[in->sections[to->first]].log, low = to->first, high = to->first + to->n;
  if (!clock) return low;
  if (c->strands[log] != MCK_NONE) { // it may end in another strand
    for (; low < high; low++) {
      uint32_t end = all[in->sections[low]].end;
      if (end >= MCK_NONE - 1 || clock->known[c->strands[log] + line_of(c, log, end) - c->line[log]] <= end) break;
    }
    return low;
  }
  uint32_t over = c->component[log] != MCK_NONE ? clock->known[c->component[log]] : 0;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (all[in->sections[middle]].end < over) low = middle + 1;
    else high = middle;
  }
  return low;
}

// What a section releases, the sections about the same object in other lines may acquire, no earlier than the logs
// allow.
static void pass_on(struct mck_possible_order *c, uint32_t line, uint32_t from) {
  struct mck_possible_search *s = c->search;
  const struct mck_rma_section *giver = &c->run->sections[from];
  // Loads and stores between two calls may be of several strands, and the clock is that of the first one. A lock is
  // entered by one strand, and what that one knew to be over is over, whichever strand releases it.
  bool has_clock = giver->is_lock || line_of(c, giver->log, giver->enter) == line;
  size_t at = 0, high = s->in.count;
  while (at < high) {
    size_t middle = (at + high) / 2;
    if (s->in.items[middle].object < giver->object) at = middle + 1;
    else high = middle;
  }
  for (; at < s->in.count && s->in.items[at].object == giver->object; at++) {
    const struct group *to = &s->in.items[at];
    // All that is searched comes behind the first event, also in its own line.
    if (to->line == line || to->line == s->from_line) continue;
    for (uint32_t i = skip_over(c, to, has_clock ? c->clocks[from] : NULL); i < to->first + to->n; i++) {
      const struct mck_rma_section *taker = &c->run->sections[s->in.sections[i]];
      uint32_t acquired = acquired_by(c, s->in.sections[i], giver);
      if (taker == giver || !taker->is_acquiring || !(taker->is_exclusive || giver->is_exclusive) ||
          acquired >= MCK_NONE - 1)
        continue;
      lower(s, to->line, acquired + 1);
      break;
    }
  }
}

static void follow_sections(struct mck_possible_order *c, uint32_t line) {
  struct mck_possible_search *s = c->search;
  for (uint32_t k = s->group_first[line]; k < s->group_first[line + 1]; k++) {
    const struct group *g = &s->out.items[s->group_order[k]];
    uint32_t low = g->first, high = g->first + g->n;
    while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (c->run->sections[s->out.sections[middle]].released < s->earliest[line]) low = middle + 1;
      else high = middle;
    }
    bool is_done[2][2] = {{false}}; // is_exclusive, has_read
    for (; low < g->first + g->n && !is_done[true][true]; low++) {
      const struct mck_rma_section *t = &c->run->sections[s->out.sections[low]];
      bool has = c->way == MCK_POSSIBLE_TURN || has_read(c, t);
      if (!t->is_releasing || t->released >= MCK_NONE - 1) continue;
      // An earlier one orders all that this one does.
      if (is_done[t->is_exclusive][has] || is_done[true][has] || is_done[t->is_exclusive][true]) continue;
      pass_on(c, line, s->out.sections[low]);
      is_done[t->is_exclusive][has] = true;
    }
  }
}

static void follow_edges(struct mck_possible_order *c, uint32_t line) {
  struct mck_possible_search *s = c->search;
  uint32_t low = s->edge_first[line], high = s->edge_first[line + 1];
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (c->edges[middle].from < s->earliest[line]) low = middle + 1;
    else high = middle;
  }
  for (; low < s->edge_first[line + 1] && c->edges[low].from < s->looked[line]; low++) {
    const struct mck_possible_edge *e = &c->edges[low];
    if (e->to_line != MCK_NONE) lower(s, e->to_line, e->to + 1);
    else if (!s->is_reached[e->to]) {
      s->is_reached[e->to] = true;
      for (uint32_t i = s->exit_first[e->to]; i < s->exit_first[e->to + 1]; i++)
        lower(s, c->exits[i].to_line, c->exits[i].to + 1);
    }
  }
  s->looked[line] = s->earliest[line];
}

static void begin_search(struct mck_possible_order *c) {
  memset(c->search->earliest, 0xff, c->nlines * sizeof *c->search->earliest);
  memset(c->search->looked, 0xff, c->nlines * sizeof *c->search->looked);
  memset(c->search->is_reached, 0, c->ninstances);
}

// What leaves to_line behind the event that is asked for does not come back before it.
static void run_search(struct mck_possible_order *c, uint32_t to_line) {
  struct mck_possible_search *s = c->search;
  while (s->nwork) {
    uint32_t next = s->work[--s->nwork];
    s->is_waiting[next] = false;
    if (next == to_line) continue;
    follow_edges(c, next);
    follow_sections(c, next);
  }
}

// The access, or the operation that it is a buffer of, is over with calls of other strands, too, if its begin comes
// before them. NULL: there are no such calls.
static const struct mck_rma_op *op_of_others(struct mck_possible_order *c, struct mck_possible_access access) {
  const struct mck_rma_log *log = &c->run->logs[access.process];
  const struct mck_event *events = c->run->readers[access.process].events;
  uint32_t event = access.began;
  if (!log->nunsure) return NULL;
  if (events[event].kind == MCK_EV_ACCESS && events[event].flags & MCK_ACCESS_BUFFER)
    while (event && !mck_rma_op_at(log, event)) event--;
  const struct mck_rma_op *op = mck_rma_op_at(log, event);
  for (size_t i = 0; op && i < log->nunsure; i++)
    if (log->unsure[i].op == (uint32_t)(op - log->ops)) return op;
  return NULL;
}

static void begin_at_others(struct mck_possible_order *c, uint32_t process, const struct mck_rma_op *op) {
  struct mck_possible_search *s = c->search;
  const struct mck_rma_log *log = &c->run->logs[process];
  begin_search(c);
  s->from_line = line_of(c, process, op->event);
  lower(s, s->from_line, op->event + 1);
  run_search(c, MCK_NONE);
  memcpy(s->begun, s->earliest, c->nlines * sizeof *s->begun);
  begin_search(c);
  for (size_t i = 0; i < log->nunsure; i++) {
    uint32_t at = log->unsure[i].at, line = line_of(c, process, at);
    if (log->unsure[i].op == (uint32_t)(op - log->ops) && s->begun[line] <= at) lower(s, line, at + 1);
  }
}

bool mck_possible_is_ordered(struct mck_possible_order *c, enum mck_possible_way way, struct mck_possible_access access,
                             uint32_t to_log, uint32_t to) {
  // Where another process ends it, what that one has read by then counts.
  c->way = way, c->from_log = access.log, c->began = access.process == access.log ? access.began : access.over;
  bool is_over = access.over < MCK_NONE - 1;
  const struct mck_rma_op *op = c->run->nsections ? op_of_others(c, access) : NULL;
  if (!c->run->nsections || (!is_over && !op)) return false;
  if (!c->search) c->search = make_search(c);
  struct mck_possible_search *s = c->search;
  if (!s || c->is_short) return true;
  uint32_t to_line = line_of(c, to_log, to);
  if (op) begin_at_others(c, access.process, op);
  else begin_search(c);
  s->from_line = is_over ? line_of(c, access.log, access.over) : MCK_NONE;
  if (is_over) lower(s, s->from_line, access.over + 1);
  run_search(c, to_line);
  return s->earliest[to_line] <= to;
}

void mck_possible_close(struct mck_possible_order *c) {
  for (size_t i = 0; c->clocks && i < c->run->nsections; i++) mck_clock_drop(c->clocks[i]);
  free(c->clocks);
  free(c->unknown);
  free(c->line);
  free(c->edges);
  free(c->exits);
  free_search(c->search);
  mck_meeting_close(c->meeting);
}
