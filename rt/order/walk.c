// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>
#include "base/crew.h"
#include "order/meet.h"
#include "order/overtake.h"

struct met {  // an event that entered a meeting: .log = series, .index = number in it
  uint32_t index;
  struct mck_pair at;
};
struct log {
  const struct mck_reader *reader;
  const struct mck_pair *pairs;
  uint64_t at, time;            // the event at hand; the end of the one before
  uint64_t *start;              // [index]: when; NULL: nobody asks
  struct met *met;              // in the order of the log
  size_t nmet, met_capacity;
  uint32_t part, sub;           // of the event at hand: the operation, and the question about it, that is next
  uint64_t end;                 // of the event at hand, as far as known
  uint32_t waiting, wake;       // others that wait for an event here: first + 1, and the lowest index of them
  uint32_t next, wants;         // in such a list: the next one, and the event waited for
  struct mck_pair waits_for;    // the list: of a log's event, or of a meeting
  uint32_t waits_with;          // the operation that it is about
  bool waits_for_meeting;
  uint32_t unfinished;          // the event within which the log ends
  uint32_t half;                // the SEND of the last MPI_Sendrecv
  bool is_entered, is_forced, is_done;
  bool is_stretched;            // entered within a stretch
  struct mck_overtake overtake;
};
struct walk {
  const struct mck_reader *readers;
  size_t n;
  const struct mck_order_sink *sink;
  struct mck_order_totals *totals;
  const struct mck_pairs *pairs;
  struct log *logs;
  uint64_t *reached;            // [log]: what is before this index has been entered
  struct mck_meet meet;
  uint32_t *ready;
  size_t nready;  // each log once: it is ready, waits in one list, or is done
  bool is_short;
};

static bool is_receive(const struct mck_event *e) {
  return e->kind == MCK_EV_RECV || e->kind == MCK_EV_MPROBE || e->kind == MCK_EV_PROBE;
}

static bool is_synchronous(const struct walk *w, uint32_t log, uint32_t index) {
  if (w->sink->is_synchronous) return w->sink->is_synchronous(w->sink->context, log, index);
  return (w->readers[log].events[index].flags & MCK_MODE_MASK) == MCK_FLAG_SYNC;
}

static bool open_log(struct walk *w, uint32_t number) {
  struct log *log = &w->logs[number];
  const struct mck_reader *r = log->reader = &w->readers[number];
  log->pairs = w->pairs->of[number];
  log->wake = log->unfinished = log->half = MCK_NONE;
  if (atomic_load(&r->header->state) != MCK_LOG_FINALIZED) log->unfinished = mck_wait_event(atomic_load(&r->header->wait));
  if (w->sink->complete) mck_overtake_open(&log->overtake, r, w->pairs, number);
  return w->sink->is_plain || (log->start = mck_base_alloc_large((r->units + 1) * sizeof *log->start));
}

// UINT64_MAX: it was not entered.
static uint64_t time_of(const struct walk *w, struct mck_pair event) {
  const struct log *log = &w->logs[event.log];
  return event.index >= w->reached[event.log] ? UINT64_MAX : log->start ? log->start[event.index] : 0;
}

static struct mck_pair meeting_of(const struct walk *w, uint32_t number, uint32_t index) {
  const struct log *log = &w->logs[number];
  size_t low = 0, high = log->nmet;
  if (high && log->met[high - 1].index == index) return log->met[high - 1].at;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (log->met[middle].index < index) low = middle + 1;
    else high = middle;
  }
  return low < log->nmet && log->met[low].index == index ? log->met[low].at : (struct mck_pair){MCK_NONE, MCK_NONE};
}

static void wake(struct walk *w, uint32_t first) {
  for (uint32_t next; first; first = next) {
    next = w->logs[first - 1].next;
    w->ready[w->nready++] = first - 1;
  }
}

static void arrive(struct walk *w, uint32_t number) {
  struct log *log = &w->logs[number];
  struct mck_point here = {number, (uint32_t)log->at, log->time};
  struct met new = {(uint32_t)log->at, mck_meet_arrive(&w->meet, here)};
  struct mck_pair met = new.at;
  if (met.log == MCK_NONE) return;
  if (!MCK_PUSH(log->met, log->nmet, log->met_capacity, new)) w->is_short = true;
  struct mck_meet_series *s = &w->meet.series[met.log];
  struct mck_meet_item *m = &s->items[met.index];
  bool is_root = m->has_root && m->root.log == number;
  if (!is_root && !m->is_eager && m->arrived < s->n) return;
  uint32_t waiting = m->waiting;
  m->waiting = 0;
  wake(w, waiting);
}

// --- what an operation waits for ---
enum answer { READY, BLOCKED, NOTHING_THERE };

struct question {
  bool is_meeting;
  uint32_t op;
  struct mck_pair of;
  enum mck_order_needs needs;
};

static enum answer ask_meeting(struct walk *w, uint32_t number, struct question q, struct mck_point *from) {
  const struct mck_meet_series *s = &w->meet.series[q.of.log];
  struct mck_meet_item *m = &s->items[q.of.index];
  if (q.needs == MCK_NEEDS_ALL) return *from = m->last, m->arrived >= s->n ? READY : BLOCKED;
  if (q.needs == MCK_NEEDS_ROOT) return *from = m->root, m->has_root ? READY : BLOCKED;
  enum answer answer = NOTHING_THERE;
  from->time = 0;
  for (size_t slot = 0; slot < s->n; slot++) {
    if (!mck_meet_is_needed(&w->meet, number, q.op, q.needs, s, slot)) continue;
    if (m->entries[slot] == MCK_NONE) return m->is_eager = true, BLOCKED;
    struct mck_point entry = {s->members[slot].log, m->entries[slot], 0};
    entry.time = time_of(w, (struct mck_pair){entry.log, entry.index});
    if (answer == NOTHING_THERE || entry.time >= from->time) *from = entry;
    answer = READY;
  }
  return answer;
}

static enum answer ask(struct walk *w, uint32_t number, struct question q, struct mck_point *from) {
  if (q.of.log == MCK_NONE || (q.is_meeting && q.needs == MCK_NEEDS_NOTHING)) return NOTHING_THERE;
  if (q.is_meeting) return ask_meeting(w, number, q, from);
  *from = (struct mck_point){q.of.log, q.of.index, time_of(w, q.of)};
  return from->time != UINT64_MAX ? READY : BLOCKED;
}

static uint32_t *list_of(struct walk *w, const struct log *log) {
  return log->waits_for_meeting ? &w->meet.series[log->waits_for.log].items[log->waits_for.index].waiting
                                : &w->logs[log->waits_for.log].waiting;
}

static void wait_for(struct walk *w, uint32_t number, struct question q) {
  struct log *log = &w->logs[number];
  log->waits_for = q.of;
  log->waits_for_meeting = q.is_meeting;
  log->waits_with = q.op;
  log->wants = q.of.index;
  uint32_t *list = list_of(w, log);
  log->next = *list;
  *list = number + 1;
  if (!q.is_meeting && q.of.index < w->logs[q.of.log].wake) w->logs[q.of.log].wake = q.of.index;
}

static void wait_no_more(struct walk *w, uint32_t number) {
  uint32_t *at = list_of(w, &w->logs[number]);
  while (*at && *at != number + 1) at = &w->logs[*at - 1].next;
  if (*at) *at = w->logs[number].next;
}

static bool has_before(const struct walk *w, uint32_t number, const struct mck_event *e) {
  return w->sink->complete && (e->kind == MCK_EV_SEND || (w->logs[number].overtake.count && is_receive(e)));
}

// Receives that must have matched when this operation's message did; which log's they are: *owner.
static const uint32_t *find_before(struct walk *w, uint32_t number, uint32_t op, uint32_t *owner, size_t *n) {
  struct mck_overtake *o = &w->logs[number].overtake;
  *owner = number;
  if (w->readers[number].events[op].kind == MCK_EV_SEND) {
    struct mck_pair receive = w->pairs->of[number][op];
    *n = 0;
    if (receive.log == MCK_NONE) return NULL;
    *owner = receive.log;
    return mck_overtake_recall(&w->logs[receive.log].overtake, receive.index, n);
  }
  mck_overtake_find(o, op);
  *n = o->nfound;
  return o->found;
}

// The k-th thing that the completion of this operation waits for: its other side, then the sends of what came before.
static bool question_of(struct walk *w, uint32_t number, uint32_t op, uint32_t k, struct question *q) {
  const struct mck_event *e = &w->readers[number].events[op];
  if (e->kind == MCK_EV_SYNC) {
    *q = (struct question){.op = op};
    return w->sink->also && w->sink->also(w->sink->context, number, op, k, &q->of);
  }
  bool is_meeting = mck_meet_is(&w->meet, number, op);
  // Only a synchronous send ends when its receive has begun (MPI-3.1 3.4). An MRECV took its message at the probe.
  if (!is_meeting && !is_receive(e) && !(e->kind == MCK_EV_SEND && is_synchronous(w, number, op))) return false;
  if (k == 0) {
    *q = (struct question){is_meeting, op, is_meeting ? meeting_of(w, number, op) : w->pairs->of[number][op], 0};
    if (is_meeting) q->needs = mck_meet_needs(&w->meet, number, op);
    return true;
  }
  if (is_meeting || !has_before(w, number, e)) return false;
  uint32_t owner;
  size_t n;
  const uint32_t *before = find_before(w, number, op, &owner, &n);
  if (k > n) return false;
  *q = (struct question){false, op, w->pairs->of[owner][before[k - 1]], 0};
  return true;
}

// The operations that end with the event at hand: itself if it blocks, or those that it waits for. Returns whether there
// is a k-th; op MCK_NONE: nothing is known of it.
static bool part_of(const struct walk *w, uint32_t number, uint32_t k, uint32_t *op) {
  const struct log *log = &w->logs[number];
  const struct mck_event *e = &log->reader->events[log->at];
  if (e->kind == MCK_EV_DONE || (e->kind == MCK_EV_WAIT && e->flags == MCK_WAIT_ALL)) {
    if (k >= e->wait.count) return false;
    *op = mck_wait_request(e, k);  // before this one, or none
    return true;
  }
  bool is_half = (e->kind == MCK_EV_SEND || e->kind == MCK_EV_RECV) && e->flags & MCK_FLAG_PART;
  *op = (uint32_t)log->at;
  if (is_half && e->kind == MCK_EV_SEND) return false;  // both halves go on at once (MPI-3.1 3.10)
  if (is_half && k == 1 && log->half != MCK_NONE) return *op = log->half, true;
  bool is_blocking = (e->kind == MCK_EV_SYNC && w->sink->also) || e->kind == MCK_EV_FENCE || e->kind == MCK_EV_MPROBE || e->kind == MCK_EV_PROBE ||
                     mck_meet_is(&w->meet, number, (uint32_t)log->at) || e->kind == MCK_EV_SEND ||
                     e->kind == MCK_EV_RECV;
  bool is_started = (e->kind == MCK_EV_SEND || e->kind == MCK_EV_RECV || e->kind == MCK_EV_COLL) &&
                    e->flags & MCK_FLAG_NONBLOCKING;
  return k == 0 && is_blocking && !is_started;
}

// --- what the sink is told ---
static void draw_arrow(struct walk *w, uint32_t number, struct question q) {
  struct mck_point to = {number, (uint32_t)w->logs[number].at, w->logs[number].end}, from = {0};
  enum answer answer = ask(w, number, q, &from);
  if (answer == NOTHING_THERE || (q.is_meeting && from.log == number)) return;
  if (answer == BLOCKED || from.time >= to.time) {  // it was let go without
    w->totals->left_out++;
    return;
  }
  if (q.is_meeting) w->totals->collectives++;
  else w->totals->messages++;
  if (w->sink->arrow)
    w->sink->arrow(w->sink->context, q.is_meeting ? MCK_ARROW_COLLECTIVE : MCK_ARROW_MESSAGE, from, to);
}

static void tell(struct walk *w, uint32_t number, uint32_t op, struct question q, bool is_asked) {
  struct log *log = &w->logs[number];
  const struct mck_event *e = &log->reader->events[op];
  struct mck_point at = {number, (uint32_t)log->at, log->end}, from;
  struct mck_order_done done = {.op = op, .with = {MCK_NONE, MCK_NONE}, .meet = &w->meet, .log = number};
  struct mck_meeting meeting;
  enum answer answer = is_asked ? ask(w, number, q, &from) : NOTHING_THERE;
  // Of others the arrow's drawing has counted it.
  if (answer == BLOCKED && (e->kind == MCK_EV_SEND || e->kind == MCK_EV_PROBE || e->kind == MCK_EV_SYNC)) w->totals->left_out++;
  if (is_asked && q.of.log != MCK_NONE && answer != BLOCKED) {
    if (!q.is_meeting) done.with = q.of;
    else {
      const struct mck_meet_series *s = &w->meet.series[q.of.log];
      meeting = (struct mck_meeting){(uint64_t)q.of.log << 32 | q.of.index, s->members, s->items[q.of.index].entries, s->n};
      done.meeting = &meeting;
      done.needs = q.needs;
    }
  }
  uint32_t owner;
  if (is_asked && !q.is_meeting && has_before(w, number, e)) {
    done.before = find_before(w, number, op, &owner, &done.nbefore);
    // One that was not reached was let go without, too.
    for (size_t i = 0; i < done.nbefore; i++) {
      struct mck_pair of = w->pairs->of[owner][done.before[i]];
      if (time_of(w, of) == UINT64_MAX) w->totals->left_out++, done.nbefore = i;
    }
  }
  w->sink->complete(w->sink->context, at, &done);
  if (e->kind == MCK_EV_RECV) mck_overtake_complete(&log->overtake, op);
}

bool mck_order_is_needed(const struct mck_order_done *done, size_t member) {
  if (!done->meeting || member >= done->meeting->n) return false;
  const struct mck_meet_series *s = &done->meet->series[done->meeting->id >> 32];
  return mck_meet_is_needed(done->meet, done->log, done->op, done->needs, s, member);
}

// A synchronous send's arrow is that of its message, drawn at the receive; a probe's is drawn there, too.
static void finish(struct walk *w, uint32_t number) {
  const struct log *log = &w->logs[number];
  for (uint32_t k = 0, op; part_of(w, number, k, &op); k++) {
    if (op == MCK_NONE) continue;
    struct question q = {0};
    bool is_asked = question_of(w, number, op, 0, &q);
    uint8_t kind = log->reader->events[op].kind;
    if (is_asked && kind != MCK_EV_SEND && kind != MCK_EV_PROBE && kind != MCK_EV_SYNC) draw_arrow(w, number, q);
    if (w->sink->complete) tell(w, number, op, q, is_asked);
  }
}

// Who waits for an event that has been entered goes on.
static void wake_waiting(struct walk *w, struct log *log) {
  uint32_t waiting = log->waiting;
  uint64_t reached = w->reached[log - w->logs];
  log->waiting = 0;
  log->wake = MCK_NONE;
  for (uint32_t next; waiting; waiting = next) {
    struct log *other = &w->logs[waiting - 1];
    next = other->next;
    if (other->wants < reached) {
      w->ready[w->nready++] = waiting - 1;
      continue;
    }
    other->next = log->waiting;
    log->waiting = waiting;
    if (other->wants < log->wake) log->wake = other->wants;
  }
}

static void enter(struct walk *w, uint32_t number) {
  struct log *log = &w->logs[number];
  const struct mck_event *e = &log->reader->events[log->at];
  log->is_entered = true;
  log->part = log->sub = 0;
  if (log->start)
    for (uint64_t i = w->reached[number]; i <= log->at; i++) log->start[i] = log->time;
  w->reached[number] = log->at + 1;
  log->end = log->time + 1;
  if (e->kind == MCK_EV_SEND && e->flags & MCK_FLAG_PART) log->half = (uint32_t)log->at;
  if (mck_meet_is(&w->meet, number, (uint32_t)log->at)) arrive(w, number);
  if (w->sink->complete && (e->kind == MCK_EV_RECV || e->kind == MCK_EV_MPROBE)) {
    struct mck_pair send = w->pairs->of[number][log->at];
    if (send.log != MCK_NONE && log->overtake.count && is_synchronous(w, send.log, send.index))
      mck_overtake_hold(&log->overtake, (uint32_t)log->at);
    mck_overtake_post(&log->overtake, (uint32_t)log->at);
  }
  w->sink->enter(w->sink->context, (struct mck_point){number, (uint32_t)log->at, log->time});
  w->totals->events++;
  if (log->at >= log->wake) wake_waiting(w, log);
}

// false: the log waits.
static bool ask_all(struct walk *w, uint32_t number) {
  struct log *log = &w->logs[number];
  for (uint32_t op; part_of(w, number, log->part, &op); log->part++, log->sub = 0) {
    struct question q;
    for (; op != MCK_NONE && question_of(w, number, op, log->sub, &q); log->sub++) {
      struct mck_point from = {0};
      enum answer answer = log->is_forced ? NOTHING_THERE : ask(w, number, q, &from);
      log->is_forced = false;
      if (answer == BLOCKED) {
        wait_for(w, number, q);
        return false;
      }
      if (answer == READY && from.time >= log->end) log->end = from.time + 1;
    }
  }
  return true;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// What the sink goes over by itself. false: the log waits.
static bool go_over(struct walk *w, uint32_t number) {
  struct log *log = &w->logs[number];
  uint64_t limit = least(least(log->reader->units, log->unfinished), w->meet.by_log[number].cut);
  struct mck_order_stretch s = {.log = number, .at = log->at, .reached = w->reached, .is_entered = log->is_entered};
  // Who waits for an event here is woken at once: so the walk goes through memory of all logs at about the same time.
  do {
    s.end = least(limit, (uint64_t)log->wake + 1);
    if (s.at >= s.end) break;
    w->sink->stretch(w->sink->context, &s);
    if (w->reached[number] > log->wake) wake_waiting(w, log);
  } while (!s.is_entered && s.at >= s.end);
  log->at = s.at;
  log->is_entered = log->is_stretched = s.is_entered;
  if (!s.is_entered) return true;
  log->part = log->sub = 0;
  log->end = log->time + 1;
  wait_for(w, number, (struct question){.op = (uint32_t)log->at, .of = s.with});
  return false;
}

// As far as it goes: until it waits for another log, or to its end.
static void run(struct walk *w, uint32_t number) {
  struct log *log = &w->logs[number];
  const struct mck_reader *r = log->reader;
  for (; log->at < r->units && !w->is_short; log->at += mck_event_units(&r->events[log->at])) {
    bool is_own = log->is_entered && (!log->is_stretched || log->is_forced);
    if (w->sink->stretch && !is_own && !log->overtake.count) {
      if (!go_over(w, number)) return;
      if (log->at >= r->units) break;
    }
    if (!mck_order_is_call(&r->events[log->at])) continue;
    if (!log->is_entered) enter(w, number);
    bool is_finished = log->at != log->unfinished;
    if (is_finished && !ask_all(w, number)) return;
    if (is_finished) finish(w, number);
    w->sink->leave(w->sink->context, (struct mck_point){number, (uint32_t)log->at, log->end}, is_finished);
    log->time = log->end;
    log->is_entered = false;
    w->is_short |= w->meet.is_short || log->overtake.is_short;
  }
  log->is_done = true;
}

static bool may_go_on(struct walk *w) {
  size_t n = 0;
  if (!w->sink->stuck) return true;
  struct mck_order_wait *waits = malloc((w->n + 1) * sizeof *waits);
  if (!waits) return w->is_short = true, false;
  for (uint32_t i = 0; i < w->n; i++) {
    const struct log *log = &w->logs[i];
    if (!log->is_done)
      waits[n++] = (struct mck_order_wait){i, (uint32_t)log->at, log->waits_with, log->waits_for_meeting, log->waits_for};
  }
  w->totals->is_stopped = n && !w->sink->stuck(w->sink->context, waits, n);
  free(waits);
  return !w->totals->is_stopped;
}

// Nobody can go on: the earliest goes on without what it waits for.
static bool force(struct walk *w) {
  uint32_t first = MCK_NONE;
  for (uint32_t i = 0; i < w->n; i++)
    if (!w->logs[i].is_done && (first == MCK_NONE || w->logs[i].time < w->logs[first].time)) first = i;
  if (first == MCK_NONE || !may_go_on(w)) return false;
  wait_no_more(w, first);
  if (w->sink->is_plain) w->totals->left_out++;  // without times nobody else sees whether it comes too late
  w->logs[first].is_forced = true;
  w->ready[w->nready++] = first;
  return true;
}

static void close_walk(struct walk *w) {
  for (size_t i = 0; w->logs && i < w->n; i++) {
    free(w->logs[i].start);
    free(w->logs[i].met);
    mck_overtake_close(&w->logs[i].overtake);
  }
  free(w->logs);
  free(w->reached);
  free(w->ready);
  mck_meet_close(&w->meet);
}

unsigned mck_order_doubts(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs) {
  unsigned doubts = pairs->undecided ? MCK_DOUBT_UNDECIDED : 0;
  if (n && logs[0].header->size != n) doubts |= MCK_DOUBT_INCOMPLETE;
  for (size_t i = 0; i < n; i++) {
    const struct mck_log_header *h = logs[i].header;
    uint32_t multiple = atomic_load(&h->is_multiple);
    if (multiple & MCK_LOG_THREADS) doubts |= MCK_DOUBT_THREADS;
    if (multiple & MCK_LOG_UNSEEN) doubts |= MCK_DOUBT_UNSEEN;
    if (atomic_load(&h->is_incomplete) || logs[i].damaged != UINT64_MAX) doubts |= MCK_DOUBT_INCOMPLETE;
    if (atomic_load(&h->generation)) doubts |= MCK_DOUBT_RECYCLED;
  }
  return doubts;
}

bool mck_order_walk(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs,
                    const struct mck_order_sink *sink, struct mck_order_totals *totals) {
  struct walk w = {.readers = logs, .n = n, .sink = sink, .totals = totals, .pairs = pairs};
  *totals = (struct mck_order_totals){.doubts = mck_order_doubts(logs, n, pairs)};
  w.logs = calloc(n + 1, sizeof *w.logs);
  w.reached = calloc(n + 1, sizeof *w.reached);
  w.ready = calloc(n + 1, sizeof *w.ready);
  bool is_good = mck_meet_open(&w.meet, logs, n) && w.logs && w.reached && w.ready;
  for (size_t i = 0; is_good && i < n; i++) is_good = open_log(&w, (uint32_t)i);
  for (size_t i = n; is_good && i > 0; i--) w.ready[w.nready++] = (uint32_t)i - 1;
  do
    while (is_good && w.nready) run(&w, w.ready[--w.nready]), is_good = !w.is_short;
  while (is_good && force(&w));
  is_good = is_good && !w.is_short;
  close_walk(&w);
  return is_good;
}
