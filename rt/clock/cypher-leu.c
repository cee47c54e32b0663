// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements Cypher and Leu's detection of message races (cypher-leu.h). Numbers of theorems and sections, and the
// names L, T and WS, are those of their paper.
#include "clock/cypher-leu.h"
#include <stdlib.h>
#include <string.h>
#include "order/non-overtaking.h"

struct match {
  uint32_t receive;     // its index in its log
  struct mck_pair send; // log MCK_NONE: it is unknown
  uint32_t over; // the events of its log that had begun when the log knew that it was complete; MCK_NONE: it is not
                 // complete yet
  bool is_read, waits; // waits: its synchronous sender does not know of it yet (WS)
  uint32_t *a, *d;     // the clocks of the match, in one allocation
};
struct process {
  uint32_t *clock;    // the clock of the last event
  uint32_t **clocks;  // [index]: the clocks of events that others need
  struct match *list; // in posted order: matches that are not over, and those that overlap them (the paper's L)
  size_t count, capacity;
  struct match *last; // complete matches of wildcard sources: the last one per communicator and tag (T), or all
  size_t nlast, last_capacity;
};
struct cypher {
  const struct mck_reader *logs;
  size_t n;
  const struct mck_pairs *pairs;
  bool keeps_all;
  const struct mck_cypher_sink *sink;
  struct mck_cypher_counts *counts;
  struct process *processes;
  bool *marks; // scratch: a mark per element of a list
  size_t nmarks, nkept;
  bool is_short;
};

static const struct mck_event *event_of(const struct cypher *c, struct mck_pair at) {
  return &c->logs[at.log].events[at.index];
}

static void raise_to(uint32_t *clock, const uint32_t *by, size_t n) {
  for (size_t i = 0; by && i < n; i++)
    if (clock[i] < by[i]) clock[i] = by[i];
}

// --- matches ---
static struct match *find(struct process *p, uint32_t receive) {
  for (size_t i = p->count; i-- > 0;)
    if (p->list[i].receive == receive) return &p->list[i];
  return NULL;
}

// Theorem 3.4: does the match come before the event with this clock?
static bool comes_before(const struct cypher *c, const struct match *m, const uint32_t *clock) {
  for (size_t j = 0; j < c->n; j++)
    if (m->d[j] <= clock[j]) return true;
  return false;
}

static bool is_compatible(const struct cypher *c, uint32_t log, const struct match *m, struct mck_pair send) {
  const struct mck_reader *here = &c->logs[log], *there = &c->logs[send.log];
  const struct mck_event *r = &here->events[m->receive], *s = &there->events[send.index];
  const struct mck_comm_def *one = mck_order_comm(here, r->msg.comm), *other = mck_order_comm(there, s->msg.comm);
  if (!one || !other || mck_order_peer(there, s) != (int)here->header->rank) return false;
  struct mck_std_envelope message = {other->body->key, (int32_t)other->rank, s->msg.tag};
  return mck_std_accepts(mck_event_pattern(r, one->body->key), message);
}

// The definition of a conflict. The message of send is taken by a receive posted after m's, or by none.
static void test(struct cypher *c, uint32_t log, const struct match *m, struct mck_pair send) {
  if (!m->is_read || m->send.log == send.log || !is_compatible(c, log, m, send)) return;
  if (comes_before(c, m, c->processes[send.log].clocks[send.index])) return;
  c->counts->conflicts++;
  c->sink->conflict(c->sink->context, (struct mck_pair){log, m->receive}, send);
}

static void test_all(struct cypher *c, uint32_t log, uint32_t before, struct mck_pair send) {
  const struct process *p = &c->processes[log];
  for (size_t i = 0; i < p->count; i++)
    if (p->list[i].receive < before && mck_event_any_source(&c->logs[log].events[p->list[i].receive]))
      test(c, log, &p->list[i], send);
  for (size_t i = 0; i < p->nlast; i++)
    if (p->last[i].receive < before) test(c, log, &p->last[i], send);
}

// Reads a match: computes its clock A, and tests whether its message could have gone to an earlier receive (4.3).
static void read_match(struct cypher *c, uint32_t log, uint32_t receive) {
  struct process *p = &c->processes[log];
  struct match *m = find(p, receive);
  if (!m || m->is_read || m->send.log == MCK_NONE) return;
  m->is_read = true;
  c->counts->matches++;
  memcpy(m->a, p->clocks[receive], c->n * sizeof *m->a);
  raise_to(m->a, c->processes[m->send.log].clocks[m->send.index], c->n);
  for (size_t i = 0; i < p->count && p->list[i].receive < receive; i++)
    if (p->list[i].is_read && mck_overtake_comes_before(&c->logs[log], c->pairs->of[log], p->list[i].receive, receive))
      raise_to(m->a, p->list[i].a, c->n);
  test_all(c, log, receive, m->send);
}

// 4.2: process by knows of this match at its event of that number, so it knows of all matches that came before it.
static void note_known_by(struct cypher *c, uint32_t log, uint32_t receive, uint32_t by, uint32_t event) {
  struct process *p = &c->processes[log];
  if (c->nmarks < p->count) {
    bool *marks = realloc(c->marks, 2 * p->count * sizeof *marks);
    if (!marks) {
      c->is_short = true;
      return;
    }
    c->marks = marks, c->nmarks = 2 * p->count;
  }
  memset(c->marks, 0, c->nmarks * sizeof *c->marks);
  for (size_t i = p->count; i-- > 0;) {
    struct match *m = &p->list[i];
    bool is_before = m->receive == receive;
    for (size_t k = i + 1; k < p->count && !is_before && m->is_read; k++)
      is_before = c->marks[k] &&
                  mck_overtake_comes_before(&c->logs[log], c->pairs->of[log], m->receive, p->list[k].receive);
    c->marks[i] = is_before;
    if (is_before && event < m->d[by]) m->d[by] = event;
  }
}

// A match that nothing overlaps any more is freed, except the last wildcards (4.4).
static void free_match(struct match *m) {
  free(m->a);
  *m = (struct match){0};
}

static void retire(struct cypher *c, uint32_t log, struct match *m) {
  struct process *p = &c->processes[log];
  const struct mck_event *e = &c->logs[log].events[m->receive];
  if (!m->is_read || !mck_event_any_source(e)) {
    free_match(m);
    c->nkept--;
    return;
  }
  for (size_t i = 0; i < p->nlast && !c->keeps_all; i++) {
    const struct mck_event *o = &c->logs[log].events[p->last[i].receive];
    if (!mck_event_asks_same(o, e)) continue;
    struct match *older = p->last[i].receive < m->receive ? &p->last[i] : m;
    struct match old = *older;
    *older = *m;
    if (older == m) *m = old;
    free_match(&old);
    c->nkept--;
    return;
  }
  if (!MCK_PUSH(p->last, p->nlast, p->last_capacity, *m)) c->is_short = true;
}

static void sweep(struct cypher *c, uint32_t log) {
  struct process *p = &c->processes[log];
  size_t kept = 0;
  for (size_t i = 0; i < p->count; i++) {
    struct match *m = &p->list[i];
    // Oldest first: an earlier receive that is not over may still read a message that conflicts with this one.
    bool is_needed = kept || m->over == MCK_NONE || m->waits;
    for (size_t k = i + 1; k < p->count && !is_needed && p->list[k].receive < m->over; k++)
      is_needed = p->list[k].over == MCK_NONE || p->list[k].waits;
    if (is_needed) p->list[kept++] = *m;
    else retire(c, log, m);
  }
  p->count = kept;
}

// --- along the walk ---
static void enter(void *context, struct mck_point at) {
  struct cypher *c = context;
  struct process *p = &c->processes[at.log];
  const struct mck_event *e = &c->logs[at.log].events[at.index];
  p->clock[at.log]++;
  bool is_asked = e->kind == MCK_EV_SEND || e->kind == MCK_EV_RECV || e->kind == MCK_EV_MPROBE ||
                  e->kind == MCK_EV_COLL || e->kind == MCK_EV_FENCE || at.index == mck_order_cut(&c->logs[at.log]);
  if (is_asked) {
    if (!(p->clocks[at.index] = malloc(c->n * sizeof *p->clock))) {
      c->is_short = true;
      return;
    }
    memcpy(p->clocks[at.index], p->clock, c->n * sizeof *p->clock);
  }
  if ((e->kind != MCK_EV_RECV && e->kind != MCK_EV_MPROBE) || !mck_event_is_known(e)) return;
  struct match new = {.receive = at.index, .send = c->pairs->of[at.log][at.index], .over = MCK_NONE};
  if (new.send.log == MCK_NONE) return;
  new.waits = (event_of(c, new.send)->flags & MCK_MODE_MASK) == MCK_FLAG_SYNC;
  if (!(new.a = malloc(2 * c->n * sizeof *new.a)) || !MCK_PUSH(p->list, p->count, p->capacity, new)) {
    c->is_short = true;
    return;
  }
  p->list[p->count - 1].d = new.a + c->n;
  memset(new.a + c->n, 0xff, c->n * sizeof *new.a);
  if (++c->nkept > c->counts->kept) c->counts->kept = c->nkept;
}

static void merge(struct cypher *c, struct process *p, const struct mck_pair *at) {
  raise_to(p->clock, c->processes[at->log].clocks[at->index], c->n);
}

static void complete(void *context, struct mck_point at, const struct mck_order_done *done) {
  struct cypher *c = context;
  struct process *p = &c->processes[at.log];
  const struct mck_event *e = &c->logs[at.log].events[done->op];
  if (c->is_short) return;
  if (done->meeting) {
    const struct mck_meeting *m = done->meeting;
    for (size_t i = 0; i < m->n; i++)
      if (m->entries[i] != MCK_NONE && mck_order_is_needed(done, i))
        merge(c, p, &(struct mck_pair){m->members[i].log, m->entries[i]});
    return;
  }
  if (done->with.log == MCK_NONE) return;
  if (e->kind == MCK_EV_PROBE) {
    merge(c, p, &done->with);
    return;
  }
  bool is_send = e->kind == MCK_EV_SEND;
  uint32_t log = is_send ? done->with.log : at.log, receive = is_send ? done->with.index : done->op;
  for (size_t i = done->nbefore; i-- > 0;) read_match(c, log, done->before[i]);
  read_match(c, log, receive);
  struct match *m = find(&c->processes[log], receive);
  if (!m || !m->is_read) return;
  // R_h 3: the next event of this log comes after the match.
  raise_to(p->clock, m->a, c->n);
  note_known_by(c, log, receive, at.log, p->clock[at.log] + 1);
  if (is_send) m->waits = false;
  else m->over = at.index + 1;
  sweep(c, log);
}

static void leave(void *context, struct mck_point at, bool is_finished) { (void)context, (void)at, (void)is_finished; }

// Reads the matches of receives that no call has reported as complete, then the unreceived messages (theorem 4.4).
static void read_remaining(struct cypher *c) {
  for (uint32_t i = 0; i < c->n; i++)
    for (size_t k = 0; k < c->processes[i].count; k++) {
      const struct match *m = &c->processes[i].list[k];
      if (!m->is_read && m->send.log != MCK_NONE && c->processes[m->send.log].clocks[m->send.index])
        read_match(c, i, m->receive);
    }
  for (uint32_t i = 0; i < c->n; i++)
    for (uint64_t k = 0; k < c->logs[i].units; k += mck_event_units(&c->logs[i].events[k])) {
      const struct mck_event *e = &c->logs[i].events[k];
      struct mck_pair send = {i, (uint32_t)k};
      if (e->kind != MCK_EV_SEND || !mck_event_is_sent(e) || c->pairs->of[i][k].log != MCK_NONE) continue;
      for (uint32_t to = 0; to < c->n && c->processes[i].clocks[k]; to++) test_all(c, to, MCK_NONE, send);
    }
}

bool mck_cypher_find(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs, bool keeps_all,
                     const struct mck_cypher_sink *sink, struct mck_cypher_counts *counts) {
  struct cypher c = {.logs = logs, .n = n, .pairs = pairs, .keeps_all = keeps_all, .sink = sink, .counts = counts};
  struct mck_order_sink walk = {.context = &c, .enter = enter, .leave = leave, .complete = complete};
  struct mck_order_totals totals = {0};
  *counts = (struct mck_cypher_counts){0};
  c.processes = calloc(n + 1, sizeof *c.processes);
  bool is_good = c.processes != NULL;
  for (size_t i = 0; is_good && i < n; i++) {
    c.processes[i].clock = calloc(n, sizeof(uint32_t));
    c.processes[i].clocks = calloc(logs[i].units + 1, sizeof(uint32_t *));
    is_good = c.processes[i].clock && c.processes[i].clocks;
  }
  is_good = is_good && mck_order_walk(logs, n, pairs, &walk, &totals) && !c.is_short;
  counts->left_out = totals.left_out;
  if (is_good && !totals.left_out) read_remaining(&c);
  for (size_t i = 0; c.processes && i < n; i++) {
    struct process *p = &c.processes[i];
    for (size_t k = 0; k < p->count; k++) free_match(&p->list[k]);
    for (size_t k = 0; k < p->nlast; k++) free_match(&p->last[k]);
    for (uint64_t k = 0; p->clocks && k < logs[i].units; k++) free(p->clocks[k]);
    free(p->list), free(p->last), free(p->clock), free(p->clocks);
  }
  free(c.processes);
  free(c.marks);
  return is_good && !c.is_short;
}
