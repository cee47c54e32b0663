// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds what the operations that end with an event wait for.
#include "order/walk.h"

enum { HALVES_MAX = 256 }; // units

bool mck_walk_is_synchronous(const struct mck_walk *w, uint32_t log, uint32_t index) {
  if (w->sink->is_synchronous) return w->sink->is_synchronous(w->sink->context, log, index);
  return (w->readers[log].events[index].flags & MCK_MODE_MASK) == MCK_FLAG_SYNC;
}

// UINT64_MAX: the event was not entered.
uint64_t mck_walk_time_of(const struct mck_walk *w, struct mck_pair event) {
  const struct mck_walk_log *log = &w->logs[event.log];
  return event.index >= w->reached[event.log] ? UINT64_MAX : log->start ? log->start[event.index] : 0;
}

static struct mck_pair meeting_of(const struct mck_walk *w, uint32_t number, uint32_t index) {
  const struct mck_walk_log *log = &w->logs[number];
  size_t low = 0, high = log->nmet;
  if (high && log->met[high - 1].index == index) return log->met[high - 1].at;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (log->met[middle].index < index) low = middle + 1;
    else high = middle;
  }
  return low < log->nmet && log->met[low].index == index ? log->met[low].at : (struct mck_pair){MCK_NONE, MCK_NONE};
}

static enum mck_walk_answer ask_meeting(struct mck_walk *w, uint32_t number, struct mck_walk_question q,
                                        struct mck_point *from) {
  const struct mck_meeting_series *s = &w->meetings.series[q.of.log];
  struct mck_meeting_item *m = &s->items[q.of.index];
  if (q.needs == MCK_STD_NEEDS_ALL) return *from = m->last, m->arrived >= s->n ? MCK_WALK_READY : MCK_WALK_BLOCKED;
  if (q.needs == MCK_STD_NEEDS_ROOT) return *from = m->root, m->has_root ? MCK_WALK_READY : MCK_WALK_BLOCKED;
  enum mck_walk_answer answer = MCK_WALK_NOTHING_THERE;
  from->time = 0;
  for (size_t slot = 0; slot < s->n; slot++) {
    if (!mck_meetings_is_needed(&w->meetings, number, q.op, q.needs, s, slot)) continue;
    if (m->entries[slot] == MCK_NONE) return m->is_eager = true, MCK_WALK_BLOCKED;
    struct mck_point entry = {s->members[slot].log, m->entries[slot], 0};
    entry.time = mck_walk_time_of(w, (struct mck_pair){entry.log, entry.index});
    if (answer == MCK_WALK_NOTHING_THERE || entry.time >= from->time) *from = entry;
    answer = MCK_WALK_READY;
  }
  return answer;
}

enum mck_walk_answer mck_walk_ask(struct mck_walk *w, uint32_t number, struct mck_walk_question q,
                                  struct mck_point *from) {
  if (q.of.log == MCK_NONE || (q.is_meeting && !mck_std_needs_members(q.needs))) return MCK_WALK_NOTHING_THERE;
  if (q.is_meeting) return ask_meeting(w, number, q, from);
  *from = (struct mck_point){q.of.log, q.of.index, mck_walk_time_of(w, q.of)};
  return from->time != UINT64_MAX ? MCK_WALK_READY : MCK_WALK_BLOCKED;
}

bool mck_walk_has_before(const struct mck_walk *w, uint32_t number, const struct mck_event *e) {
  return w->sink->complete && (e->kind == MCK_EV_SEND || (w->logs[number].overtake.count && mck_walk_is_receive(e)));
}

// The receives that must have matched when this operation's message did. *owner: their log.
const uint32_t *mck_walk_find_before(struct mck_walk *w, uint32_t number, uint32_t op, uint32_t *owner, size_t *n) {
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

// The k-th event that the completion of this operation waits for: its other side first, then the sends of earlier
// matches.
bool mck_walk_question_of(struct mck_walk *w, uint32_t number, uint32_t op, uint32_t k, struct mck_walk_question *q) {
  const struct mck_event *e = &w->readers[number].events[op];
  if (e->kind == MCK_EV_SYNC) {
    *q = (struct mck_walk_question){.op = op};
    return w->sink->also && w->sink->also(w->sink->context, number, op, k, &q->of);
  }
  bool is_meeting = mck_meetings_has(&w->meetings, number, op);
  // Only a synchronous send waits until its receive has begun (MPI-3.1 3.4). An MRECV took its message at the probe.
  if (!is_meeting && !mck_walk_is_receive(e) && !(e->kind == MCK_EV_SEND && mck_walk_is_synchronous(w, number, op)))
    return false;
  if (k == 0) {
    *q = (struct mck_walk_question){is_meeting, op, is_meeting ? meeting_of(w, number, op) : w->pairs->of[number][op],
                                    0};
    if (is_meeting) q->needs = mck_meetings_needs(&w->meetings, number, op, MCK_STD_GENEROUS);
    return true;
  }
  if (is_meeting || !mck_walk_has_before(w, number, e)) return false;
  uint32_t owner;
  size_t n;
  const uint32_t *before = mck_walk_find_before(w, number, op, &owner, &n);
  if (k > n) return false;
  *q = (struct mck_walk_question){false, op, w->pairs->of[owner][before[k - 1]], 0};
  return true;
}

// The k-th operation that ends with this event; half: the SEND of an MPI_Sendrecv.
static bool part_at(const struct mck_walk *w, uint32_t number, uint64_t at, uint32_t half, uint32_t k, uint32_t *op) {
  const struct mck_event *e = &w->logs[number].reader->events[at];
  if (e->kind == MCK_EV_DONE || (e->kind == MCK_EV_WAIT && e->flags == MCK_WAIT_ALL)) {
    if (k >= e->wait.count) return false;
    *op = mck_wait_request(e, k); // an earlier event, or none
    return true;
  }
  bool is_half = (e->kind == MCK_EV_SEND || e->kind == MCK_EV_RECV) && e->flags & MCK_FLAG_PART;
  *op = (uint32_t)at;
  if (is_half && e->kind == MCK_EV_SEND) return false; // both halves run at the same time (MPI-3.1 3.10)
  if (is_half && k == 1 && half != MCK_NONE) return *op = half, true;
  bool is_blocking = (e->kind == MCK_EV_SYNC && w->sink->also) || e->kind == MCK_EV_FENCE || e->kind == MCK_EV_MPROBE ||
                     e->kind == MCK_EV_PROBE || mck_meetings_has(&w->meetings, number, (uint32_t)at) ||
                     e->kind == MCK_EV_SEND || e->kind == MCK_EV_RECV;
  bool is_started = (e->kind == MCK_EV_SEND || e->kind == MCK_EV_RECV || e->kind == MCK_EV_COLL) &&
                    e->flags & MCK_FLAG_NONBLOCKING;
  return k == 0 && is_blocking && !is_started;
}

// The SEND of the MPI_Sendrecv whose RECV is at this index, in a log with strands: nothing but definitions stands
// between.
static uint32_t find_half(const struct mck_walk_log *log, uint64_t index) {
  uint64_t half = MCK_NONE, begin = index > HALVES_MAX ? index - HALVES_MAX : 0;
  const struct mck_event *recv = &log->reader->events[index];
  for (uint64_t i = index; i-- > begin && half == MCK_NONE;) {
    const struct mck_event *e = &log->reader->events[i];
    if (e->kind == MCK_EV_SEND && e->flags & MCK_FLAG_PART && e->site == recv->site && e->fn == recv->fn) half = i;
  }
  return (uint32_t)half;
}

// The k-th operation that ends with the current event: the event itself if it blocks, or one that it waits for. Returns
// false where there is no k-th; op MCK_NONE: it is unknown.
bool mck_walk_part_of(const struct mck_walk *w, uint32_t number, uint32_t k, uint32_t *op) {
  const struct mck_walk_log *log = &w->logs[number];
  const struct mck_event *e = &log->reader->events[log->at];
  if (mck_walk_returns_later(w, number)) {
    if (e->kind == MCK_EV_DONE) return part_at(w, number, log->at, MCK_NONE, k, op);
    if (e->kind != MCK_EV_RETURN) return false;
    uint64_t of = e->returned.event;
    uint32_t half = log->reader->events[of].kind == MCK_EV_RECV ? find_half(log, of) : MCK_NONE;
    return part_at(w, number, of, half, k, op);
  }
  return part_at(w, number, log->at, log->half, k, op);
}
