// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the wait-for graph of a rerun that stands still (standstill.h).
#include "judge/buffering/standstill.h"
#include <stdlib.h>
#include "standard/function.h"

static bool add_arc(struct mck_standstill *s, uint32_t from, uint32_t to) {
  if (from != UINT32_MAX && to != UINT32_MAX && mck_waitfor_add_arc(&s->graph, from, to)) return true;
  return s->is_short = true, false;
}
static uint32_t add_node(struct mck_standstill *s, enum mck_waitfor_kind kind) {
  uint32_t node = mck_waitfor_add_node(&s->graph, kind);
  s->is_short |= node == UINT32_MAX;
  return node;
}

// What a receive or probe asks for, by its arguments (MPI-3.1 3.2.4): the wild fields of its event hold what it got.
static bool find_pattern(const struct mck_reader *log, const struct mck_event *e, struct mck_std_pattern *pattern) {
  const struct mck_comm_def *comm = mck_order_comm(log, e->msg.comm);
  if (!comm) return false;
  bool is_any_source = e->flags & MCK_FLAG_ANY_SOURCE, is_any_tag = e->flags & MCK_FLAG_ANY_TAG;
  int source = is_any_source ? MCK_ANY_SOURCE : mck_order_peer(log, e);
  *pattern = (struct mck_std_pattern){comm->body->key, source, e->msg.tag, is_any_source, is_any_tag};
  return true;
}

// Of a message to rank dest.
static bool find_envelope(const struct mck_reader *log, const struct mck_event *send, uint32_t dest,
                          struct mck_std_envelope *message) {
  const struct mck_comm_def *comm = mck_order_comm(log, send->msg.comm);
  if (!comm || mck_order_peer(log, send) != (int)dest) return false;
  *message = (struct mck_std_envelope){comm->body->key, (int32_t)log->header->rank, send->msg.tag};
  return true;
}

static bool pay(struct mck_standstill *s, uint64_t steps) {
  if (*s->budget < steps) return false;
  *s->budget -= steps;
  return true;
}

static bool is_other_side_entered(const struct mck_standstill *s, uint32_t log, uint32_t index) {
  struct mck_pair of = s->rerun->whole->pairs->of[log][index];
  return of.log != MCK_NONE && mck_rerun_is_entered(s->rerun, of.log, of.index);
}

// Has a message been sent that this wildcard receive or probe may get instead of the one that it got in the run?
static bool has_pending_send(struct mck_standstill *s, uint32_t log, uint32_t op) {
  const struct mck_reader *receiver = s->rerun->logs[log].reader;
  struct mck_std_pattern pattern;
  struct mck_std_envelope message;
  if (!find_pattern(receiver, &receiver->events[op], &pattern)) return false;
  for (uint32_t q = 0; q < s->rerun->n; q++) {
    const struct mck_rerun_log *l = &s->rerun->logs[q];
    if (!pattern.is_any_source && (int)l->reader->header->rank != pattern.source) continue;
    if (!pay(s, l->at + 1)) return true;
    for (uint64_t i = 0; i < l->reader->units && mck_rerun_is_entered(s->rerun, q, (uint32_t)i);
         i += mck_event_units(&l->reader->events[i])) {
      const struct mck_event *e = &l->reader->events[i];
      if (e->kind == MCK_EV_SEND && mck_event_is_sent(e) &&
          find_envelope(l->reader, e, receiver->header->rank, &message) && mck_std_accepts(pattern, message) &&
          !is_other_side_entered(s, q, (uint32_t)i))
        return true;
    }
  }
  return false;
}

// Has a wildcard receive been posted that could have taken this send instead of the one that it got in the run? A
// complete receive counts, too: without buffers its message may be sent only after this one.
static bool has_wildcard_for(struct mck_standstill *s, uint32_t log, uint32_t op, uint32_t dest) {
  const struct mck_reader *sender = s->rerun->logs[log].reader;
  const struct mck_rerun_log *l = &s->rerun->logs[dest];
  struct mck_std_pattern pattern;
  struct mck_std_envelope message;
  if (!l->has_wild) return false;
  if (!pay(s, l->at + 1)) return true;
  if (!find_envelope(sender, &sender->events[op], l->reader->header->rank, &message)) return false;
  for (uint64_t i = 0; i < l->reader->units && mck_rerun_is_entered(s->rerun, dest, (uint32_t)i);
       i += mck_event_units(&l->reader->events[i])) {
    const struct mck_event *e = &l->reader->events[i];
    if ((e->kind == MCK_EV_RECV || e->kind == MCK_EV_MPROBE) && mck_event_has_wildcard(e->flags) &&
        find_pattern(l->reader, e, &pattern) && mck_std_accepts(pattern, message))
      return true;
  }
  return false;
}

// A wildcard receive waits for any member of the communicator.
static uint32_t add_members(struct mck_standstill *s, uint32_t log, const struct mck_event *e) {
  const struct mck_comm_def *comm = mck_order_comm(s->rerun->logs[log].reader, e->msg.comm);
  if (!comm) return add_node(s, MCK_WAITFOR_MOVES);
  uint32_t node = add_node(s, MCK_WAITFOR_ANY), n = comm->remote_size ? comm->remote_size : comm->size;
  for (uint32_t i = 0; i < n && !s->is_short; i++) {
    int world = mck_comm_world_rank(comm, (int)i, comm->remote_size > 0);
    uint32_t member = world >= 0 && (uint32_t)world < s->rerun->size ? s->rerun->by_rank[world] : MCK_NONE;
    if (member == MCK_NONE) s->graph.kinds[node] = MCK_WAITFOR_MOVES;
    else add_arc(s, node, member);
  }
  return node;
}

// The node that waits for all members that have not entered the meeting. All ranks that need all members share one
// node.
static uint32_t get_meeting(struct mck_standstill *s, uint32_t log, uint32_t op, struct mck_pair met, bool is_shared) {
  for (size_t i = s->nmeetings; is_shared && i > 0; i -= 3)
    if (s->meetings[i - 3] == met.log && s->meetings[i - 2] == met.index) return s->meetings[i - 1];
  uint32_t node = add_node(s, MCK_WAITFOR_ALL);
  const struct mck_meeting_series *series = &s->rerun->meetings.series[met.log];
  for (size_t slot = 0; slot < series->n && !s->is_short; slot++)
    if (mck_rerun_misses(s->rerun, log, op, met, slot)) add_arc(s, node, series->members[slot].log);
  uint32_t entry[3] = {met.log, met.index, node};
  for (int i = 0; i < 3 && is_shared; i++)
    if (!MCK_PUSH(s->meetings, s->nmeetings, s->capacity, entry[i])) s->is_short = true;
  return node;
}

// The node that an operation waits for. MCK_NONE: the operation may complete, or we cannot tell.
static uint32_t find_target(struct mck_standstill *s, uint32_t log, uint32_t op) {
  struct mck_rerun *r = s->rerun;
  const struct mck_event *e = &r->logs[log].reader->events[op];
  struct mck_pair of;
  bool is_standard;
  switch (mck_rerun_ask(r, log, op, &of, &is_standard)) {
  case MCK_LACKS_NOTHING: return MCK_NONE;
  case MCK_LACKS_MEMBERS: {
    bool is_all = mck_rerun_synchronizes(r, log, op) ||
                  mck_meetings_needs(&r->meetings, log, op, MCK_STD_SURELY) == MCK_STD_NEEDS_ALL;
    return get_meeting(s, log, op, of, is_all);
  }
  case MCK_LACKS_EVENT: break;
  }
  if (e->kind == MCK_EV_SEND) return has_wildcard_for(s, log, op, of.log) ? MCK_NONE : of.log;
  if (mck_event_has_wildcard(e->flags) && has_pending_send(s, log, op)) return MCK_NONE;
  return e->flags & MCK_FLAG_ANY_SOURCE ? add_members(s, log, e) : of.log;
}

// The log has MPI_Waitany and MPI_Waitsome as a WAIT and a later DONE, which names what completed in the run. In the
// rerun another request may complete instead.
static void add_any(struct mck_standstill *s, uint32_t log, const struct mck_event *wait) {
  size_t narcs = s->graph.narcs;
  for (uint32_t i = 0; i < wait->wait.count && !s->is_short; i++) {
    uint32_t op = mck_wait_request(wait, i), target = op == MCK_NONE ? MCK_NONE : find_target(s, log, op);
    if (target == MCK_NONE) return; // the log moves, whatever arcs it has
    add_arc(s, log, target);
  }
  if (s->graph.narcs > narcs) s->graph.kinds[log] = MCK_WAITFOR_ANY;
}

static void add_log(struct mck_standstill *s, uint32_t log) {
  const struct mck_rerun_log *l = &s->rerun->logs[log];
  if (l->is_done) return;
  const struct mck_event *e = &l->reader->events[l->at];
  // Such a call returned in the run because it found something complete. Without that it would have returned, too.
  if (mck_std_is_nonblocking_probe(e->fn)) return;
  if (e->kind == MCK_EV_DONE) {
    bool is_wait = mck_std_is_choosing_wait(e->fn) && l->any != MCK_NONE;
    if (is_wait && l->reader->events[l->any].fn == e->fn) add_any(s, log, &l->reader->events[l->any]);
    return;
  }
  bool is_waiting = false;
  for (uint32_t k = 0, op; mck_rerun_part(s->rerun, log, k, &op) && !s->is_short; k++) {
    uint32_t target = op == MCK_NONE ? MCK_NONE : find_target(s, log, op);
    if (target != MCK_NONE) is_waiting = add_arc(s, log, target);
  }
  if (is_waiting) s->graph.kinds[log] = MCK_WAITFOR_ALL;
}

bool mck_standstill_make(struct mck_standstill *s, struct mck_rerun *rerun, uint64_t *budget) {
  *s = (struct mck_standstill){.rerun = rerun, .budget = budget};
  if (!mck_waitfor_init(&s->graph, (uint32_t)rerun->n)) return false;
  for (uint32_t i = 0; i < rerun->n && !s->is_short; i++) add_log(s, i);
  rerun->steps += s->graph.nnodes + s->graph.narcs;
  return !s->is_short && mck_waitfor_solve(&s->graph);
}

void mck_standstill_free(struct mck_standstill *s) {
  mck_waitfor_free(&s->graph);
  free(s->meetings);
}

bool mck_standstill_send(struct mck_standstill *s, uint32_t log, uint32_t knot, uint32_t k, uint32_t *op) {
  struct mck_rerun *r = s->rerun;
  if (r->logs[log].is_done) return false;
  for (uint32_t i = 0; mck_rerun_part(r, log, i, op); i++) {
    struct mck_pair of;
    bool is_standard;
    if (*op == MCK_NONE || mck_rerun_ask(r, log, *op, &of, &is_standard) != MCK_LACKS_EVENT || !is_standard) continue;
    if (knot != UINT32_MAX && s->graph.knot[of.log] != knot) continue;
    if (!k--) return true;
  }
  return false;
}

// Its next collective on this communicator, if it has entered all before that one.
uint32_t mck_standstill_late_entry(struct mck_standstill *s, uint32_t log, uint32_t other) {
  struct mck_rerun *r = s->rerun;
  const struct mck_rerun_log *l = &r->logs[other];
  const struct mck_meeting_log *met = &r->meetings.by_log[other];
  struct mck_pair of = r->logs[log].met;
  if (l->is_done || other == log || !pay(s, l->reader->units - l->at)) return MCK_NONE;
  for (uint64_t i = l->reached; i < l->reader->units; i += mck_event_units(&l->reader->events[i])) {
    const struct mck_event *e = &l->reader->events[i];
    if (e->kind != MCK_EV_COLL || e->coll.comm >= l->reader->ncomms || met->comms[e->coll.comm] != of.log + 1) continue;
    return met->nth_comm[e->coll.comm] == of.index ? (uint32_t)i : MCK_NONE;
  }
  return MCK_NONE;
}
