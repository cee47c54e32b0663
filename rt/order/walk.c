// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk: which log goes on, what the sink gets, and what is done when no log can go on (order.h).
#include <stdlib.h>
#include "base/worker-threads.h"
#include "order/walk.h"

static bool open_log(struct mck_walk *w, uint32_t number) {
  struct mck_walk_log *log = &w->logs[number];
  const struct mck_reader *r = log->reader = &w->readers[number];
  log->pairs = w->pairs->of[number];
  log->unfinished = log->half = MCK_NONE;
  if (atomic_load(&r->header->state) != MCK_LOG_FINALIZED)
    log->unfinished = mck_wait_event(atomic_load(&r->header->wait));
  // In which order receives of several strands were posted is not certain, unless something orders them.
  const struct mck_strands *s = &w->pairs->strands[number];
  log->has_strands = s->npieces;
  if (w->sink->complete && (!s->npieces || mck_strands_are_total(s)))
    mck_overtake_open(&log->overtake, r, w->pairs, number);
  return w->sink->is_plain || (log->start = mck_base_alloc_large((r->units + 1) * sizeof *log->start));
}

// Makes all logs of a list ready.
static void wake(struct mck_walk *w, uint32_t first) {
  for (; first; first = w->waits.logs[first - 1].next) w->ready[w->nready++] = first - 1;
}

static void arrive(struct mck_walk *w, uint32_t number) {
  struct mck_walk_log *log = &w->logs[number];
  struct mck_point here = {number, (uint32_t)log->at, log->time};
  struct mck_walk_met new = {(uint32_t)log->at, mck_meetings_arrive(&w->meetings, here)};
  struct mck_pair met = new.at;
  if (met.log == MCK_NONE) return;
  if (!MCK_PUSH(log->met, log->nmet, log->met_capacity, new)) w->is_short = true;
  struct mck_meeting_series *s = &w->meetings.series[met.log];
  struct mck_meeting_item *m = &s->items[met.index];
  bool is_root = m->has_root && m->root.log == number;
  if (!is_root && !m->is_eager && m->arrived < s->n) return;
  wake(w, mck_waiting_logs_take_all(m));
}

static void wait_for(struct mck_walk *w, uint32_t number, struct mck_walk_question q) {
  w->logs[number].waits_with = q.op;
  mck_waiting_logs_add(&w->waits, number, q.of, q.is_meeting);
}

// --- calls of the sink ---
static void draw_arrow(struct mck_walk *w, uint32_t number, struct mck_walk_question q) {
  struct mck_point to = {number, (uint32_t)w->logs[number].at, w->logs[number].end}, from = {0};
  enum mck_walk_answer answer = mck_walk_ask(w, number, q, &from);
  if (answer == MCK_WALK_NOTHING_THERE || (q.is_meeting && from.log == number)) return;
  if (answer == MCK_WALK_BLOCKED || from.time >= to.time) { // the log has gone on without it
    w->totals->left_out++;
    return;
  }
  if (q.is_meeting) w->totals->collectives++;
  else w->totals->messages++;
  if (w->sink->arrow)
    w->sink->arrow(w->sink->context, q.is_meeting ? MCK_ARROW_COLLECTIVE : MCK_ARROW_MESSAGE, from, to);
}

static void tell(struct mck_walk *w, uint32_t number, uint32_t op, struct mck_walk_question q, bool is_asked) {
  struct mck_walk_log *log = &w->logs[number];
  const struct mck_event *e = &log->reader->events[op];
  struct mck_point at = {number, (uint32_t)log->at, log->end}, from;
  struct mck_order_done done = {.op = op, .with = {MCK_NONE, MCK_NONE}, .meetings = &w->meetings, .log = number};
  struct mck_meeting meeting;
  enum mck_walk_answer answer = is_asked ? mck_walk_ask(w, number, q, &from) : MCK_WALK_NOTHING_THERE;
  // For other events the drawing of the arrow has counted it.
  if (answer == MCK_WALK_BLOCKED && (e->kind == MCK_EV_SEND || e->kind == MCK_EV_PROBE || e->kind == MCK_EV_SYNC))
    w->totals->left_out++;
  if (is_asked && q.of.log != MCK_NONE && answer != MCK_WALK_BLOCKED) {
    if (!q.is_meeting) done.with = q.of;
    else {
      const struct mck_meeting_series *s = &w->meetings.series[q.of.log];
      meeting = (struct mck_meeting){(uint64_t)q.of.log << 32 | q.of.index, s->members, s->items[q.of.index].entries,
                                     s->n};
      done.meeting = &meeting;
      done.needs = q.needs;
    }
  }
  uint32_t owner;
  if (is_asked && !q.is_meeting && mck_walk_has_before(w, number, e)) {
    done.before = mck_walk_find_before(w, number, op, &owner, &done.nbefore);
    // The log has gone on without an event that was not reached, too.
    for (size_t i = 0; i < done.nbefore; i++) {
      struct mck_pair of = w->pairs->of[owner][done.before[i]];
      if (mck_walk_time_of(w, of) == UINT64_MAX) w->totals->left_out++, done.nbefore = i;
    }
  }
  w->sink->complete(w->sink->context, at, &done);
  if (e->kind == MCK_EV_RECV) mck_overtake_complete(&log->overtake, op);
}

bool mck_order_is_needed(const struct mck_order_done *done, size_t member) {
  if (!done->meeting || member >= done->meeting->n) return false;
  const struct mck_meeting_series *s = &done->meetings->series[done->meeting->id >> 32];
  return mck_meetings_is_needed(done->meetings, done->log, done->op, done->needs, s, member);
}

// The arrow of a synchronous send is that of its message, which is drawn at the receive. So is that of a probe.
static void finish(struct mck_walk *w, uint32_t number) {
  const struct mck_walk_log *log = &w->logs[number];
  for (uint32_t k = 0, op; mck_walk_part_of(w, number, k, &op); k++) {
    if (op == MCK_NONE) continue;
    struct mck_walk_question q = {0};
    bool is_asked = mck_walk_question_of(w, number, op, 0, &q);
    uint8_t kind = log->reader->events[op].kind;
    if (is_asked && kind != MCK_EV_SEND && kind != MCK_EV_PROBE && kind != MCK_EV_SYNC) draw_arrow(w, number, q);
    if (w->sink->complete) tell(w, number, op, q, is_asked);
  }
}

// Logs that wait for an entered event go on.
static void wake_waiting(struct mck_walk *w, uint32_t number) {
  wake(w, mck_waiting_logs_take(&w->waits, number, w->reached[number], &w->looked));
}

static void enter(struct mck_walk *w, uint32_t number) {
  struct mck_walk_log *log = &w->logs[number];
  const struct mck_event *e = &log->reader->events[log->at];
  log->is_entered = true;
  log->part = log->sub = 0;
  if (log->start)
    for (uint64_t i = w->reached[number]; i <= log->at; i++) log->start[i] = log->time;
  w->reached[number] = log->at + 1;
  log->end = log->time + 1;
  if (e->kind == MCK_EV_SEND && e->flags & MCK_FLAG_PART) log->half = (uint32_t)log->at;
  if (mck_meetings_has(&w->meetings, number, (uint32_t)log->at)) arrive(w, number);
  if (w->sink->complete && (e->kind == MCK_EV_RECV || e->kind == MCK_EV_MPROBE)) {
    struct mck_pair send = w->pairs->of[number][log->at];
    if (send.log != MCK_NONE && log->overtake.count && mck_walk_is_synchronous(w, send.log, send.index))
      mck_overtake_hold(&log->overtake, (uint32_t)log->at);
    mck_overtake_post(&log->overtake, (uint32_t)log->at);
  }
  w->sink->enter(w->sink->context, (struct mck_point){number, (uint32_t)log->at, log->time});
  w->totals->events++;
  if (log->at >= w->waits.logs[number].wake) wake_waiting(w, number);
}

// Returns false when the log waits.
static bool ask_all(struct mck_walk *w, uint32_t number) {
  struct mck_walk_log *log = &w->logs[number];
  for (uint32_t op; mck_walk_part_of(w, number, log->part, &op); log->part++, log->sub = 0) {
    struct mck_walk_question q;
    for (; op != MCK_NONE && mck_walk_question_of(w, number, op, log->sub, &q); log->sub++) {
      struct mck_point from = {0};
      enum mck_walk_answer answer = log->is_forced ? MCK_WALK_NOTHING_THERE : mck_walk_ask(w, number, q, &from);
      log->is_forced = false;
      if (answer == MCK_WALK_BLOCKED) {
        wait_for(w, number, q);
        return false;
      }
      if (answer == MCK_WALK_READY && from.time >= log->end) log->end = from.time + 1;
    }
  }
  return true;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// The stretch that the sink goes over by itself. Returns false when the log waits.
static bool go_over(struct mck_walk *w, uint32_t number) {
  struct mck_walk_log *log = &w->logs[number];
  uint64_t limit = least(least(log->reader->units, log->unfinished), w->meetings.by_log[number].cut);
  struct mck_order_stretch s = {.log = number, .at = log->at, .reached = w->reached, .is_entered = log->is_entered};
  // Logs that wait for an event here go on at once. So the walk is at about the same time in all logs, and goes through
  // their memory in order.
  do {
    s.end = least(limit, (uint64_t)w->waits.logs[number].wake + 1);
    if (s.at >= s.end) break;
    w->sink->stretch(w->sink->context, &s);
    if (w->reached[number] > w->waits.logs[number].wake) wake_waiting(w, number);
  } while (!s.is_entered && s.at >= s.end);
  log->at = s.at;
  log->is_entered = log->is_stretched = s.is_entered;
  if (!s.is_entered) return true;
  log->part = log->sub = 0;
  log->end = log->time + 1;
  wait_for(w, number, (struct mck_walk_question){.op = (uint32_t)log->at, .of = s.with});
  return false;
}

// Walks a log as far as possible: until it waits for another log, or to its end.
static void run(struct mck_walk *w, uint32_t number) {
  struct mck_walk_log *log = &w->logs[number];
  const struct mck_reader *r = log->reader;
  for (; log->at < r->units && !w->is_short; log->at += mck_event_units(&r->events[log->at])) {
    bool is_own = log->is_entered && (!log->is_stretched || log->is_forced);
    if (w->sink->stretch && !is_own && !log->has_strands && !log->overtake.count) {
      if (!go_over(w, number)) return;
      if (log->at >= r->units) break;
    }
    const struct mck_event *e = &r->events[log->at];
    if (!mck_order_is_call(e) && e->kind != MCK_EV_WINDOW_BYTES) continue;
    if (!log->is_entered) enter(w, number);
    bool is_finished = log->at != log->unfinished;
    if (is_finished && !ask_all(w, number)) return;
    if (is_finished) finish(w, number);
    w->sink->leave(w->sink->context, (struct mck_point){number, (uint32_t)log->at, log->end}, is_finished);
    log->time = log->end;
    log->is_entered = false;
    w->is_short |= w->meetings.is_short || log->overtake.is_short;
  }
  log->is_done = true;
}

static bool may_go_on(struct mck_walk *w) {
  size_t n = 0;
  if (!w->sink->stuck) return true;
  struct mck_order_wait *waits = malloc((w->n + 1) * sizeof *waits);
  if (!waits) return w->is_short = true, false;
  for (uint32_t i = 0; i < w->n; i++) {
    const struct mck_walk_log *log = &w->logs[i];
    if (!log->is_done)
      waits[n++] = (struct mck_order_wait){i, (uint32_t)log->at, log->waits_with, w->waits.logs[i].is_meeting,
                                           w->waits.logs[i].of};
  }
  w->totals->is_stopped = n && !w->sink->stuck(w->sink->context, waits, n);
  free(waits);
  return !w->totals->is_stopped;
}

// No log can go on: the earliest one goes on without the event that it waits for.
static bool force(struct mck_walk *w) {
  uint32_t first = MCK_NONE;
  for (uint32_t i = 0; i < w->n; i++)
    if (!w->logs[i].is_done && (first == MCK_NONE || w->logs[i].time < w->logs[first].time)) first = i;
  if (first == MCK_NONE || !may_go_on(w)) return false;
  mck_waiting_logs_drop(&w->waits, first);
  if (w->sink->is_plain) w->totals->left_out++; // without times there is no other way to notice that it comes too late
  w->logs[first].is_forced = true;
  w->ready[w->nready++] = first;
  return true;
}

static void close_walk(struct mck_walk *w) {
  for (size_t i = 0; w->logs && i < w->n; i++) {
    free(w->logs[i].start);
    free(w->logs[i].met);
    mck_overtake_close(&w->logs[i].overtake);
  }
  free(w->logs);
  free(w->reached);
  free(w->ready);
  mck_meetings_close(&w->meetings);
  mck_waiting_logs_close(&w->waits);
}

unsigned mck_order_doubts(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs) {
  unsigned doubts = pairs->undecided ? MCK_DOUBT_UNDECIDED : 0;
  if (n && logs[0].header->size != n) doubts |= MCK_DOUBT_INCOMPLETE;
  for (size_t i = 0; i < n; i++) {
    const struct mck_log_header *h = logs[i].header;
    uint32_t multiple = atomic_load(&h->is_multiple);
    if (multiple & MCK_LOG_THREADS && !mck_strands_are_total(&pairs->strands[i])) doubts |= MCK_DOUBT_THREADS;
    if (multiple & MCK_LOG_UNSEEN) doubts |= MCK_DOUBT_UNSEEN;
    if (atomic_load(&h->is_incomplete) || logs[i].damaged != UINT64_MAX) doubts |= MCK_DOUBT_INCOMPLETE;
    if (atomic_load(&h->generation)) doubts |= MCK_DOUBT_RECYCLED;
  }
  return doubts;
}

bool mck_order_walk(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs,
                    const struct mck_order_sink *sink, struct mck_order_totals *totals) {
  struct mck_walk w = {.readers = logs, .n = n, .sink = sink, .totals = totals, .pairs = pairs};
  *totals = (struct mck_order_totals){.doubts = mck_order_doubts(logs, n, pairs)};
  w.logs = calloc(n + 1, sizeof *w.logs);
  w.reached = calloc(n + 1, sizeof *w.reached);
  w.ready = calloc(n + 1, sizeof *w.ready);
  bool is_good = mck_meetings_open(&w.meetings, logs, n) && mck_waiting_logs_open(&w.waits, &w.meetings, n) && w.logs &&
                 w.reached && w.ready;
  w.meetings.has_barriers = sink->has_barriers;
  for (size_t i = 0; is_good && i < n; i++) is_good = open_log(&w, (uint32_t)i);
  for (size_t i = n; is_good && i > 0; i--) w.ready[w.nready++] = (uint32_t)i - 1;
  do
    while (is_good && w.nready) run(&w, w.ready[--w.nready]), is_good = !w.is_short;
  while (is_good && force(&w));
  is_good = is_good && !w.is_short;
  close_walk(&w);
  return is_good;
}
