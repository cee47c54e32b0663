// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who waits for whom in a state of the model in which nothing can happen: an AND/OR graph (waitfor/waitfor.h, the model
// of MUST). A rank that may do something else than in the run counts as moving, and so does each one that waits for it.
#include "judge/prediction/match-search.h"

struct making {
  struct mck_waitfor *graph;
  const struct mck_state *state;
  bool is_short;
};

static uint32_t add_node(struct making *m, enum mck_waitfor_kind kind) {
  uint32_t node = mck_waitfor_add_node(m->graph, kind);
  m->is_short |= node == UINT32_MAX;
  return node;
}
static void add_arc(struct making *m, uint32_t from, uint32_t to) {
  if (!m->is_short) m->is_short = !mck_waitfor_add_arc(m->graph, from, to);
}

// Only the logs whose messages the receive accepts can end it: those that send any of this communicator to it.
static uint32_t add_senders(struct making *m, uint32_t log, const struct mck_model_op *receive) {
  const struct mck_model *model = m->state->model;
  uint32_t node = add_node(m, MCK_WAITFOR_ANY);
  const struct mck_reader *r = &model->whole->logs[log];
  const struct mck_comm_def *comm = mck_order_comm(r, r->events[receive->index].msg.comm);
  uint32_t size = comm ? comm->remote_size ? comm->remote_size : comm->size : 0;
  for (uint32_t i = 0; i < size && !m->is_short; i++) {
    int world = mck_comm_world_rank(comm, (int)i, comm->remote_size > 0);
    uint32_t member = MCK_NONE;
    for (uint32_t k = 0; k < model->n && member == MCK_NONE; k++)
      if (world >= 0 && model->whole->logs[k].header->rank == (uint32_t)world) member = k;
    if (member == MCK_NONE) m->graph->kinds[node] = MCK_WAITFOR_MOVES;
    else add_arc(m, node, member);
  }
  return node;
}

// Could this receive have some message that the search has not given to it?
static bool has_candidate(const struct mck_state *s, struct mck_pair receive) {
  size_t at = 0;
  struct mck_pair send;
  return mck_state_candidate(s, receive, &at, &send);
}

// The node that an operation waits for; MCK_NONE: it waits for nothing, or that is not known.
static uint32_t find_target(struct making *m, uint32_t log, uint32_t op) {
  const struct mck_state *s = m->state;
  const struct mck_model_op *o = &s->model->logs[log].ops[op];
  if (mck_state_is_complete(s, log, op)) return MCK_NONE;
  switch ((enum mck_model_kind)o->kind) {
  case MCK_MODEL_SEND: return o->peer;
  case MCK_MODEL_RECEIVE:
  case MCK_MODEL_PROBE:
    if (o->is_open && has_candidate(s, (struct mck_pair){log, op})) return MCK_NONE;
    return o->is_any_source ? add_senders(m, log, o) : o->peer;
  case MCK_MODEL_MEETING: {
    uint32_t node = add_node(m, MCK_WAITFOR_ALL);
    for (uint32_t i = 0; i < o->n && !m->is_short; i++) {
      struct mck_pair need = s->model->needs[o->first + i];
      if (s->entered[need.log] <= need.index) add_arc(m, node, need.log);
    }
    return node;
  }
  case MCK_MODEL_WAIT: break;
  }
  return MCK_NONE;
}

// Another request than in the run may have completed: then the program goes on in another way.
static void add_any(struct making *m, uint32_t log, const struct mck_model_op *wait) {
  const uint32_t *requests = &m->state->model->requests[wait->others_first];
  uint32_t node = log;
  for (uint32_t i = 0; i < wait->nothers && !m->is_short; i++) {
    uint32_t target = find_target(m, log, requests[i]);
    if (target == MCK_NONE) return; // it moves, whatever arcs it has
    add_arc(m, node, target);
  }
  if (wait->nothers) m->graph->kinds[log] = MCK_WAITFOR_ANY;
}

static void add_wait(struct making *m, uint32_t log, const struct mck_model_op *wait) {
  const uint32_t *requests = &m->state->model->requests[wait->first];
  bool is_waiting = false;
  for (uint32_t i = 0; i < wait->n && !m->is_short; i++) {
    if (mck_state_is_complete(m->state, log, requests[i])) continue;
    uint32_t target = find_target(m, log, requests[i]);
    if (target == MCK_NONE) return;
    add_arc(m, log, target);
    is_waiting = true;
  }
  if (is_waiting) m->graph->kinds[log] = MCK_WAITFOR_ALL;
}

static void add_log(struct making *m, uint32_t log) {
  const struct mck_state *s = m->state;
  if (mck_state_is_done(s, log)) {
    m->graph->kinds[log] = MCK_WAITFOR_NEVER;
    return;
  }
  if (s->is_unknown[log] || !s->entered[log]) return;
  // Where a receive may have a message that it did not get here, its later receives may get others, too.
  for (size_t i = 0; i < s->pending.count; i++)
    if (s->pending.items[i].log == log && has_candidate(s, s->pending.items[i])) return;
  uint32_t op = s->entered[log] - 1;
  const struct mck_model_op *o = &s->model->logs[log].ops[op];
  if (o->may_fail) return;
  if (o->kind == MCK_MODEL_WAIT && o->nothers) add_any(m, log, o);
  else if (o->kind == MCK_MODEL_WAIT) add_wait(m, log, o);
  else {
    uint32_t target = find_target(m, log, op);
    if (target == MCK_NONE) return;
    add_arc(m, log, target);
    m->graph->kinds[log] = MCK_WAITFOR_ALL;
  }
}

bool mck_deadlock_make(struct mck_waitfor *graph, const struct mck_state *state) {
  struct making m = {.graph = graph, .state = state};
  if (!mck_waitfor_init(graph, state->model->n)) return false;
  for (uint32_t i = 0; i < state->model->n && !m.is_short; i++) add_log(&m, i);
  return !m.is_short && mck_waitfor_solve(graph);
}
