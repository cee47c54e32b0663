// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the classes of messages that compete (match-model.h), by union and find over the channels of each receiver.
#include "judge/prediction/match-model.h"
#include <stdlib.h>
#include <string.h>
#include "judge/message/probe-receive.h"

enum { PAIRS_MAX = 10000000, PATTERNS_MAX = 4096 };

struct channel {
  uint32_t to, comm, from;
  int32_t tag;
  uint32_t parent; // of the union; itself: this channel stands for the class
};
struct class {                        // by the channel that stands for it
  const struct mck_model_op *pattern; // the first receive or probe
  uint32_t from;                      // the first sender
  bool has_several, has_synchronous, is_mixed;
  uint32_t counter, nreceives;
};
struct classes {
  struct mck_model *model;
  struct channel *channels;
  size_t nchannels, capacity;
  struct mck_table table;
  uint32_t latest; // a channel: most calls use the one of the call before
  struct class *of;
  uint64_t paid;
  bool is_short;
};

static bool is_channel(const struct channel *k, uint32_t to, uint32_t comm, uint32_t from, int32_t tag) {
  return k->to == to && k->comm == comm && k->from == from && k->tag == tag;
}

static uint32_t find_channel(struct classes *c, uint32_t to, uint32_t comm, uint32_t from, int32_t tag, bool may_add) {
  if (c->latest < c->nchannels && is_channel(&c->channels[c->latest], to, comm, from, tag)) return c->latest;
  uint64_t hash = mck_table_mix(mck_table_mix((uint64_t)to << 32 | from, comm), (uint32_t)tag);
  uint32_t at, id;
  MCK_TABLE_EACH (&c->table, hash, at, id)
    if (is_channel(&c->channels[id], to, comm, from, tag)) return c->latest = id;
  if (!may_add) return MCK_NONE;
  struct channel new = {to, comm, from, tag, (uint32_t)c->nchannels};
  if (!MCK_PUSH(c->channels, c->nchannels, c->capacity, new) ||
      !mck_table_add(&c->table, hash, (uint32_t)c->nchannels - 1))
    c->is_short = true;
  return (uint32_t)c->nchannels - 1;
}

static uint32_t find_root(struct classes *c, uint32_t channel) {
  while (c->channels[channel].parent != channel) {
    c->channels[channel].parent = c->channels[c->channels[channel].parent].parent;
    channel = c->channels[channel].parent;
  }
  return channel;
}

static bool is_same_pattern(const struct mck_model_op *a, const struct mck_model_op *b) {
  return a->comm == b->comm && a->is_any_source == b->is_any_source && a->is_any_tag == b->is_any_tag &&
         (a->is_any_source || a->peer == b->peer) && (a->is_any_tag || a->tag == b->tag);
}

static bool is_taken(const struct mck_model_op *op) {
  return op->kind == MCK_MODEL_RECEIVE || op->kind == MCK_MODEL_PROBE;
}

// All channels that a wildcard accepts are of one class.
static void join(struct classes *c, uint32_t log, const struct mck_model_op *op) {
  uint32_t first = MCK_NONE;
  c->paid += c->nchannels;
  for (uint32_t i = 0; i < c->nchannels; i++) {
    const struct channel *k = &c->channels[i];
    const struct mck_model_op send = {.comm = k->comm, .tag = k->tag};
    if (k->to != log || !mck_model_accepts(op, k->from, &send)) continue;
    if (first == MCK_NONE) first = find_root(c, i);
    else c->channels[find_root(c, i)].parent = first;
  }
}

static uint32_t channel_of(struct classes *c, uint32_t log, const struct mck_model_op *op) {
  if (op->kind == MCK_MODEL_SEND) return find_channel(c, op->peer, op->comm, log, op->tag, false);
  uint32_t from = op->is_any_source ? op->pair.log : op->peer;
  // A wildcard is in the class of the message that it got.
  return from == MCK_NONE ? MCK_NONE : find_channel(c, log, op->comm, from, op->tag, false);
}

static void look_at_log(struct classes *c, uint32_t log) {
  struct mck_model_log *l = &c->model->logs[log];
  const struct mck_model_op *seen[16] = {0};
  size_t next = 0;
  for (size_t k = 0; k < l->nops && c->paid < PAIRS_MAX; k++) {
    const struct mck_model_op *op = &l->ops[k];
    if (!is_taken(op) || !(op->is_any_source || op->is_any_tag)) continue;
    bool is_seen = false;
    for (size_t i = 0; i < 16 && !is_seen; i++) is_seen = seen[i] && is_same_pattern(seen[i], op);
    if (is_seen) continue;
    seen[next++ % 16] = op;
    join(c, log, op);
  }
}

static void describe(struct classes *c, uint32_t log, const struct mck_model_op *op) {
  uint32_t channel = channel_of(c, log, op);
  if (channel == MCK_NONE) return;
  struct class *k = &c->of[find_root(c, channel)];
  if (op->kind == MCK_MODEL_SEND) {
    if (k->from == MCK_NONE) k->from = log;
    k->has_several |= k->from != log;
    k->has_synchronous |= op->is_synchronous;
  } else {
    if (!k->pattern) k->pattern = op;
    k->is_mixed |= !is_same_pattern(k->pattern, op);
  }
}

static void place(struct classes *c, uint32_t log, struct mck_model_op *op, bool is_single_path) {
  uint32_t channel = channel_of(c, log, op);
  if (channel == MCK_NONE) return;
  struct class *k = &c->of[find_root(c, channel)];
  op->is_open = k->is_mixed || (k->has_several && k->has_synchronous);
  if (op->is_open) {
    c->model->has_choice |= mck_model_is_choice(op, is_single_path);
    return;
  }
  if (!k->has_several) return;
  if (k->counter == MCK_NONE) k->counter = c->model->ncounters++;
  op->counter = k->counter;
  if (op->kind == MCK_MODEL_RECEIVE) op->place = k->nreceives++;
  if (op->kind == MCK_MODEL_PROBE) op->place = k->nreceives;
}

#define EACH_OP(c, i, k, op)                                                                                           \
  for (uint32_t i = 0; (i) < (c)->model->n; (i)++)                                                                     \
    for (size_t k = 0; (k) < (c)->model->logs[i].nops; (k)++)                                                          \
      for (struct mck_model_op *op = &(c)->model->logs[i].ops[k]; (op); (op) = NULL)                                   \
        if ((op)->kind <= MCK_MODEL_PROBE)

enum mck_model_result mck_model_classify(struct mck_model *model, bool is_single_path) {
  struct classes all = {.model = model}, *c = &all;
  EACH_OP(c, i, k, op)
  if (op->kind == MCK_MODEL_SEND) find_channel(c, op->peer, op->comm, i, op->tag, true);
  for (uint32_t i = 0; i < model->n && !c->is_short; i++) look_at_log(c, i);
  c->of = calloc(c->nchannels + 1, sizeof *c->of);
  bool is_good = c->of && !c->is_short;
  for (size_t i = 0; is_good && i < c->nchannels; i++) c->of[i].from = c->of[i].counter = MCK_NONE;
  if (is_good) EACH_OP(c, i, k, op) describe(c, i, op);
  if (is_good) EACH_OP(c, i, k, op) place(c, i, op, is_single_path);
  free(c->of), free(c->channels);
  mck_table_free(&c->table);
  if (!is_good) return MCK_MODEL_NO_MEMORY;
  if (c->paid >= PAIRS_MAX) return MCK_MODEL_NOT_MADE;
  return model->has_choice ? MCK_MODEL_MADE : MCK_MODEL_NO_CHOICE;
}

// --- before there is a model ---
static bool is_choice(const struct mck_reader *log, const struct mck_event *e, bool is_single_path) {
  if (!mck_event_any_source(e)) return false;
  if (e->kind == MCK_EV_PROBE) return mck_told_is_passed(log, e);
  if (is_single_path || e->flags & MCK_FLAG_NONBLOCKING || mck_event_ignores_status(e)) return true;
  return !(mck_told_of(log, e) & MCK_TOLD_SOURCE);
}

static bool is_noted(const struct mck_model_pattern *old, const struct mck_model_pattern *new) {
  return old->event.kind == new->event.kind && old->event.flags == new->event.flags &&
         old->is_choice == new->is_choice &&mck_event_asks_same(&old->event, &new->event);
}

void mck_model_note(struct mck_model_patterns *p, const struct mck_event *e, bool is_single_path) {
  bool is_message = e->kind == MCK_EV_RECV || e->kind == MCK_EV_MPROBE || e->kind == MCK_EV_PROBE;
  // A receive that has the source of a probe asks for nothing else than the probe.
  if (!is_message || mck_told_at(p->log, e->site) & MCK_TOLD_NAMES) return;
  struct mck_model_pattern new = {*e, is_choice(p->log, e, is_single_path)};
  p->has_choice |= new.is_choice;
  if (p->is_full) return;
  for (size_t i = 0; i < p->count && i < 2; i++) // most programs have few patterns
    if (is_noted(&p->items[i], &new)) return;
  uint32_t peer = mck_event_any_source(e) ? MCK_NONE : (uint32_t)e->msg.peer;
  uint32_t tag = mck_event_any_tag(e) ? MCK_NONE : (uint32_t)e->msg.tag, at, id;
  uint64_t hash = mck_table_mix((uint64_t)peer << 32 | tag, (uint64_t)e->msg.comm << 16 | e->kind << 8 | e->flags);
  MCK_TABLE_EACH (&p->table, hash, at, id)
    if (is_noted(&p->items[id], &new)) return;
  p->is_full = p->count == PATTERNS_MAX || !MCK_PUSH(p->items, p->count, p->capacity, new) ||
               !mck_table_add(&p->table, hash, (uint32_t)p->count - 1);
}

bool mck_model_competes(const struct mck_model_patterns *p) {
  if (p->is_full || !p->has_choice) return p->has_choice;
  for (size_t i = 0; i < p->count; i++) {
    const struct mck_event *e = &p->items[i].event;
    if (!p->items[i].is_choice) continue;
    struct mck_std_pattern one = mck_event_pattern(e, e->msg.comm);
    for (size_t k = 0; k < p->count; k++) {
      struct mck_std_pattern other = mck_event_pattern(&p->items[k].event, p->items[k].event.msg.comm);
      if (!mck_std_is_same_pattern(one, other) && mck_std_overlaps(one, other)) return true;
    }
  }
  return false;
}

void mck_model_forget(struct mck_model_patterns *p) {
  free(p->items);
  mck_table_free(&p->table);
  *p = (struct mck_model_patterns){0};
}
