// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a state of the model goes on (match-state.h).
#include "judge/prediction/match-state.h"
#include <stdlib.h>
#include <string.h>

// What takes as long as to enter a call: so many pairs of a list are moved, or looked at.
enum { MOVED_A_STEP = 128, SEEN_A_STEP = 8 };
// In a counter: some receive of the class got another message than in the run.
static const uint32_t OTHERS = 1u << 31;

bool mck_state_open(struct mck_state *s, const struct mck_model *model, bool is_single_path, uint64_t *steps,
                    uint64_t limit) {
  *s = (struct mck_state){.model = model, .is_single_path = is_single_path, .steps = steps, .limit = limit};
  s->entered = calloc(model->n + 1, sizeof *s->entered);
  s->is_unknown = calloc(model->n + 1, sizeof *s->is_unknown);
  s->counters = calloc((size_t)model->ncounters + 1, sizeof *s->counters);
  return s->entered && s->is_unknown && s->counters;
}

void mck_state_close(struct mck_state *s) {
  free(s->entered), free(s->is_unknown), free(s->counters);
  free(s->untaken.items), free(s->pending.items), free(s->told.items);
}

// --- lists ---
static size_t find(const struct mck_state_list *l, struct mck_pair item) {
  size_t low = 0, high = l->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    struct mck_pair at = l->items[middle];
    if (at.log < item.log || (at.log == item.log && at.index < item.index)) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool has(const struct mck_state_list *l, struct mck_pair item) {
  size_t i = find(l, item);
  return i < l->count && l->items[i].log == item.log && l->items[i].index == item.index;
}

static void insert(struct mck_state *s, struct mck_state_list *l, struct mck_pair item) {
  size_t i = find(l, item);
  if (!MCK_PUSH(l->items, l->count, l->capacity, item)) {
    s->is_short = true;
    return;
  }
  *s->steps += (l->count - i) / MOVED_A_STEP;
  memmove(&l->items[i + 1], &l->items[i], (l->count - 1 - i) * sizeof *l->items);
  l->items[i] = item;
}

static void take_out(struct mck_state *s, struct mck_state_list *l, struct mck_pair item) {
  size_t i = find(l, item);
  *s->steps += (l->count - i) / MOVED_A_STEP;
  memmove(&l->items[i], &l->items[i + 1], (--l->count - i) * sizeof *l->items);
}

// --- matches of open classes ---
static bool accepts(const struct mck_state *s, struct mck_pair receive, struct mck_pair send) {
  const struct mck_model_op *m = mck_state_op(s, send);
  return m->peer == receive.log && mck_model_accepts(mck_state_op(s, receive), send.log, m);
}

bool mck_state_candidate(const struct mck_state *s, struct mck_pair receive, size_t *at, struct mck_pair *send) {
  size_t i = *at;
  // Of each sender only the first message that it accepts.
  uint32_t done = i ? s->untaken.items[i - 1].log : MCK_NONE;
  for (; i < s->untaken.count; i++) {
    struct mck_pair m = s->untaken.items[i];
    if (m.log == done || !accepts(s, receive, m)) continue;
    done = m.log;
    bool is_free = true;
    for (size_t k = find(&s->pending, (struct mck_pair){receive.log, 0});
         k < s->pending.count && s->pending.items[k].log == receive.log && s->pending.items[k].index < receive.index &&
         is_free;
         k++)
      is_free = !accepts(s, s->pending.items[k], m);
    if (!is_free) continue;
    *s->steps += (i + 1 - *at) / SEEN_A_STEP;
    *at = i + 1, *send = m;
    return true;
  }
  *s->steps += (i - *at) / SEEN_A_STEP;
  return false;
}

bool mck_state_is_expected(const struct mck_state *s, struct mck_pair receive, struct mck_pair send) {
  const struct mck_model_op *r = mck_state_op(s, receive);
  return r->pair.log == send.log && mck_state_op(s, r->pair)->tag == mck_state_op(s, send)->tag;
}

bool mck_state_is_told(const struct mck_state *s, struct mck_pair receive, struct mck_pair send) {
  const struct mck_model_op *r = mck_state_op(s, receive), *m = mck_state_op(s, send);
  if (s->is_single_path || !(r->is_any_source || r->is_any_tag) || mck_state_is_expected(s, receive, send))
    return false;
  if (!r->told) return false;
  if (r->pair.log == MCK_NONE) return true;
  const struct mck_model_op *got = mck_state_op(s, r->pair);
  return (r->told & MCK_TOLD_SOURCE && r->pair.log != send.log) || (r->told & MCK_TOLD_TAG && got->tag != m->tag) ||
         (r->told & MCK_TOLD_COUNT && (m->bytes == UINT64_MAX || m->bytes != got->bytes));
}

void mck_state_match(struct mck_state *s, struct mck_pair receive, struct mck_pair send) {
  const struct mck_model_op *r = mck_state_op(s, receive), *m = mck_state_op(s, send);
  take_out(s, &s->pending, receive);
  take_out(s, &s->untaken, send);
  // MPI_ERR_TRUNCATE: who knows what follows from it.
  bool fits = r->bytes == UINT64_MAX || m->bytes == UINT64_MAX || m->bytes <= r->bytes;
  bool is_expected = mck_state_is_expected(s, receive, send);
  if (!fits || mck_state_is_told(s, receive, send)) insert(s, &s->told, receive);
  if (!is_expected && !s->is_single_path && r->pair.log != MCK_NONE) s->names |= (uint64_t)1 << r->pair.log % 64;
}

static bool match_forced(struct mck_state *s) {
  bool has_matched = false;
  for (size_t i = 0; i < s->pending.count && !mck_state_is_cut(s); i++) {
    struct mck_pair receive = s->pending.items[i], send;
    size_t at = 0;
    ++*s->steps;
    if (mck_state_op(s, receive)->is_any_source || !mck_state_candidate(s, receive, &at, &send)) continue;
    mck_state_match(s, receive, send);
    has_matched = true, i--;
  }
  return has_matched;
}

// --- what is complete ---
static bool is_entered(const struct mck_state *s, struct mck_pair at) {
  return at.log != MCK_NONE && s->entered[at.log] > at.index;
}

// A probe that the program looks at must find what it found in the run.
static bool is_found(const struct mck_state *s, struct mck_pair probe) {
  struct mck_pair send;
  for (size_t at = 0; mck_state_candidate(s, probe, &at, &send);)
    if (!mck_state_is_told(s, probe, send)) return true;
  return false;
}

static bool is_counted(const struct mck_state *s, const struct mck_model_op *o) {
  return (s->counters[o->counter] & ~OTHERS) > o->place;
}

bool mck_state_is_complete(const struct mck_state *s, uint32_t log, uint32_t op) {
  const struct mck_pair at = {log, op};
  const struct mck_model_op *o = mck_state_op(s, at);
  switch ((enum mck_model_kind)o->kind) {
  case MCK_MODEL_SEND:
    if (!o->is_synchronous) return true; // buffered by the library, as in the run
    return o->is_open ? !has(&s->untaken, at) : is_entered(s, o->pair);
  case MCK_MODEL_RECEIVE:
    if (o->is_open) return !has(&s->pending, at);
    return o->counter != MCK_NONE ? is_counted(s, o) : is_entered(s, o->pair);
  case MCK_MODEL_PROBE:
    if (o->is_open) return is_found(s, at);
    return o->counter != MCK_NONE ? is_counted(s, o) : is_entered(s, o->pair);
  case MCK_MODEL_WAIT:
    *s->steps += o->n / SEEN_A_STEP;
    for (uint32_t i = 0; i < o->n; i++)
      if (!mck_state_is_complete(s, log, s->model->requests[o->first + i])) return false;
    return true;
  case MCK_MODEL_MEETING:
    *s->steps += o->n / SEEN_A_STEP;
    for (uint32_t i = 0; i < o->n; i++)
      if (!is_entered(s, s->model->needs[o->first + i])) return false;
    return true;
  }
  return true;
}

static bool waits(const struct mck_model_op *o) { return o->kind == MCK_MODEL_WAIT || !o->is_nonblocking; }

bool mck_state_is_done(const struct mck_state *s, uint32_t log) {
  uint32_t n = s->entered[log];
  if (s->is_unknown[log] || n < s->model->logs[log].nops) return false;
  return !n || !waits(&s->model->logs[log].ops[n - 1]) || mck_state_is_complete(s, log, n - 1);
}

// --- going on ---
// Does this receive of a plain class get another message than in the run? Its own was not sent yet, or an earlier
// receive of the class may have taken it.
static bool is_other(const struct mck_state *s, const struct mck_model_op *o) {
  if (o->kind == MCK_MODEL_SEND || o->kind > MCK_MODEL_PROBE || o->counter == MCK_NONE || !o->is_any_source)
    return false;
  if (s->is_single_path || o->pair.log == MCK_NONE) return false;
  return s->counters[o->counter] & OTHERS || !is_entered(s, o->pair);
}

static bool may_end_receive(struct mck_state *s, struct mck_pair at) {
  const struct mck_model_op *o = mck_state_op(s, at);
  if (!is_other(s, o)) return true;
  if (!s->may_differ) {
    s->is_held = true;
    return false;
  }
  s->counters[o->counter] |= OTHERS;
  s->names |= (uint64_t)1 << o->pair.log % 64;
  if (o->told && !has(&s->told, at)) insert(s, &s->told, at);
  return true;
}

// A complete call whose receives get other messages than in the run ends only if nothing else can happen: the message
// of the run may still be sent.
static bool may_end(struct mck_state *s, uint32_t log, uint32_t op) {
  const struct mck_model_op *o = &s->model->logs[log].ops[op];
  bool may = true;
  if (o->kind != MCK_MODEL_WAIT) return may_end_receive(s, (struct mck_pair){log, op});
  for (uint32_t i = 0; i < o->n && may; i++)
    may = may_end_receive(s, (struct mck_pair){log, s->model->requests[o->first + i]});
  return may;
}

// Does the end of this call tell the program that it got another message? Then it may go another way.
static bool is_telling(const struct mck_state *s, uint32_t log, uint32_t op) {
  const struct mck_model_op *o = &s->model->logs[log].ops[op];
  if (!s->told.count) return false;
  if (o->kind <= MCK_MODEL_PROBE) return has(&s->told, (struct mck_pair){log, op});
  for (uint32_t i = 0; o->kind == MCK_MODEL_WAIT && i < o->n; i++)
    if (has(&s->told, (struct mck_pair){log, s->model->requests[o->first + i]})) return true;
  return false;
}

// Does the call name a rank that the program may know from the message that it got in the run?
static bool is_naming(const struct mck_state *s, const struct mck_model_op *o) {
  if (!s->names || o->kind == MCK_MODEL_WAIT || o->peer == MCK_NONE) return false;
  return s->names >> o->peer % 64 & 1;
}

static void enter(struct mck_state *s, uint32_t log) {
  struct mck_pair at = {log, s->entered[log]++};
  const struct mck_model_op *o = mck_state_op(s, at);
  if (o->kind == MCK_MODEL_SEND && o->counter != MCK_NONE) s->counters[o->counter]++;
  if (o->is_open && o->kind == MCK_MODEL_SEND) insert(s, &s->untaken, at);
  if (o->is_open && o->kind == MCK_MODEL_RECEIVE) insert(s, &s->pending, at);
}

static bool advance_log(struct mck_state *s, uint32_t log) {
  const struct mck_model_log *l = &s->model->logs[log];
  bool has_moved = false;
  while (!s->is_unknown[log] && !mck_state_is_cut(s)) {
    uint32_t n = s->entered[log];
    ++*s->steps;
    if (n && waits(&l->ops[n - 1])) {
      if (!mck_state_is_complete(s, log, n - 1) || !may_end(s, log, n - 1)) break;
      if (is_telling(s, log, n - 1)) return s->is_unknown[log] = true;
    }
    if (n == l->nops && l->is_cut) return s->is_unknown[log] = true;
    if (n == l->nops) break;
    if (is_naming(s, &l->ops[n])) return s->is_unknown[log] = true;
    enter(s, log);
    has_moved = true;
    if (l->ops[n].is_open) break; // its match is looked for first
  }
  return has_moved;
}

void mck_state_advance(struct mck_state *s) {
  for (bool has_moved = true; has_moved && !s->is_short && !mck_state_is_cut(s);) {
    has_moved = s->is_held = false;
    for (uint32_t i = 0; i < s->model->n; i++) has_moved |= advance_log(s, i);
    if (s->pending.count && s->untaken.count) has_moved |= match_forced(s);
  }
}

bool mck_state_release(struct mck_state *s) {
  bool has_moved = false;
  if (!s->is_held || s->is_short || mck_state_is_cut(s)) return false;
  s->may_differ = true;
  for (uint32_t i = 0; i < s->model->n; i++) has_moved |= advance_log(s, i);
  s->may_differ = false;
  return has_moved;
}

// --- as bytes ---
size_t mck_state_size(const struct mck_state *s) {
  size_t pairs = s->untaken.count + s->pending.count + s->told.count;
  return (s->model->n + s->model->ncounters + 5 + 2 * pairs) * sizeof(uint32_t);
}

static uint32_t *pack_list(const struct mck_state_list *l, uint32_t *p) {
  if (l->count) memcpy(p, l->items, l->count * sizeof *l->items);
  return p + 2 * l->count;
}

// The names come last: they are no part of what can still happen, only of what is known of it (match-search.c).
void mck_state_pack(const struct mck_state *s, uint32_t *p) {
  for (uint32_t i = 0; i < s->model->n; i++) *p++ = s->entered[i] | (s->is_unknown[i] ? 1u << 31 : 0);
  for (uint32_t i = 0; i < s->model->ncounters; i++) *p++ = s->counters[i];
  *p++ = (uint32_t)s->untaken.count, *p++ = (uint32_t)s->pending.count, *p++ = (uint32_t)s->told.count;
  p = pack_list(&s->told, pack_list(&s->pending, pack_list(&s->untaken, p)));
  memcpy(p, &s->names, sizeof s->names);
}

static const uint32_t *unpack_list(struct mck_state *s, struct mck_state_list *l, size_t count, const uint32_t *p) {
  if (count > l->capacity && !mck_base_grow((void **)&l->items, &l->capacity, count, sizeof *l->items))
    return s->is_short = true, p;
  l->count = count;
  if (count) memcpy(l->items, p, count * sizeof *l->items);
  return p + 2 * count;
}

void mck_state_unpack(struct mck_state *s, const uint32_t *p) {
  for (uint32_t i = 0; i < s->model->n; i++, p++) s->entered[i] = *p & ~(1u << 31), s->is_unknown[i] = *p >> 31;
  for (uint32_t i = 0; i < s->model->ncounters; i++) s->counters[i] = *p++;
  uint32_t counts[3] = {p[0], p[1], p[2]};
  p = unpack_list(s, &s->untaken, counts[0], p + 3);
  p = unpack_list(s, &s->pending, counts[1], p);
  p = unpack_list(s, &s->told, counts[2], p);
  memcpy(&s->names, p, sizeof s->names);
}
