// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk through the logs of a plain run. The logs take turns, and a log that finds a queue empty waits for its
// sender.
#include "clock/plain-run-clock.h"
#include <stdlib.h>
#include <string.h>
#include "base/worker-threads.h"
#include "clock/receive-class.h"
#include "clock/clock-stamp.h"
#include "order/meeting.h"

// The number of events of one log before another log continues: so the queues stay short, and in the cache.
enum { TURN = 1024 };

struct message {
  uint32_t stamp, index;
};
struct queue {
  struct message *ring; // capacity is a power of 2
  uint32_t capacity, sent, taken;
  bool is_awaited;       // its receiver waits for the next message
  bool is_asked;         // the wildcards of its receiver accept its messages
  uint32_t from, to;     // logs
  const uint16_t *codes; // the codes of the sender
  struct mck_class_channel channel;
  bool is_any;        // ... and they have MPI_ANY_TAG
  struct queue *next; // in the circle of the queues of one sender whose messages are received with any tag
};
struct step { // the meaning of a word of a log
  struct queue *queue;
  bool is_send, is_probe, is_wild;
};
struct place { // the position of the walk in a log
  const uint16_t *codes;
  struct step *steps; // [word]
  uint64_t at, end;
  struct mck_classes classes;
  uint32_t next; // the next log that waits for the same collective (meeting.h: waiting)
  bool is_entered, is_ready;
  struct mck_pair met;
};
struct walk {
  struct mck_clock c;
  struct mck_clock_counts counts;
  const struct mck_plain_run *plain_run;
  const struct mck_clock_plain_sink *sink;
  struct queue *queues;
  struct place *places;
  struct mck_meetings meetings;
  uint32_t *ready; // a ring; each log once
  size_t first, nready;
  struct circle {
    uint32_t from, comm;
    struct queue *last;
  } *circles; // the circles of the log that is being opened
  size_t ncircles, circles_capacity;
  struct mck_table circle_table;
  bool is_other; // the run is not plain
  void *memory;
};

static void make_ready(struct walk *w, uint32_t number) {
  if (w->places[number].is_ready) return;
  w->places[number].is_ready = true;
  w->ready[(w->first + w->nready++) % w->plain_run->n] = number;
}

// --- messages ---
static bool grow(struct queue *q) {
  uint32_t capacity = q->capacity ? 2 * q->capacity : 64;
  struct message *ring = capacity ? malloc((size_t)capacity * sizeof *ring) : NULL;
  if (!ring) return false;
  for (uint32_t i = q->taken; i != q->sent; i++) ring[i % capacity] = q->ring[i % q->capacity];
  free(q->ring);
  q->ring = ring;
  q->capacity = capacity;
  return true;
}

static inline bool send_next(struct walk *w, struct mck_clock_log *log, struct queue *q, uint32_t index) {
  if (MCK_UNLIKELY(q->sent - q->taken == q->capacity) && !grow(q)) return false;
  q->ring[q->sent++ & (q->capacity - 1)] = (struct message){mck_clock_stamp_now(&w->c, log), index};
  if (q->is_awaited) {
    q->is_awaited = false;
    make_ready(w, q->to);
  }
  return true;
}

static inline struct message *first_of(const struct queue *q) { return &q->ring[q->taken & (q->capacity - 1)]; }

// (e): an earlier message of the same sender must have been taken. With MPI_ANY_TAG it may have another tag. Then a run
// is plain only if the receives take the messages of each sender in their order, so the last receive from that sender
// took it. A receive from one source has no alternatives then: the message that it got comes before all others.
static inline void take_turns(struct walk *w, struct queue *q, uint32_t index) {
  for (struct queue *o = q->next; o != q; o = o->next) {
    w->is_other |= o->taken != o->sent && first_of(o)->index < index;
    if (q->is_any) o->channel.low = q->channel.low;
  }
}

// The k-th wildcard of a log has the value k, so a sender's clock is the number of wildcards that it knows of.
static inline void receive(struct walk *w, struct mck_clock_log *log, struct place *p, const struct step *step,
                           uint32_t index) {
  struct mck_clock *c = &w->c;
  struct queue *q = step->queue;
  struct message m = *first_of(q);
  q->taken++;
  if (q->is_asked) {
    struct mck_pair send = {q->from, m.index};
    uint16_t look = q->codes[m.index];
    mck_classes_look(&p->classes, &q->channel, mck_clock_stamp(c, m.stamp)[log->component], send, look);
    if (step->is_wild) {
      mck_classes_take(&p->classes, &q->channel, index, p->codes[index], send, look);
      log->clock[log->component]++; // R4
      log->latest = MCK_NONE;
    }
    q->channel.low = p->classes.nwildcards;
  }
  take_turns(w, q, m.index);
  mck_clock_merge_known(c, log, q->from, m.stamp); // R3
}

// A probe takes nothing, but the message that it found counts as the one that it got (MPI-3.1 3.8.1). As in clock.h it
// has a value, and alternatives.
static __attribute__((noinline)) void probe(struct walk *w, struct mck_clock_log *log, struct place *p,
                                            const struct step *step, uint32_t index) {
  struct queue *q = step->queue;
  struct message m = *first_of(q);
  for (struct queue *o = q->next; o != q; o = o->next)
    w->is_other |= o->taken != o->sent && first_of(o)->index < m.index;
  if (q->is_asked && step->is_wild) {
    mck_classes_take(&p->classes, &q->channel, index, p->codes[index], (struct mck_pair){q->from, m.index},
                     q->codes[m.index]);
    mck_classes_add_probe(&p->classes, &q->channel);
    log->clock[log->component]++; // R4
    log->latest = MCK_NONE;
  }
  mck_clock_merge_known(&w->c, log, q->from, m.stamp); // R3
}

// --- collectives ---
static bool is_over(struct walk *w, uint32_t number, enum mck_std_needs needs) {
  const struct place *p = &w->places[number];
  const struct mck_meeting_series *s = &w->meetings.series[p->met.log];
  struct mck_meeting_item *m = &s->items[p->met.index];
  if (needs == MCK_STD_NEEDS_ALL) return m->arrived >= s->n;
  if (needs == MCK_STD_NEEDS_ROOT) return m->has_root;
  for (size_t slot = 0; slot < s->n; slot++)
    if (m->entries[slot] == MCK_NONE && mck_meetings_is_needed(&w->meetings, number, (uint32_t)p->at, needs, s, slot))
      return m->is_eager = true, false;
  return true;
}

static void enter(struct walk *w, uint32_t number) {
  struct place *p = &w->places[number];
  struct mck_clock_log *log = &w->c.by_log[number];
  log->stamps[p->at] = mck_clock_stamp_now(&w->c, log);
  p->is_entered = true;
  p->met = mck_meetings_arrive(&w->meetings, (struct mck_point){number, (uint32_t)p->at, 0});
  if (p->met.log == MCK_NONE) return;
  const struct mck_meeting_series *s = &w->meetings.series[p->met.log];
  struct mck_meeting_item *m = &s->items[p->met.index];
  bool is_root = m->has_root && m->root.log == number;
  if (!is_root && !m->is_eager && m->arrived < s->n) return;
  for (; m->waiting; m->waiting = w->places[m->waiting - 1].next) make_ready(w, m->waiting - 1);
}

// R5. Returns false if the log has to wait.
static bool meet(struct walk *w, uint32_t number) {
  struct place *p = &w->places[number];
  if (!mck_meetings_has(&w->meetings, number, (uint32_t)p->at)) return true;
  if (!p->is_entered) enter(w, number);
  enum mck_std_needs needs = p->met.log == MCK_NONE
                                 ? MCK_STD_NEEDS_NOTHING
                                 : mck_meetings_needs(&w->meetings, number, (uint32_t)p->at, MCK_STD_GENEROUS);
  if (mck_std_needs_members(needs)) {
    const struct mck_meeting_series *s = &w->meetings.series[p->met.log];
    struct mck_meeting_item *m = &s->items[p->met.index];
    if (!is_over(w, number, needs)) {
      p->next = m->waiting;
      m->waiting = number + 1;
      return false;
    }
    struct mck_meeting meeting = {(uint64_t)p->met.log << 32 | p->met.index, s->members, m->entries, s->n};
    struct mck_order_done done = {.op = (uint32_t)p->at,
                                  .with = {MCK_NONE, MCK_NONE},
                                  .meeting = &meeting,
                                  .needs = needs,
                                  .meetings = &w->meetings,
                                  .log = number};
    mck_clock_complete_meeting(&w->c, number, &done);
  }
  p->is_entered = false;
  return true;
}

// Walks along the log until it has to wait, or TURN events are done. Returns false when out of memory.
static bool run(struct walk *w, uint32_t number) {
  struct place *p = &w->places[number];
  struct mck_clock_log *log = &w->c.by_log[number];
  uint64_t i = p->at, end = p->end - i > TURN ? i + TURN : p->end;
  for (; i < end; i++) {
    uint16_t code = p->codes[i];
    if (code < MCK_CODE_WORD) {
      p->at = i;
      if (code == MCK_CODE_MEETING && !meet(w, number)) return true;
      continue;
    }
    const struct step *step = &p->steps[code];
    struct queue *q = step->queue;
    if (step->is_send) {
      if (!send_next(w, log, q, (uint32_t)i)) return false;
    } else if (q->taken != q->sent) {
      if (MCK_UNLIKELY(step->is_probe)) probe(w, log, p, step, (uint32_t)i);
      else receive(w, log, p, step, (uint32_t)i);
    } else {
      p->at = i;
      q->is_awaited = true;
      return true;
    }
  }
  p->at = i;
  if (i < p->end) make_ready(w, number);
  return true;
}

// --- all of it ---
static struct circle *find_circle(const struct walk *w, uint32_t from, uint32_t comm) {
  uint32_t at, id;
  MCK_TABLE_EACH (&w->circle_table, mck_table_mix(from, comm), at, id)
    if (w->circles[id].from == from && w->circles[id].comm == comm) return &w->circles[id];
  return NULL;
}

// Finds the senders whose messages are received with any tag.
static bool find_circles(struct walk *w, const struct mck_plain_log *t) {
  w->ncircles = 0;
  mck_table_free(&w->circle_table);
  for (size_t k = MCK_CODE_WORD; k < t->nwords; k++) {
    uint32_t comm = t->words[k].msg.comm, from = w->plain_run->channels[t->uses[k].channel].from;
    bool is_any = t->uses[k].is_ordered || (t->takes_any_tag && !t->uses[k].is_send && comm == t->wild->msg.comm);
    if (!is_any || find_circle(w, from, comm)) continue;
    if (!MCK_PUSH(w->circles, w->ncircles, w->circles_capacity, ((struct circle){from, comm, NULL})) ||
        !mck_table_add(&w->circle_table, mck_table_mix(from, comm), (uint32_t)w->ncircles - 1))
      return false;
  }
  return true;
}

static bool open_place(struct walk *w, uint32_t number, struct mck_slices *slices) {
  enum { MERGED_MAX = 4096 }; // logs: the arrays have a number for each pair of logs
  const struct mck_plain_log *t = &w->plain_run->of[number];
  struct mck_clock_log *log = &w->c.by_log[number];
  struct place *p = &w->places[number];
  *p = (struct place){.codes = t->codes, .end = t->units, .classes = {.sink = w->sink, .log = number}};
  p->steps = calloc(t->nwords, sizeof *p->steps);
  log->clock = calloc(w->c.ncomponents + 1, sizeof *log->clock);
  if (w->plain_run->n <= MERGED_MAX) log->merged = calloc(w->plain_run->n, sizeof *log->merged);
  // Only collectives have stamps here: memory that is not written to costs nothing.
  log->stamps = calloc(t->units + 1, sizeof *log->stamps);
  if (!p->steps || !log->clock || !log->stamps || !mck_classes_open(&p->classes, t, slices) || !find_circles(w, t))
    return false;
  for (size_t k = MCK_CODE_WORD; k < t->nwords; k++) {
    const struct mck_plain_word *word = &t->uses[k];
    const struct mck_event *e = &t->words[k];
    struct queue *q = &w->queues[word->channel];
    p->steps[k] = (struct step){q, word->is_send, word->is_probe, word->is_wild};
    if (word->is_send || q->next) continue;
    q->from = w->plain_run->channels[word->channel].from, q->to = number;
    q->codes = w->plain_run->of[q->from].codes;
    q->is_asked = t->wild && mck_std_accepts(mck_event_pattern(t->wild, t->wild->msg.comm), mck_event_envelope(e));
    q->is_any = q->is_asked && t->takes_any_tag;
    q->next = q;
    struct circle *circle = find_circle(w, q->from, e->msg.comm);
    if (circle && circle->last) q->next = circle->last->next, circle->last->next = q;
    if (circle) circle->last = q;
  }
  return true;
}

static bool open_walk(struct walk *w) {
  const struct mck_plain_run *plain_run = w->plain_run;
  size_t n = plain_run->n, bytes = 0;
  struct mck_slices slices;
  for (size_t i = 0; i < n; i++) bytes += mck_classes_size(&plain_run->of[i]);
  if (!mck_slices_open(&slices, bytes)) return false;
  w->memory = slices.memory;
  w->c.by_log = calloc(n + 1, sizeof *w->c.by_log);
  w->places = calloc(n + 1, sizeof *w->places);
  w->ready = calloc(n + 1, sizeof *w->ready);
  w->queues = calloc(plain_run->nchannels + 1, sizeof *w->queues);
  bool is_good = w->c.by_log && w->places && w->ready && w->queues;
  for (size_t i = 0; is_good && i < n; i++)
    w->c.by_log[i].component = plain_run->of[i].wild ? w->c.ncomponents++ : MCK_NONE;
  if (!w->c.ncomponents) w->c.ncomponents = 1; // there are no wildcards
  for (uint32_t i = 0; is_good && i < n; i++) is_good = open_place(w, i, &slices);
  if (!is_good || !(w->c.scratch = calloc(w->c.ncomponents + 1, sizeof *w->c.scratch))) return false;
  mck_clock_keep(&w->c, w->c.scratch);
  return mck_meetings_open(&w->meetings, w->c.logs, n);
}

static void close_walk(struct walk *w) {
  for (size_t i = 0; w->c.by_log && i < w->plain_run->n; i++) {
    struct mck_clock_log *log = &w->c.by_log[i];
    free(log->clock), free(log->merged), free(log->stamps);
    if (!w->places) continue;
    free(w->places[i].steps);
    mck_classes_close(&w->places[i].classes);
  }
  for (size_t i = 0; w->queues && i < w->plain_run->nchannels; i++)
    free(w->queues[i].ring), free(w->queues[i].channel.probes);
  free(w->c.by_log), free(w->c.stamps), free(w->c.meeting_stamps), free(w->c.scratch);
  mck_table_free(&w->c.meetings);
  mck_table_free(&w->circle_table);
  free(w->queues), free(w->places), free(w->ready), free(w->circles), free(w->memory);
  mck_meetings_close(&w->meetings);
}

// A run that stopped on the way, or has unreceived messages, needs more than the order of its messages.
static bool is_at_end(const struct walk *w) {
  if (w->is_other) return false;
  for (size_t i = 0; i < w->plain_run->n; i++)
    if (w->places[i].at < w->places[i].end || w->places[i].classes.is_full) return false;
  for (size_t i = 0; i < w->plain_run->nchannels; i++)
    if (w->queues[i].taken != w->queues[i].sent) return false;
  return true;
}

static bool is_short(const struct walk *w) {
  bool is_short = w->c.is_short || w->meetings.is_short;
  for (size_t i = 0; i < w->plain_run->n; i++) is_short |= w->places[i].classes.is_short;
  return is_short;
}

static void sum_log(void *context, uint32_t number) {
  mck_classes_sum(&((struct walk *)context)->places[number].classes);
}

static void sum_up(struct walk *w) {
  uint64_t units = 0;
  for (size_t i = 0; i < w->plain_run->n; i++) units += w->places[i].end;
  mck_workers_run((uint32_t)w->plain_run->n, mck_workers_size(units), sum_log, w);
  for (uint32_t i = 0; i < w->plain_run->n; i++) {
    const struct mck_classes *k = &w->places[i].classes;
    for (uint32_t id = 0; id < k->nclasses; id++)
      w->sink->sum(w->sink->context, i, id, k->classes[id].n, k->classes[id].open, k->classes[id].others);
  }
}

enum mck_clock_plain_result mck_clock_find_plain(const struct mck_plain_run *plain_run, const struct mck_reader *logs,
                                                 const struct mck_clock_plain_sink *sink) {
  struct walk w = {.plain_run = plain_run, .sink = sink, .c = {.logs = logs, .n = plain_run->n}};
  for (size_t i = 0; i < plain_run->n; i++)
    if (plain_run->of[i].wild && !plain_run->of[i].has_alike_wilds) return MCK_CLOCK_PLAIN_OTHER;
  w.c.counts = &w.counts;
  bool is_good = open_walk(&w);
  for (uint32_t i = 0; is_good && i < plain_run->n; i++) make_ready(&w, i);
  while (is_good && w.nready && !w.is_other && !w.c.is_short && !w.meetings.is_short) {
    uint32_t number = w.ready[w.first];
    w.first = (w.first + 1) % plain_run->n, w.nready--;
    w.places[number].is_ready = false;
    is_good = run(&w, number);
  }
  enum mck_clock_plain_result result = !is_good || is_short(&w) ? MCK_CLOCK_PLAIN_SHORT
                                       : is_at_end(&w)          ? MCK_CLOCK_PLAIN_DONE
                                                                : MCK_CLOCK_PLAIN_OTHER;
  if (result == MCK_CLOCK_PLAIN_DONE) sum_up(&w);
  close_walk(&w);
  return result;
}
