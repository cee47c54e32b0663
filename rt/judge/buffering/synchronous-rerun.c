// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the logs again with synchronous sends (synchronous-rerun.h).
#include "judge/buffering/synchronous-rerun.h"
#include <stdlib.h>
#include <string.h>
#include "standard/function.h"

static bool is_receive(const struct mck_event *e) {
  return e->kind == MCK_EV_RECV || e->kind == MCK_EV_MPROBE || e->kind == MCK_EV_PROBE;
}

// --- what an operation waits for ---
static bool is_empty(const struct mck_reader *log, const struct mck_event *e) {
  uint32_t type = e->msg.type - MCK_TYPE_USER;
  return !e->msg.count ||
         (e->msg.type >= MCK_TYPE_USER && type < log->ntypes && log->types[type].body && !log->types[type].body->size);
}

static bool is_buffered(const struct mck_rerun_log *l, uint32_t site) {
  size_t low = 0, high = l->nbuffered;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (l->buffered[middle] < site) low = middle + 1;
    else high = middle;
  }
  return low < l->nbuffered && l->buffered[low] == site;
}

static struct mck_pair find_met(const struct mck_rerun_log *l, uint32_t index) {
  size_t low = 0, high = l->nmet;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (l->met_later[middle].index < index) low = middle + 1;
    else high = middle;
  }
  return low < l->nmet && l->met_later[low].index == index ? l->met_later[low].met
                                                           : (struct mck_pair){MCK_NONE, MCK_NONE};
}

// Only the calls that chapter 5 is about. Calls that free something are collective, too, but libraries make them local.
bool mck_rerun_synchronizes(const struct mck_rerun *r, uint32_t log, uint32_t op) {
  const struct mck_rerun_log *l = &r->logs[log];
  const struct mck_event *e = &l->reader->events[op];
  if (!r->is_synchronizing || e->kind != MCK_EV_COLL || e->flags & MCK_FLAG_NONBLOCKING) return false;
  return mck_std(e->fn)->family == MCK_STD_FAMILY_COLLECTIVE && !l->is_free &&
         !(l->nbuffered && is_buffered(l, e->site));
}

static bool is_missing(struct mck_rerun *r, uint32_t log, struct mck_pair met, size_t slot) {
  struct mck_meeting_series *s = &r->meetings.series[met.log];
  return s->members[slot].log != log && s->items[met.index].entries[slot] == MCK_NONE;
}

// Does the flow of data make the event wait for that member?
static bool needs_data_of(struct mck_rerun *r, uint32_t log, uint32_t op, struct mck_pair met, size_t slot) {
  return mck_meetings_is_needed(&r->meetings, log, op, mck_meetings_needs(&r->meetings, log, op, MCK_STD_SURELY),
                                &r->meetings.series[met.log], slot);
}

bool mck_rerun_misses(struct mck_rerun *r, uint32_t log, uint32_t op, struct mck_pair met, size_t slot) {
  return is_missing(r, log, met, slot) && (mck_rerun_synchronizes(r, log, op) || needs_data_of(r, log, op, met, slot));
}

bool mck_rerun_assumes(struct mck_rerun *r, uint32_t log) {
  struct mck_rerun_log *l = &r->logs[log];
  uint32_t op = (uint32_t)l->at;
  if (l->is_done || l->met.log == MCK_NONE || !mck_rerun_synchronizes(r, log, op)) return false;
  size_t n = r->meetings.series[l->met.log].n;
  r->steps += n;
  for (size_t slot = 0; slot < n; slot++)
    if (is_missing(r, log, l->met, slot) && !needs_data_of(r, log, op, l->met, slot)) return true;
  return false;
}

static enum mck_rerun_lack ask_meeting(struct mck_rerun *r, uint32_t log, uint32_t op, struct mck_pair *of) {
  struct mck_rerun_log *l = &r->logs[log];
  const struct mck_event *e = &l->reader->events[op];
  bool is_later = e->kind == MCK_EV_COLL && e->flags & MCK_FLAG_NONBLOCKING;
  *of = is_later ? find_met(l, op) : l->met;
  if (of->log == MCK_NONE) return MCK_LACKS_NOTHING;
  struct mck_meeting_series *s = &r->meetings.series[of->log];
  struct mck_meeting_item *item = &s->items[of->index];
  if (item->arrived >= s->n) return MCK_LACKS_NOTHING;
  enum mck_std_needs needs = mck_rerun_synchronizes(r, log, op)
                                 ? MCK_STD_NEEDS_ALL
                                 : mck_meetings_needs(&r->meetings, log, op, MCK_STD_SURELY);
  switch (needs) {
  case MCK_STD_NEEDS_UNKNOWN:
  case MCK_STD_NEEDS_OUTSIDE:
  case MCK_STD_NEEDS_NOTHING: return MCK_LACKS_NOTHING;
  case MCK_STD_NEEDS_ALL: return MCK_LACKS_MEMBERS;
  case MCK_STD_NEEDS_ROOT: return item->has_root ? MCK_LACKS_NOTHING : MCK_LACKS_MEMBERS;
  case MCK_STD_NEEDS_OTHER_GROUP:
  case MCK_STD_NEEDS_LOWER:
  case MCK_STD_NEEDS_OWN_COUNTED:
  case MCK_STD_NEEDS_COUNTED:
  case MCK_STD_NEEDS_SOURCES: break;
  }
  r->steps += s->n;
  for (size_t slot = 0; slot < s->n; slot++)
    if (mck_rerun_misses(r, log, op, *of, slot)) return item->is_eager = true, MCK_LACKS_MEMBERS;
  return MCK_LACKS_NOTHING;
}

enum mck_rerun_lack mck_rerun_ask(struct mck_rerun *r, uint32_t log, uint32_t op, struct mck_pair *of,
                                  bool *is_standard) {
  struct mck_rerun_log *l = &r->logs[log];
  const struct mck_event *e = &l->reader->events[op];
  *is_standard = false;
  r->steps++;
  if (mck_meetings_has(&r->meetings, log, op)) return ask_meeting(r, log, op, of);
  *of = r->whole->pairs->of[log][op];
  if (of->log == MCK_NONE || (e->kind != MCK_EV_SEND && !is_receive(e))) return MCK_LACKS_NOTHING;
  if (e->kind == MCK_EV_SEND) {
    if (e->flags & (MCK_FLAG_CANCELLED | MCK_FLAG_LOCAL)) return MCK_LACKS_NOTHING;
    switch (e->flags & MCK_MODE_MASK) {
    case MCK_FLAG_BUFFERED:
    case MCK_FLAG_READY: return MCK_LACKS_NOTHING; // neither mode waits for the receive (MPI-3.1 3.4)
    case MCK_FLAG_SYNC: break;
    default:
      // No library that we know of waits for a receiver when it has nothing to copy. Such messages do not grow with the
      // problem either.
      if (!mck_options.pedantic && is_empty(l->reader, e)) return MCK_LACKS_NOTHING;
      *is_standard = true;
      if (l->is_free || (l->nbuffered && is_buffered(l, e->site))) return MCK_LACKS_NOTHING;
    }
  }
  return mck_rerun_is_entered(r, of->log, of->index) ? MCK_LACKS_NOTHING : MCK_LACKS_EVENT;
}

bool mck_rerun_part(const struct mck_rerun *r, uint32_t log, uint32_t k, uint32_t *op) {
  const struct mck_rerun_log *l = &r->logs[log];
  const struct mck_event *e = &l->reader->events[l->at];
  if (e->kind == MCK_EV_DONE || (e->kind == MCK_EV_WAIT && e->flags == MCK_WAIT_ALL)) {
    if (k >= e->wait.count) return false;
    *op = mck_wait_request(e, k); // an event before this one, or MCK_NONE
    return true;
  }
  bool is_half = (e->kind == MCK_EV_SEND || e->kind == MCK_EV_RECV) && e->flags & MCK_FLAG_PART;
  *op = (uint32_t)l->at;
  if (is_half && e->kind == MCK_EV_SEND) return false; // the send and the receive go on at the same time (MPI-3.1 3.10)
  if (is_half && k == 1 && l->half != MCK_NONE) return *op = l->half, true;
  bool is_started = (e->kind == MCK_EV_SEND || e->kind == MCK_EV_RECV || e->kind == MCK_EV_COLL) &&
                    e->flags & MCK_FLAG_NONBLOCKING;
  return k == 0 && !is_started &&
         (e->kind == MCK_EV_SEND || is_receive(e) || mck_meetings_has(&r->meetings, log, (uint32_t)l->at));
}

// --- lists of waiting logs ---
static void wait_for(struct mck_rerun *r, uint32_t log, struct mck_pair of, bool is_meeting) {
  r->logs[log].is_waiting = true;
  mck_waiting_logs_add(&r->waits, log, of, is_meeting);
}

static void make_ready(struct mck_rerun *r, uint32_t log) {
  r->logs[log].is_waiting = false;
  r->ready[r->nready++] = log;
}

// Wakes each log of a list.
static void wake(struct mck_rerun *r, uint32_t first) {
  for (; first; first = r->waits.logs[first - 1].next) make_ready(r, first - 1);
}

static void take_out(struct mck_rerun *r, uint32_t log) {
  if (!r->logs[log].is_waiting) return;
  mck_waiting_logs_drop(&r->waits, log);
  make_ready(r, log);
}

// --- going on ---
static void arrive(struct mck_rerun *r, uint32_t log) {
  struct mck_rerun_log *l = &r->logs[log];
  const struct mck_event *e = &l->reader->events[l->at];
  struct mck_pair met = mck_meetings_arrive(&r->meetings, (struct mck_point){log, (uint32_t)l->at, 0});
  l->met = met;
  if (met.log == MCK_NONE) return;
  if (e->kind == MCK_EV_COLL && e->flags & MCK_FLAG_NONBLOCKING) {
    struct mck_rerun_met later = {(uint32_t)l->at, met};
    if (!MCK_PUSH(l->met_later, l->nmet, l->met_capacity, later)) r->is_short = true;
  }
  struct mck_meeting_series *s = &r->meetings.series[met.log];
  struct mck_meeting_item *item = &s->items[met.index];
  bool is_root = item->has_root && item->root.log == log;
  if (!is_root && !item->is_eager && item->arrived < s->n) return;
  wake(r, mck_waiting_logs_take_all(item));
}

static void wake_waiting(struct mck_rerun *r, uint32_t log) {
  wake(r, mck_waiting_logs_take(&r->waits, log, r->logs[log].at + 1, &r->steps));
}

static void enter(struct mck_rerun *r, uint32_t log) {
  struct mck_rerun_log *l = &r->logs[log];
  const struct mck_event *e = &l->reader->events[l->at];
  l->reached = l->at + 1;
  l->is_free = false;
  l->part = 0;
  if (e->kind == MCK_EV_SEND && e->flags & MCK_FLAG_PART) l->half = (uint32_t)l->at;
  if (e->kind == MCK_EV_WAIT && e->flags != MCK_WAIT_ALL) l->any = (uint32_t)l->at;
  if (mck_meetings_has(&r->meetings, log, (uint32_t)l->at)) arrive(r, log);
  if (l->at >= r->waits.logs[log].wake) wake_waiting(r, log);
}

// Asks all operations of the event at hand. Returns false when the log waits.
static bool ask_all(struct mck_rerun *r, uint32_t log) {
  struct mck_rerun_log *l = &r->logs[log];
  for (uint32_t op; mck_rerun_part(r, log, l->part, &op); l->part++) {
    struct mck_pair of;
    bool is_standard;
    if (op == MCK_NONE) continue;
    enum mck_rerun_lack lack = mck_rerun_ask(r, log, op, &of, &is_standard);
    if (lack == MCK_LACKS_NOTHING) continue;
    wait_for(r, log, of, lack == MCK_LACKS_MEMBERS);
    return false;
  }
  return true;
}

// Passes over messages that need nothing, or that have what they need: most of a log.
static uint64_t skip_messages(struct mck_rerun *r, uint32_t log, const struct mck_pair *pairs) {
  struct mck_rerun_log *l = &r->logs[log];
  const struct mck_event *events = l->reader->events;
  uint64_t at = l->at, units = l->reader->units;
  for (; at < units && at != l->unfinished; at++) {
    const struct mck_event *e = &events[at];
    if ((e->kind != MCK_EV_SEND && e->kind != MCK_EV_RECV) || e->flags & MCK_FLAG_PART) break;
    struct mck_pair of = pairs[at];
    l->at = at;
    l->reached = at + 1;
    r->steps++;
    if (at >= r->waits.logs[log].wake) wake_waiting(r, log);
    if (e->flags & MCK_FLAG_NONBLOCKING || of.log == MCK_NONE || of.index < r->logs[of.log].reached) continue;
    bool is_standard;
    l->is_free = false;
    l->part = 0;
    if (e->kind == MCK_EV_SEND && mck_rerun_ask(r, log, (uint32_t)at, &of, &is_standard) == MCK_LACKS_NOTHING) continue;
    l->is_simple = true;
    wait_for(r, log, of, false);
    break;
  }
  return at;
}

static void run_log(struct mck_rerun *r, uint32_t log) {
  struct mck_rerun_log *l = &r->logs[log];
  const struct mck_event *events = l->reader->events;
  const struct mck_pair *pairs = r->whole->pairs->of[log];
  if (l->is_simple) l->at++;
  l->is_simple = false;
  for (;;) {
    if (l->reached <= l->at) l->at = skip_messages(r, log, pairs);
    if (l->is_simple) return;
    if (l->at >= l->reader->units || r->is_short) break;
    if (mck_order_is_call(&events[l->at])) {
      if (l->reached <= l->at) enter(r, log);
      if (l->at == l->unfinished) break; // the watch judges what really stood still
      if (!ask_all(r, log)) return;
      r->is_short |= r->meetings.is_short;
    }
    l->at += mck_event_units(&events[l->at]);
  }
  l->reached = UINT64_MAX;
  l->is_done = true;
}

static bool open_log(struct mck_rerun *r, uint32_t i) {
  struct mck_rerun_log *l = &r->logs[i];
  l->reader = &r->whole->logs[i];
  l->unfinished = l->half = l->any = MCK_NONE;
  const struct mck_log_header *h = l->reader->header;
  if (atomic_load(&h->state) != MCK_LOG_FINALIZED) l->unfinished = mck_wait_event(atomic_load(&h->wait));
  for (uint64_t k = 0; k < l->reader->units && !l->has_wild; k += mck_event_units(&l->reader->events[k])) {
    const struct mck_event *e = &l->reader->events[k];
    l->has_wild = is_receive(e) && mck_event_has_wildcard(e->flags);
  }
  uint32_t rank = l->reader->header->rank;
  if (rank < r->size) r->by_rank[rank] = i;
  return true;
}

static void close_rerun(struct mck_rerun *r) {
  for (size_t i = 0; r->logs && i < r->n; i++) {
    free(r->logs[i].met_later);
    free(r->logs[i].buffered);
  }
  free(r->logs);
  free(r->ready);
  free(r->by_rank);
  mck_meetings_close(&r->meetings);
  mck_waiting_logs_close(&r->waits);
}

void mck_rerun_release(struct mck_rerun *r, uint32_t log) {
  r->logs[log].is_free = true;
  take_out(r, log);
}

bool mck_rerun_buffer(struct mck_rerun *r, uint32_t log, uint32_t site) {
  struct mck_rerun_log *l = &r->logs[log];
  if (is_buffered(l, site)) return false;
  if (!MCK_PUSH(l->buffered, l->nbuffered, l->buffered_capacity, site)) return r->is_short = true, false;
  size_t i = l->nbuffered - 1;
  for (; i && l->buffered[i - 1] > site; i--) l->buffered[i] = l->buffered[i - 1];
  l->buffered[i] = site;
  return true;
}

bool mck_rerun_run(struct mck_rerun *r, const struct mck_whole *whole, bool is_synchronizing, mck_rerun_stuck *stuck,
                   void *context) {
  size_t n = whole->n;
  *r = (struct mck_rerun){
      .whole = whole, .n = n, .is_synchronizing = is_synchronizing, .size = n ? whole->logs[0].header->size : 0};
  r->logs = calloc(n + 1, sizeof *r->logs);
  r->ready = calloc(n + 1, sizeof *r->ready);
  r->by_rank = malloc(((size_t)r->size + 1) * sizeof *r->by_rank);
  bool is_good = mck_meetings_open(&r->meetings, whole->logs, n) && mck_waiting_logs_open(&r->waits, &r->meetings, n) &&
                 r->logs && r->ready && r->by_rank;
  if (r->by_rank) memset(r->by_rank, 0xff, ((size_t)r->size + 1) * sizeof *r->by_rank);
  for (size_t i = 0; is_good && i < n; i++) is_good = open_log(r, (uint32_t)i);
  for (size_t i = n; is_good && i > 0; i--) r->ready[r->nready++] = (uint32_t)i - 1;
  while (is_good) {
    while (r->nready && !r->is_short) run_log(r, r->ready[--r->nready]);
    bool is_over = true;
    for (size_t i = 0; i < n; i++) is_over &= r->logs[i].is_done;
    is_good = !r->is_short;
    if (is_over || !is_good || !stuck(r, context)) break;
  }
  is_good = is_good && !r->is_short;
  close_rerun(r);
  return is_good;
}
