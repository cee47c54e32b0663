// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the clocks along the walk through all logs (rules R1 to R5 and C9' of clock.h).
#include "clock/clock.h"
#include <stdlib.h>
#include <string.h>
#include "base/worker-threads.h"
#include "clock/clock-stamp.h"
#include "order/non-overtaking.h"

enum { PENDING_MAX = 1 << 24 }; // the most receives that overlap wildcards with MPI_ANY_TAG, in all

static struct mck_clock_log *log_of(struct mck_clock *c, uint32_t log) { return &c->by_log[log]; }
static const struct mck_event *event_of(const struct mck_clock *c, uint32_t log, uint32_t index) {
  return &c->logs[log].events[index];
}

// --- wildcards ---
struct mck_clock_wildcard *mck_clock_find_wildcard(const struct mck_clock_log *log, uint32_t index) {
  size_t low = 0, high = log->nwildcards;
  if (high && log->wildcards[high - 1].index == index)
    return &log->wildcards[high - 1]; // usually it has just been posted
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (log->wildcards[middle].index < index) low = middle + 1;
    else high = middle;
  }
  return low < log->nwildcards && log->wildcards[low].index == index ? &log->wildcards[low] : NULL;
}

// R4: the receive has a match, and every clock that this log gives from now on is above its value.
static void give_value(struct mck_clock_log *log, uint32_t index) {
  struct mck_clock_wildcard *w = log->is_owner ? mck_clock_find_wildcard(log, index) : NULL;
  if (!w) return;
  uint32_t *own = &log->clock[log->component];
  if (w->value == UINT32_MAX) w->value = (*own)++;
  else if (*own <= w->value) *own = w->value + 1; // Lamport: a synchronous send has set the value before
  else return;
  log->latest = MCK_NONE;
}

// The stamp of a match: the events that must have begun before it (Cypher and Leu, type A clock of a match).
static void stamp_match(struct mck_clock *c, uint32_t number, uint32_t index, const uint32_t *before, size_t n) {
  struct mck_clock_log *log = log_of(c, number);
  struct mck_pair send = c->pairs->of[number][index];
  if (!log->has_any_tag || log->matched[index] != MCK_NONE || send.log == MCK_NONE) return;
  memcpy(c->scratch, mck_clock_stamp(c, log->stamps[index]), c->ncomponents * sizeof *c->scratch);
  mck_clock_raise(c->scratch, mck_clock_stamp(c, log_of(c, send.log)->stamps[send.index]), c->ncomponents);
  for (size_t i = 0; i < n; i++)
    if (before[i] < index && log->matched[before[i]] != MCK_NONE &&
        mck_overtake_comes_before(&c->logs[number], c->pairs->of[number], before[i], index))
      mck_clock_raise(c->scratch, mck_clock_stamp(c, log->matched[before[i]]), c->ncomponents);
  log->matched[index] = mck_clock_keep(c, c->scratch);
}

static bool is_pending(const struct mck_clock *c, const struct mck_clock_log *log, uint32_t number, uint64_t index) {
  const struct mck_event *e = event_of(c, number, (uint32_t)index);
  return e->kind == MCK_EV_RECV && mck_event_is_known(e) && !log->is_complete[index];
}

// Notes the receives that are posted and not complete.
static void note_pending(struct mck_clock *c, struct mck_clock_log *log, uint32_t number, size_t wild) {
  uint32_t index = log->wildcards[wild].index;
  uint64_t *oldest = &log->oldest_pending;
  while (*oldest < index && !is_pending(c, log, number, *oldest))
    *oldest += mck_event_units(event_of(c, number, (uint32_t)*oldest));
  struct mck_clock_pending *p = &log->pending[wild];
  *p = (struct mck_clock_pending){(uint32_t)c->npool, 0};
  for (uint64_t i = *oldest; i < index; i += mck_event_units(event_of(c, number, (uint32_t)i))) {
    if (!is_pending(c, log, number, i)) continue;
    if (c->npool >= PENDING_MAX) {
      c->counts->is_bounded = true;
      p->n = MCK_NONE;
      return;
    }
    if (!MCK_PUSH(c->pool, c->npool, c->pool_capacity, (uint32_t)i)) c->is_short = true;
  }
  p->n = (uint32_t)c->npool - p->first;
}

void mck_clock_post(struct mck_clock *c, uint32_t number, uint32_t index) {
  struct mck_clock_log *log = log_of(c, number);
  const struct mck_event *e = event_of(c, number, index);
  if (!mck_event_is_known(e) || c->pairs->of[number][index].log == MCK_NONE) return;
  if (!mck_event_is_wild(e) || log->nwildcards == log->wildcards_capacity) return;
  if (!log->first) log->first = e;
  log->is_mixed |= e->kind == MCK_EV_PROBE || !mck_event_any_source(e) || !mck_clock_is_alike(log, e);
  log->wildcards[log->nwildcards++] = (struct mck_clock_wildcard){index, UINT32_MAX};
  if (log->has_any_tag) note_pending(c, log, number, log->nwildcards - 1);
}

// --- along the walk ---
static void enter(void *context, struct mck_point at) {
  struct mck_clock *c = context;
  struct mck_clock_log *log = log_of(c, at.log);
  uint8_t kind = event_of(c, at.log, at.index)->kind;
  bool is_receive = kind == MCK_EV_RECV || kind == MCK_EV_MPROBE || kind == MCK_EV_PROBE;
  if (!is_receive || c->keeps_receives) log->stamps[at.index] = mck_clock_stamp_now(c, log);
  if (MCK_UNLIKELY(at.index == log->cut) && log->component != MCK_NONE) log->cut_value = log->clock[log->component];
  if (MCK_UNLIKELY(c->sink->stamp != NULL))
    c->sink->stamp(c->sink->context, (struct mck_pair){at.log, at.index}, log->clock, c->ncomponents);
  if (is_receive && log->is_owner) mck_clock_post(c, at.log, at.index);
}

static void complete_receive(struct mck_clock *c, uint32_t number, const struct mck_order_done *done) {
  struct mck_clock_log *log = log_of(c, number);
  if (log->is_complete) log->is_complete[done->op] = true;
  if (done->with.log == MCK_NONE) return;
  // CompleteNow, in posted order.
  for (size_t i = done->nbefore; i-- > 0;) {
    if (log->has_any_tag) stamp_match(c, number, done->before[i], done->before, done->nbefore);
    give_value(log, done->before[i]);
  }
  if (log->has_any_tag) stamp_match(c, number, done->op, done->before, done->nbefore);
  give_value(log, done->op);
  // Its first completion counts: MPI_Request_get_status may report it earlier than the call that frees the request
  // (MPI-3.1 3.7.6).
  if (log->values && log->values[done->op] == UINT32_MAX) log->values[done->op] = log->clock[log->component];
  mck_clock_merge_from(c, log, done->with);
  for (size_t i = 0; i < done->nbefore; i++) mck_clock_merge_from(c, log, c->pairs->of[number][done->before[i]]);
}

static uint32_t *filled(size_t n, int with) {
  uint32_t *array = mck_base_alloc_large((n + 1) * sizeof *array);
  if (array) memset(array, with, (n + 1) * sizeof *array);
  return array;
}

// C9': the sender knows now that this receive has matched. Lamport clocks have one component. The receive's value must
// be below it, and is not raised any more: with a smaller value only fewer messages count as late.
static bool witness(struct mck_clock *c, uint32_t number, struct mck_clock_log *receiver, uint32_t index) {
  struct mck_clock_log *log = log_of(c, number);
  struct mck_clock_wildcard *w = receiver->is_owner ? mck_clock_find_wildcard(receiver, index) : NULL;
  if (!w) return false;
  if (c->kind == MCK_CLOCK_LAMPORT) {
    if (w->value == UINT32_MAX) w->value = mck_clock_stamp(c, receiver->stamps[index])[0];
    if (log->clock[0] <= w->value) log->clock[0] = w->value + 1, log->latest = MCK_NONE;
    return false;
  }
  if (!receiver->witness && !(receiver->witness = filled(receiver->wildcards_capacity, 0xff)))
    return c->is_short = true, false;
  uint32_t *at = &receiver->witness[w - receiver->wildcards];
  struct mck_clock_witness new = {log->component, log->clock[log->component], *at};
  *at = (uint32_t)c->nwitnesses;
  if (!MCK_PUSH(c->witnesses, c->nwitnesses, c->witnesses_capacity, new)) c->is_short = true;
  return true;
}

static void complete_send(struct mck_clock *c, uint32_t number, const struct mck_order_done *done) {
  struct mck_clock_log *log = log_of(c, number), *receiver = log_of(c, done->with.log);
  bool is_witness = false;
  for (size_t i = done->nbefore; i-- > 0;) is_witness |= witness(c, number, receiver, done->before[i]);
  is_witness |= witness(c, number, receiver, done->with.index);
  if (is_witness) log->clock[log->component]++, log->latest = MCK_NONE;
  mck_clock_merge(c, log, receiver->stamps[done->with.index]);
  for (size_t i = 0; i < done->nbefore; i++) {
    struct mck_pair send = c->pairs->of[done->with.log][done->before[i]];
    mck_clock_merge(c, log, log_of(c, send.log)->stamps[send.index]);
  }
}

// All members take over the same clock, so it is computed once.
static uint32_t stamp_meeting(struct mck_clock *c, const struct mck_meeting *m) {
  uint32_t at, id;
  uint64_t hash = mck_table_mix(m->id, 1);
  MCK_TABLE_EACH (&c->meetings, hash, at, id)
    if (c->meeting_stamps[id].id == m->id) return c->meeting_stamps[id].stamp;
  memset(c->scratch, 0, c->ncomponents * sizeof *c->scratch);
  for (size_t i = 0; i < m->n; i++)
    if (m->entries[i] != MCK_NONE)
      mck_clock_raise(c->scratch, mck_clock_stamp(c, log_of(c, m->members[i].log)->stamps[m->entries[i]]),
                      c->ncomponents);
  uint32_t stamp = mck_clock_keep(c, c->scratch);
  if (!mck_base_grow((void **)&c->meeting_stamps, &c->meetings_capacity, c->nmeetings + 1, sizeof *c->meeting_stamps) ||
      !mck_table_add(&c->meetings, hash, (uint32_t)c->nmeetings))
    return c->is_short = true, stamp;
  c->meeting_stamps[c->nmeetings].id = m->id;
  c->meeting_stamps[c->nmeetings++].stamp = stamp;
  return stamp;
}

void mck_clock_complete_meeting(struct mck_clock *c, uint32_t number, const struct mck_order_done *done) {
  struct mck_clock_log *log = log_of(c, number);
  const struct mck_meeting *m = done->meeting;
  if (done->needs == MCK_STD_NEEDS_ALL) {
    mck_clock_merge(c, log, stamp_meeting(c, m));
    return;
  }
  for (size_t i = 0; i < m->n; i++)
    if (m->entries[i] != MCK_NONE && mck_order_is_needed(done, i))
      mck_clock_merge(c, log, log_of(c, m->members[i].log)->stamps[m->entries[i]]);
}

static bool also(void *context, uint32_t log, uint32_t index, uint32_t k, struct mck_pair *of) {
  const struct mck_clock *c = context;
  return c->sink->also(c->sink->also_context, log, index, k, of);
}

// A start takes over the clocks of its posts, a wait those of its completes.
static void complete_sync(struct mck_clock *c, uint32_t number, uint32_t index) {
  struct mck_pair of;
  for (uint32_t k = 0; c->sink->also && also(c, number, index, k, &of); k++)
    mck_clock_merge_from(c, log_of(c, number), of);
}

static void complete(void *context, struct mck_point at, const struct mck_order_done *done) {
  struct mck_clock *c = context;
  uint8_t kind = event_of(c, at.log, done->op)->kind;
  if (done->meeting) mck_clock_complete_meeting(c, at.log, done);
  else if (kind == MCK_EV_SYNC) complete_sync(c, at.log, done->op);
  else if (kind == MCK_EV_RECV || kind == MCK_EV_MPROBE || kind == MCK_EV_PROBE) complete_receive(c, at.log, done);
  else if (kind == MCK_EV_SEND && done->with.log != MCK_NONE) complete_send(c, at.log, done);
}

static void leave(void *context, struct mck_point at, bool is_finished) { (void)context, (void)at, (void)is_finished; }

// --- opening ---
static bool is_synchronous(const struct mck_event *e) {
  return e->kind == MCK_EV_SEND && (e->flags & MCK_MODE_MASK) == MCK_FLAG_SYNC;
}

// Does this log send synchronous messages to owners?
static bool sends_synchronously(const struct mck_clock *c, size_t number) {
  const struct mck_reader *r = &c->logs[number];
  if (!c->pairs->facts[number].has_synchronous) return false;
  for (uint64_t k = 0; k < r->units; k += mck_event_units(&r->events[k])) {
    struct mck_pair to = c->pairs->of[number][k];
    if (is_synchronous(&r->events[k]) && to.log != MCK_NONE && c->by_log[to.log].is_owner) return true;
  }
  return false;
}

static void find_owners(struct mck_clock *c) {
  c->keeps_receives = c->sink->wild || c->sink->stamp;
  for (size_t i = 0; i < c->n; i++) {
    const struct mck_pairs_facts *facts = &c->pairs->facts[i];
    struct mck_clock_log *log = &c->by_log[i];
    log->component = log->latest = MCK_NONE;
    log->is_owner = facts->nwilds > 0;
    log->has_any_tag = facts->has_any_tag;
    log->is_undecided = facts->is_undecided;
    c->keeps_receives |= facts->has_any_tag || facts->has_synchronous;
  }
  for (size_t i = 0; i < c->n; i++) {
    if (c->kind == MCK_CLOCK_LAMPORT) c->by_log[i].component = 0, c->ncomponents = 1;
    else if (c->by_log[i].is_owner || sends_synchronously(c, i)) c->by_log[i].component = c->ncomponents++;
    c->counts->owners += c->by_log[i].is_owner;
  }
}

static size_t large_of(const struct mck_clock *c, size_t number) {
  size_t units = c->logs[number].units * sizeof(uint32_t);
  return mck_slice_size(units) + mck_slice_size(c->pairs->facts[number].nwilds * sizeof(struct mck_clock_wildcard));
}

static bool open_owner(struct mck_clock *c, size_t number, struct mck_slices *slices) {
  struct mck_clock_log *log = &c->by_log[number];
  size_t units = c->logs[number].units;
  log->wildcards_capacity = c->pairs->facts[number].nwilds;
  log->wildcards = mck_slices_take(slices, log->wildcards_capacity * sizeof *log->wildcards);
  if (c->kind == MCK_CLOCK_LAMPORT && !(log->values = filled(units, 0xff))) return false;
  if (!log->has_any_tag) return log->wildcards;
  log->matched = filled(units, 0xff), log->is_complete = calloc(units + 1, 1);
  log->pending = calloc(log->wildcards_capacity, sizeof *log->pending);
  return log->wildcards && log->matched && log->is_complete && log->pending;
}

// The first write to a page makes the system provide its memory. The walk runs in one thread, which should not wait for
// that.
static void clear_log(void *context, uint32_t number) {
  struct mck_clock *c = context;
  struct mck_clock_log *log = &c->by_log[number];
  memset(log->stamps, 0, c->logs[number].units * sizeof *log->stamps);
  if (log->wildcards) memset(log->wildcards, 0, log->wildcards_capacity * sizeof *log->wildcards);
}

static unsigned nthreads_of(const struct mck_clock *c) {
  uint64_t units = 0;
  for (size_t i = 0; i < c->n; i++) units += c->logs[i].units;
  return mck_workers_size(units);
}

static bool open_logs(struct mck_clock *c) {
  enum { MERGED_MAX = 4096 }; // logs: the arrays have a number for each pair of logs
  struct mck_slices slices;
  size_t bytes = 0;
  for (size_t i = 0; i < c->n; i++) bytes += large_of(c, i);
  bool is_good = (c->scratch = calloc(c->ncomponents, sizeof *c->scratch)) && mck_slices_open(&slices, bytes);
  if (!is_good) return false;
  c->large = slices.memory;
  mck_clock_keep(c, c->scratch);
  for (size_t i = 0; is_good && i < c->n; i++) {
    struct mck_clock_log *log = &c->by_log[i];
    size_t units = c->logs[i].units;
    log->latest = 0;
    log->cut = mck_order_cut(&c->logs[i]);
    log->clock = calloc(c->ncomponents, sizeof *log->clock);
    log->stamps = mck_slices_take(&slices, units * sizeof *log->stamps);
    if (c->n <= MERGED_MAX) log->merged = calloc(c->n, sizeof *log->merged);
    is_good = log->clock && log->stamps;
    if (is_good && log->is_owner) is_good = open_owner(c, i, &slices);
  }
  if (is_good) mck_workers_run((uint32_t)c->n, nthreads_of(c), clear_log, c);
  return is_good && !c->is_short;
}

static void close_clock(struct mck_clock *c) {
  for (size_t i = 0; c->by_log && i < c->n; i++) {
    struct mck_clock_log *log = &c->by_log[i];
    free(log->clock), free(log->merged), free(log->values), free(log->matched);
    free(log->is_complete), free(log->pending), free(log->highest), free(log->witness);
  }
  free(c->by_log), free(c->large), free(c->stamps), free(c->witnesses), free(c->pool), free(c->meeting_stamps);
  free(c->scratch);
  mck_table_free(&c->meetings);
}

// The matches of receives that no call has reported as complete.
static void stamp_incomplete(struct mck_clock *c, uint32_t number) {
  // Each one is compared with those before it. late-message.c says nothing about matches without a stamp.
  enum { INCOMPLETE_MAX = 4096 };
  uint32_t incomplete[INCOMPLETE_MAX];
  size_t n = 0;
  const struct mck_reader *r = &c->logs[number];
  for (uint64_t i = 0; i < r->units && n < INCOMPLETE_MAX; i += mck_event_units(&r->events[i])) {
    struct mck_pair send = c->pairs->of[number][i];
    if (!is_pending(c, log_of(c, number), number, i) || send.log == MCK_NONE) continue;
    stamp_match(c, number, (uint32_t)i, incomplete, n);
    incomplete[n++] = (uint32_t)i;
  }
}

// Item 0 is the walk; the other items are calls of the sink's meanwhile.
struct walking {
  struct mck_clock *c;
  struct mck_order_sink sink;
  struct mck_order_totals totals;
  bool is_good;
};

static void walk(struct mck_clock *c, struct walking *w) {
  w->sink = (struct mck_order_sink){
      .context = c, .enter = enter, .leave = leave, .complete = complete, .is_plain = true};
  if (c->sink->also) w->sink.also = also;
  if (!c->sink->stamp) w->sink.stretch = mck_clock_stretch;
  w->is_good = mck_order_walk(c->logs, c->n, c->pairs, &w->sink, &w->totals) && !c->is_short;
}

static void walk_or_not(void *context, uint32_t item) {
  struct walking *w = context;
  if (item == 0) walk(w->c, w);
  else w->c->sink->meanwhile(w->c->sink->context, item - 1);
}

bool mck_clock_find(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs, enum mck_clock_kind kind,
                    const struct mck_clock_sink *sink, struct mck_clock_counts *counts) {
  struct mck_clock c = {.logs = logs, .n = n, .pairs = pairs, .kind = kind, .sink = sink, .counts = counts};
  *counts = (struct mck_clock_counts){.doubts = mck_order_doubts(logs, n, pairs)};
  c.by_log = calloc(n + 1, sizeof *c.by_log);
  if (!c.by_log) return false;
  find_owners(&c);
  if (!counts->owners) return close_clock(&c), true;
  struct walking w = {.c = &c};
  if (!open_logs(&c)) return close_clock(&c), false;
  mck_workers_run(sink->meanwhile ? (uint32_t)n + 1 : 1, nthreads_of(&c), walk_or_not, &w);
  counts->left_out = w.totals.left_out;
  bool is_good = w.is_good;
  for (size_t i = 0; is_good && i < n; i++)
    if (c.by_log[i].has_any_tag) stamp_incomplete(&c, (uint32_t)i);
  if (is_good) mck_clock_report_wildcards(&c);
  // If an edge is missing, a later send could look as if it could have come earlier.
  if (is_good && !w.totals.left_out) mck_clock_find_late(&c);
  is_good = is_good && !c.is_short;
  close_clock(&c);
  return is_good;
}
