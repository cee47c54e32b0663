// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the model of the logs (match-model.h), event by event.
#include "judge/prediction/match-model.h"
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "judge/message/probe-receive.h"
#include "log/signature.h"
#include "order/meeting.h"
#include "standard/function.h"

struct making {
  struct mck_model *model;
  const struct mck_whole *whole;
  struct mck_meetings meetings;
  struct mck_signatures *types; // [log]
  uint32_t *by_rank;            // [world rank]: log
  uint64_t *keys;               // of communicators
  size_t nkeys, keys_capacity;
  struct mck_table key_table;
  struct met {
    struct mck_pair op, of; // of: series, and number in it
  } *met;
  size_t nmet, met_capacity;
  bool is_cut; // some log is not read to its end
  struct cursor {
    uint64_t at;             // the next event
    uint32_t any;            // the last entered WAIT for any or some of its requests
    uint32_t receive;        // of the last probe that is one op with its receive
    struct mck_pair meeting; // the last one that it entered
    size_t end;              // the first op that waits for what other logs have behind their cut
  } *cursors;                // [log]
  bool is_strange, is_short;
};

static const struct mck_event *event_of(const struct making *m, uint32_t log, uint32_t index) {
  return &m->whole->logs[log].events[index];
}

// --- numbers ---
static uint32_t find_comm(struct making *m, uint64_t key) {
  uint32_t at, id;
  uint64_t hash = mck_table_mix(key, 0);
  MCK_TABLE_EACH (&m->key_table, hash, at, id)
    if (m->keys[id] == key) return id;
  if (!MCK_PUSH(m->keys, m->nkeys, m->keys_capacity, key) ||
      !mck_table_add(&m->key_table, hash, (uint32_t)m->nkeys - 1))
    m->is_short = true;
  return (uint32_t)m->nkeys - 1;
}

static uint32_t log_of_rank(const struct making *m, int world) {
  return world >= 0 && (uint32_t)world < m->whole->run.size ? m->by_rank[world] : MCK_NONE;
}

// The op of an event; MCK_NONE: it has none.
static uint32_t find_op(const struct making *m, uint32_t log, uint32_t index) {
  const struct mck_model_log *l = &m->model->logs[log];
  size_t low = 0, high = l->nops;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (l->ops[middle].index < index) low = middle + 1;
    else high = middle;
  }
  if (low && l->ops[low - 1].also == index && index != MCK_NONE) return (uint32_t)low - 1;
  return low < l->nops && l->ops[low].index == index ? (uint32_t)low : MCK_NONE;
}

static void push(struct making *m, uint32_t log, struct mck_model_op op) {
  struct mck_model_log *l = &m->model->logs[log];
  if (!op.also) op.also = MCK_NONE; // no receive has index 0
  if (!MCK_PUSH(l->ops, l->nops, l->capacity, op)) m->is_short = true;
}

// --- events ---
static uint64_t bytes_of(const struct making *m, uint32_t log, uint32_t type, uint64_t count) {
  struct mck_signature s = mck_signature_of(&m->types[log], type, count);
  return mck_signature_is_known(s) ? s.bytes : UINT64_MAX;
}

// The receive of a probe or of a matched probe: it has the room, and a status of its own.
static void add_room(struct making *m, uint32_t log, const struct mck_event *e, uint32_t op, uint64_t bytes) {
  if (op == MCK_NONE) return;
  struct mck_model_op *o = &m->model->logs[log].ops[op];
  o->bytes = bytes;
  o->told |= (uint8_t)mck_told_of(&m->whole->logs[log], e);
}

static void add_message(struct making *m, uint32_t log, uint32_t index) {
  const struct mck_event *e = event_of(m, log, index);
  const struct mck_comm_def *comm = mck_order_comm(&m->whole->logs[log], e->msg.comm);
  bool is_send = e->kind == MCK_EV_SEND, is_strange = !comm || e->flags & MCK_FLAG_CANCELLED;
  if (is_send) is_strange |= !!(e->flags & MCK_FLAG_LOCAL);
  else is_strange |= !mck_event_is_known(e) || mck_event_is_forced(e);
  if (is_strange) {
    m->is_strange = true;
    return;
  }
  if (index == m->cursors[log].receive) {
    add_room(m, log, e, find_op(m, log, index), bytes_of(m, log, e->msg.type, e->msg.count));
    return;
  }
  struct mck_model_op op = {.kind = is_send                   ? MCK_MODEL_SEND
                                    : e->kind == MCK_EV_PROBE ? MCK_MODEL_PROBE
                                                              : MCK_MODEL_RECEIVE,
                            .is_nonblocking = e->kind != MCK_EV_PROBE && e->kind != MCK_EV_MPROBE &&
                                              e->flags & MCK_FLAG_NONBLOCKING,
                            .index = index,
                            .comm = find_comm(m, comm->body->key),
                            .tag = e->msg.tag,
                            .counter = MCK_NONE,
                            .pair = m->whole->pairs->of[log][index]};
  op.peer = log_of_rank(m, mck_order_peer(&m->whole->logs[log], e));
  m->is_strange |= op.peer == MCK_NONE;
  if (is_send) op.is_synchronous = (e->flags & MCK_MODE_MASK) == MCK_FLAG_SYNC;
  else {
    op.is_any_source = mck_event_any_source(e), op.is_any_tag = mck_event_any_tag(e);
    op.told = (uint8_t)mck_told_by(&m->whole->logs[log], e);
    // What is known of a nonblocking receive itself is that its data name a rank.
    if (op.is_nonblocking && mck_told_at(&m->whole->logs[log], e->site) & MCK_TOLD_KNOWN)
      op.asked = (uint8_t)mck_told_of(&m->whole->logs[log], e), op.told |= op.asked;
    if (e->kind == MCK_EV_PROBE && mck_told_is_passed(&m->whole->logs[log], e)) {
      m->cursors[log].receive = mck_told_receive(&m->whole->logs[log], index);
      if (m->cursors[log].receive != MCK_NONE) op.kind = MCK_MODEL_RECEIVE, op.also = m->cursors[log].receive;
      else op.told = MCK_TOLD_ALL; // the source goes somewhere else
    }
    op.may_fail = mck_std_is_nonblocking_probe(e->fn);
    // Nothing is known of a wildcard that got no message, nor of what it may have taken.
    m->is_strange |= mck_event_is_wild(e) && op.pair.log == MCK_NONE;
    if (op.is_any_source) op.peer = MCK_NONE;
  }
  bool has_bytes = is_send || e->kind == MCK_EV_RECV;
  op.bytes = has_bytes ? bytes_of(m, log, e->msg.type, e->msg.count) : UINT64_MAX;
  push(m, log, op);
}

static uint32_t add_requests(struct making *m, uint32_t log, const struct mck_event *e, uint32_t *n) {
  uint32_t first = (uint32_t)m->model->nrequests;
  for (uint32_t i = 0; i < e->wait.count; i++) {
    uint32_t index = mck_wait_request(e, i), op = index == MCK_NONE ? MCK_NONE : find_op(m, log, index);
    if (op == MCK_NONE) continue;
    // The code that waits is what looks at the status of a nonblocking receive.
    struct mck_model_op *o = &m->model->logs[log].ops[op];
    if (o->kind == MCK_MODEL_RECEIVE && o->is_nonblocking) {
      uint8_t told = (uint8_t)mck_told_of(&m->whole->logs[log], e);
      if (e->fn == MCK_FN_MPI_Request_get_status) o->asked |= told;
      o->told = (uint8_t)((o->told & told) | o->asked);
    }
    if (!MCK_PUSH(m->model->requests, m->model->nrequests, m->model->requests_capacity, op)) m->is_short = true;
  }
  *n = (uint32_t)m->model->nrequests - first;
  return first;
}

static void add_wait(struct making *m, uint32_t log, uint32_t index) {
  const struct mck_event *e = event_of(m, log, index);
  if (e->kind == MCK_EV_WAIT && e->flags != MCK_WAIT_ALL) {
    m->cursors[log].any = index; // what it waited for is in a later DONE
    return;
  }
  struct mck_model_op op = {.kind = MCK_MODEL_WAIT, .index = index, .peer = MCK_NONE, .pair = {MCK_NONE, MCK_NONE}};
  op.first = add_requests(m, log, e, &op.n);
  if (e->kind == MCK_EV_DONE) {
    const struct mck_event *any = m->cursors[log].any == MCK_NONE ? NULL : event_of(m, log, m->cursors[log].any);
    bool is_wait = any && mck_std_is_choosing_wait(e->fn) && any->fn == e->fn;
    if (is_wait) op.others_first = add_requests(m, log, any, &op.nothers);
    op.may_fail = !is_wait;
    m->cursors[log].any = MCK_NONE;
  }
  if (op.n) push(m, log, op);
}

static void add_meeting(struct making *m, uint32_t log, uint32_t index) {
  const struct mck_event *e = event_of(m, log, index);
  struct mck_pair of = mck_meetings_arrive(&m->meetings, (struct mck_point){log, index, 0});
  if (of.log == MCK_NONE) return;
  m->cursors[log].meeting = of;
  struct mck_model_op op = {.kind = MCK_MODEL_MEETING, .index = index, .peer = MCK_NONE, .pair = {MCK_NONE, MCK_NONE}};
  const struct mck_comm_def *comm = e->kind == MCK_EV_COLL ? mck_order_comm(&m->whole->logs[log], e->coll.comm) : NULL;
  op.is_nonblocking = e->kind == MCK_EV_COLL && e->flags & MCK_FLAG_NONBLOCKING;
  op.is_rooted = comm && e->coll.root >= 0;
  if (op.is_rooted) op.peer = log_of_rank(m, mck_comm_world_rank(comm, e->coll.root, comm->remote_size > 0));
  struct met met = {{log, (uint32_t)m->model->logs[log].nops}, of};
  push(m, log, op);
  if (!MCK_PUSH(m->met, m->nmet, m->met_capacity, met)) m->is_short = true;
}

static void add_event(struct making *m, uint32_t log, uint32_t index) {
  const struct mck_event *e = event_of(m, log, index);
  switch (e->kind) {
  case MCK_EV_SEND:
  case MCK_EV_RECV:
  case MCK_EV_PROBE:
  case MCK_EV_MPROBE: add_message(m, log, index); return;
  case MCK_EV_MRECV: {
    bool is_told_later = e->fn != MCK_FN_MPI_Mrecv;
    uint32_t op = find_op(m, log, e->mrecv.mprobe);
    add_room(m, log, e, op, bytes_of(m, log, e->mrecv.type, e->mrecv.count));
    if (is_told_later && op != MCK_NONE) m->model->logs[log].ops[op].told = MCK_TOLD_ALL;
    return;
  }
  case MCK_EV_WAIT:
  case MCK_EV_DONE: add_wait(m, log, index); return;
  case MCK_EV_SYNC:
  case MCK_EV_SETTLED: m->is_strange = true; return;
  default: break;
  }
  if (mck_meetings_has(&m->meetings, log, index)) add_meeting(m, log, index);
}

// --- what needs all ops ---
// It waits for what was left out. (A send may wait: its receive is never entered.)
static void end_before(struct making *m, struct mck_pair op) {
  if (m->is_cut && op.index < m->cursors[op.log].end) m->cursors[op.log].end = op.index;
}

// All members of a collective that need all share one list.
static void add_needs(struct making *m, const struct met *met, struct mck_table *table, struct mck_pair **shared,
                      size_t *nshared, size_t *capacity) {
  struct mck_model *model = m->model;
  struct mck_model_op *op = &model->logs[met->op.log].ops[met->op.index];
  struct mck_meeting_series *s = &m->meetings.series[met->of.log];
  struct mck_meeting_item *item = &s->items[met->of.index];
  enum mck_std_needs needs = mck_meetings_needs(&m->meetings, met->op.log, op->index, MCK_STD_SURELY);
  bool is_all = needs == MCK_STD_NEEDS_ALL;
  if (item->arrived < s->n) end_before(m, met->op);
  uint64_t hash = mck_table_mix(met->of.log, met->of.index);
  uint32_t at, id;
  if (is_all)
    MCK_TABLE_EACH (table, hash, at, id)
      if ((*shared)[2 * (size_t)id].log == met->of.log && (*shared)[2 * (size_t)id].index == met->of.index) {
        op->first = (*shared)[2 * (size_t)id + 1].log, op->n = (*shared)[2 * (size_t)id + 1].index;
        return;
      }
  op->first = (uint32_t)model->nneeds;
  for (size_t slot = 0; slot < s->n; slot++) {
    uint32_t log = s->members[slot].log;
    if (item->entries[slot] == MCK_NONE) continue;
    if (!is_all && !mck_meetings_is_needed(&m->meetings, met->op.log, op->index, needs, s, slot)) continue;
    struct mck_pair need = {log, find_op(m, log, item->entries[slot])};
    if (!MCK_PUSH(model->needs, model->nneeds, model->needs_capacity, need)) m->is_short = true;
  }
  op->n = (uint32_t)model->nneeds - op->first;
  if (!is_all) return;
  struct mck_pair range = {op->first, op->n};
  if (!MCK_PUSH(*shared, *nshared, *capacity, met->of) || !MCK_PUSH(*shared, *nshared, *capacity, range) ||
      !mck_table_add(table, hash, (uint32_t)(*nshared / 2 - 1)))
    m->is_short = true;
}

static void connect_meetings(struct making *m) {
  struct mck_table table = {0};
  struct mck_pair *shared = NULL;
  size_t nshared = 0, capacity = 0;
  for (size_t i = 0; i < m->nmet && !m->is_short; i++) add_needs(m, &m->met[i], &table, &shared, &nshared, &capacity);
  mck_table_free(&table);
  free(shared);
}

// From events to ops.
static void connect_messages(struct making *m) {
  for (uint32_t i = 0; i < m->model->n; i++)
    for (size_t k = 0; k < m->model->logs[i].nops; k++) {
      struct mck_model_op *op = &m->model->logs[i].ops[k];
      if (op->kind > MCK_MODEL_PROBE || op->pair.log == MCK_NONE) continue;
      op->pair.index = find_op(m, op->pair.log, op->pair.index);
      if (op->pair.index != MCK_NONE) continue;
      m->is_strange |= !m->model->logs[op->pair.log].is_cut;
      if (op->kind != MCK_MODEL_SEND) end_before(m, (struct mck_pair){i, (uint32_t)k});
    }
}

// What other logs know of ops behind the end stays: these are never entered.
static void end_logs(struct making *m) {
  for (uint32_t i = 0; m->is_cut && i < m->model->n; i++)
    if (m->cursors[i].end < m->model->logs[i].nops)
      m->model->logs[i].nops = m->cursors[i].end, m->model->logs[i].is_cut = true;
}

static bool open_making(struct making *m) {
  const struct mck_whole *w = m->whole;
  m->model->logs = calloc(w->n + 1, sizeof *m->model->logs);
  m->types = calloc(w->n + 1, sizeof *m->types);
  m->by_rank = malloc((w->run.size + 1) * sizeof *m->by_rank);
  m->cursors = malloc((w->n + 1) * sizeof *m->cursors);
  if (!m->model->logs || !m->types || !m->by_rank || !m->cursors || !mck_meetings_open(&m->meetings, w->logs, w->n))
    return false;
  memset(m->by_rank, 0xff, (w->run.size + 1) * sizeof *m->by_rank);
  for (uint32_t i = 0; i < w->n; i++) {
    m->cursors[i] = (struct cursor){0, MCK_NONE, MCK_NONE, {MCK_NONE, MCK_NONE}, SIZE_MAX};
    if (!mck_signatures_load(&m->types[i], &w->logs[i])) return false;
    if (w->logs[i].header->rank < w->run.size) m->by_rank[w->logs[i].header->rank] = i;
  }
  return true;
}

static void close_making(struct making *m) {
  for (uint32_t i = 0; m->types && i < m->whole->n; i++) mck_signatures_free(&m->types[i]);
  mck_meetings_close(&m->meetings);
  mck_table_free(&m->key_table);
  free(m->types), free(m->by_rank), free(m->keys), free(m->met), free(m->cursors);
}

// --- reading ---
// Does the log wait for what was not read of another one? A nonblocking call counts, too: this only keeps logs abreast.
static bool is_ahead(const struct making *m, uint32_t log) {
  const struct cursor *c = &m->cursors[log];
  const struct mck_meeting_series *s = c->meeting.log == MCK_NONE ? NULL : &m->meetings.series[c->meeting.log];
  if (s && s->items[c->meeting.index].arrived < s->n) return true;
  const struct mck_event *e = event_of(m, log, (uint32_t)c->at);
  if (e->kind != MCK_EV_RECV && e->kind != MCK_EV_PROBE && e->kind != MCK_EV_MPROBE) return false;
  struct mck_pair of = m->whole->pairs->of[log][c->at];
  return of.log != MCK_NONE && m->cursors[of.log].at <= of.index;
}

// Reads so many units at most. Returns how many.
static uint64_t add_log(struct making *m, uint32_t log, uint64_t most, bool may_wait) {
  const struct mck_reader *r = &m->whole->logs[log];
  struct cursor *c = &m->cursors[log];
  uint64_t start = c->at;
  while (c->at < r->units && c->at - start < most && !m->is_strange && !m->is_short) {
    if (may_wait && is_ahead(m, log)) break;
    add_event(m, log, (uint32_t)c->at);
    c->at += mck_event_units(&r->events[c->at]);
  }
  return c->at - start;
}

// The logs in turn, a piece of each, so that what is read is a beginning of the run.
static void add_beginnings(struct making *m, uint64_t most) {
  uint32_t n = m->model->n;
  uint64_t piece = most / ((uint64_t)n * 8) + 1, read = 0;
  while (read < most && !m->is_strange && !m->is_short) {
    uint64_t before = read;
    for (uint32_t i = 0; i < n && read < most; i++) read += add_log(m, i, piece, true);
    for (uint32_t i = 0; i < n && read == before; i++) read += add_log(m, i, 1, false);
    if (read == before) return;
  }
}

static void add_logs(struct making *m, uint64_t most) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < m->model->n; i++) all += m->whole->logs[i].units;
  if (all > most) add_beginnings(m, most);
  else
    for (uint32_t i = 0; i < m->model->n; i++) add_log(m, i, UINT64_MAX, false);
  for (uint32_t i = 0; i < m->model->n; i++)
    m->is_cut |= m->model->logs[i].is_cut = m->cursors[i].at < m->whole->logs[i].units;
}

enum mck_model_result mck_model_make(struct mck_model *model, const struct mck_whole *whole, bool is_single_path,
                                     uint64_t most) {
  *model = (struct mck_model){.whole = whole, .n = (uint32_t)whole->n};
  struct making m = {.model = model, .whole = whole};
  bool is_good = open_making(&m);
  if (is_good) add_logs(&m, most);
  if (is_good && !m.is_strange) connect_meetings(&m), connect_messages(&m), end_logs(&m);
  bool is_short = !is_good || m.is_short || m.meetings.is_short, is_strange = m.is_strange;
  close_making(&m);
  if (is_short || is_strange) return is_short ? MCK_MODEL_NO_MEMORY : MCK_MODEL_NOT_MADE;
  return mck_model_classify(model, is_single_path);
}

void mck_model_free(struct mck_model *model) {
  for (uint32_t i = 0; model->logs && i < model->n; i++) free(model->logs[i].ops);
  free(model->logs), free(model->needs), free(model->requests);
  *model = (struct mck_model){0};
}
