// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "view/order.h"
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "judge/table.h"

// Whose entry into a collective a member must wait for before it can leave: only what the data say (MPI-3.1 5.1: a
// collective need not synchronize); barriers, constructors, and fences without an assertion (11.5.1) do.
enum needs { NOTHING, ALL, ROOT, ALL_AT_ROOT };
enum habit { UNKNOWN, SYNCHRONIZES, ALL_TO_ALL, ONE_TO_ALL, ALL_TO_ONE };

struct meeting {               // the k-th collective of a communicator, or fence of a window
  uint32_t arrived, waiting;   // waiting: first log + 1 that waits for it
  struct mck_point last, root;  // the entry of the last to come, of the root
  bool has_root;
};
struct series {
  uint64_t key;
  uint32_t expected;
  struct meeting *items;
  size_t count, capacity;
};

struct log {
  struct mck_view_log *view;
  uint64_t at, time;            // the event at hand; the end of the one before
  uint64_t *start;              // [index]: when an event was entered; UINT64_MAX: not yet
  uint32_t *comms, *wins;       // series + 1 by id
  uint32_t *nth_comm, *nth_win;  // meetings so far by id
  uint32_t request;             // of a wait: the first one not looked at
  uint64_t end;                 // of the event at hand, as far as known
  uint32_t waiting, wake;       // others that wait for an event here: first + 1, and the lowest index of them
  uint32_t next, wants;         // in such a list: the next one, and the event waited for
  struct mck_pair waits_for;    // the list: of a log's event, or of a meeting
  bool waits_for_meeting;
  uint32_t unfinished;  // the event within which the log ends
  bool is_entered, is_forced, is_done;
};
struct walk {
  const struct mck_view *view;
  const struct mck_order_sink *sink;
  struct mck_order_totals *totals;
  struct mck_pairs pairs;  // of a collective: .log = series, .index = number in it
  struct log *logs;
  struct series *series;
  size_t nseries, capacity;
  struct mck_table table;
  uint32_t *ready;
  size_t nready;  // each log once: it is ready, waits in one list, or is done
  uint8_t habits[MCK_FN_COUNT];
  bool is_short;
};

// --- meetings ---
static uint32_t find_series(struct walk *w, uint64_t key) {
  uint32_t at, id;
  uint64_t hash = mck_table_mix(key, 0);
  MCK_TABLE_EACH(&w->table, hash, at, id) if (w->series[id].key == key) return id;
  struct series new = {.key = key};
  if (!MCK_PUSH(w->series, w->nseries, w->capacity, new) || !mck_table_add(&w->table, hash, (uint32_t)w->nseries - 1))
    return w->is_short = true, 0;
  return (uint32_t)w->nseries - 1;
}

static bool open_log(struct walk *w, struct log *log, struct mck_view_log *view) {
  const struct mck_reader *r = &view->reader;
  log->view = view;
  log->wake = log->unfinished = MCK_NONE;
  uint32_t seq = atomic_load(&r->header->wait_seq), state = atomic_load(&r->header->state);
  if (seq % 2 && state != MCK_LOG_FINALIZED) log->unfinished = atomic_load(&r->header->wait_event);
  log->start = malloc((r->units + 1) * sizeof *log->start);
  log->comms = calloc((size_t)r->ncomms + 1, sizeof *log->comms);
  log->wins = calloc((size_t)r->nwins + 1, sizeof *log->wins);
  log->nth_comm = calloc((size_t)r->ncomms + 1, sizeof *log->nth_comm);
  log->nth_win = calloc((size_t)r->nwins + 1, sizeof *log->nth_win);
  if (!log->start || !log->comms || !log->wins || !log->nth_comm || !log->nth_win) return false;
  memset(log->start, 0xff, (r->units + 1) * sizeof *log->start);
  for (uint32_t i = 0; i < r->ncomms; i++)
    if (r->comms[i].body) {
      // Collectives that were judged are not in the log any more: only logs of one generation fit each other.
      uint32_t id = find_series(w, mck_table_mix(r->comms[i].body->key, r->comms[i].body->before));
      log->comms[i] = id + 1;
      if (!w->is_short) w->series[id].expected++;
    }
  for (uint32_t i = 0; i < r->nwins; i++)
    if (r->wins[i].body) {
      uint32_t id = find_series(w, mck_table_mix(r->wins[i].body->key, 1));
      log->wins[i] = id + 1;
      if (!w->is_short) w->series[id].expected++;
    }
  return !w->is_short;
}

// By function; the count and the root of the call decide the rest (needs_of).
static enum habit habit_of(const char *fn) {
  static const struct {
    enum habit habit;
    const char *names;  // without "MPI_", each between blanks
  } rows[] = {{SYNCHRONIZES, " Barrier Ibarrier Comm_create Comm_dup Comm_dup_with_info Comm_split Comm_split_type "
                             "Win_create Win_allocate Win_allocate_shared Win_create_dynamic Win_free "},
              {ALL_TO_ALL, " Allreduce Iallreduce Allgather Iallgather Alltoall Ialltoall Reduce_scatter_block "
                           "Ireduce_scatter_block "},
              {ONE_TO_ALL, " Bcast Ibcast Scatter Iscatter Scatterv Iscatterv "},
              {ALL_TO_ONE, " Reduce Ireduce Gather Igather "}};
  char word[64];
  if (!fn || strncmp(fn, "MPI_", 4) != 0) return UNKNOWN;
  snprintf(word, sizeof word, " %s ", fn + 4);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strstr(rows[i].names, word)) return rows[i].habit;
  return UNKNOWN;
}

static enum needs needs_of(const struct walk *w, const struct log *log, const struct mck_event *e) {
  if (e->kind == MCK_EV_FENCE) return e->sync.assertion ? NOTHING : ALL;
  enum habit habit = e->fn < MCK_FN_COUNT ? (enum habit)w->habits[e->fn] : UNKNOWN;
  if (habit == SYNCHRONIZES) return ALL;
  const struct mck_comm_def *comm = mck_view_comm_def(log->view, e->coll.comm);
  if (!comm || comm->remote_size || !e->coll.count) return NOTHING;
  bool is_root = e->coll.root >= 0 && (uint32_t)e->coll.root == comm->rank;
  if (habit == ALL_TO_ALL) return ALL;
  if (habit == ONE_TO_ALL) return is_root ? NOTHING : ROOT;
  return habit == ALL_TO_ONE && is_root ? ALL_AT_ROOT : NOTHING;
}

static bool is_meeting(const struct mck_event *e) { return e->kind == MCK_EV_COLL || e->kind == MCK_EV_FENCE; }

static void wake(struct walk *w, uint32_t first) {
  for (uint32_t next; first; first = next) {
    next = w->logs[first - 1].next;
    w->ready[w->nready++] = first - 1;
  }
}

static void arrive(struct walk *w, uint32_t number, const struct mck_event *e) {
  struct log *log = &w->logs[number];
  const struct mck_reader *r = &log->view->reader;
  bool is_comm = e->kind == MCK_EV_COLL;
  uint32_t id = is_comm ? e->coll.comm : e->sync.win;
  if (id >= (is_comm ? r->ncomms : r->nwins) || !(is_comm ? log->comms : log->wins)[id]) return;
  // Collective over a group of its own (MPI-3.1 6.4.2).
  if (is_comm && e->fn == MCK_FN_MPI_Comm_create_group) return;
  uint32_t series = (is_comm ? log->comms : log->wins)[id] - 1, nth = (is_comm ? log->nth_comm : log->nth_win)[id]++;
  struct series *s = &w->series[series];
  while (s->count <= nth)
    if (!MCK_PUSH(s->items, s->count, s->capacity, (struct meeting){0})) {
      w->is_short = true;
      return;
    }
  struct meeting *m = &s->items[nth];
  struct mck_point here = {number, (uint32_t)log->at, log->start[log->at]};
  w->pairs.of[number][log->at] = (struct mck_pair){series, nth};
  if (!m->arrived++ || here.time >= m->last.time) m->last = here;
  const struct mck_comm_def *comm = is_comm ? mck_view_comm_def(log->view, id) : NULL;
  bool is_root = comm && e->coll.root >= 0 && (uint32_t)e->coll.root == comm->rank;
  if (is_root && !m->has_root) m->has_root = true, m->root = here;
  if (!is_root && m->arrived < s->expected) return;
  wake(w, m->waiting);
  m->waiting = 0;
}

// --- what an event waits for ---
enum answer { READY, BLOCKED, NOTHING_THERE };

struct question {
  bool is_meeting;
  struct mck_pair of;
  enum needs needs;
};

static enum answer ask(const struct walk *w, struct question q, struct mck_point *from) {
  if (q.of.log == MCK_NONE || (q.is_meeting && q.needs == NOTHING)) return NOTHING_THERE;
  if (!q.is_meeting) {
    *from = (struct mck_point){q.of.log, q.of.index, w->logs[q.of.log].start[q.of.index]};
    return from->time != UINT64_MAX ? READY : BLOCKED;
  }
  const struct series *s = &w->series[q.of.log];
  const struct meeting *m = &s->items[q.of.index];
  *from = q.needs == ROOT ? m->root : m->last;
  return (q.needs == ROOT ? m->has_root : m->arrived >= s->expected) ? READY : BLOCKED;
}

static uint32_t *list_of(struct walk *w, const struct log *log) {
  return log->waits_for_meeting ? &w->series[log->waits_for.log].items[log->waits_for.index].waiting
                                : &w->logs[log->waits_for.log].waiting;
}

static void wait_for(struct walk *w, uint32_t number, struct question q) {
  struct log *log = &w->logs[number];
  log->waits_for = q.of;
  log->waits_for_meeting = q.is_meeting;
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

static bool is_synchronous(const struct mck_event *e) { return (e->flags & MCK_MODE_MASK) == MCK_FLAG_SYNC; }

// What the completion of event index of this log waits for.
static struct question question_of(const struct walk *w, uint32_t number, uint32_t index) {
  const struct log *log = &w->logs[number];
  const struct mck_event *e = &log->view->reader.events[index];
  struct question q = {.of = w->pairs.of[number][index]};
  q.is_meeting = e->kind == MCK_EV_COLL || e->kind == MCK_EV_FENCE;
  if (q.is_meeting) q.needs = needs_of(w, log, e);
  // Only a synchronous send ends when its receive has begun (MPI-3.1 3.4). An MRECV took its message at the probe.
  bool is_receive = e->kind == MCK_EV_RECV || e->kind == MCK_EV_MPROBE;
  if (!q.is_meeting && !is_receive && !(e->kind == MCK_EV_SEND && is_synchronous(e))) q.of.log = MCK_NONE;
  return q;
}

// The events that end with the one at hand: itself if it blocks, or those that it waits for. Returns whether there is a
// k-th.
static bool part_of(const struct log *log, uint32_t k, uint32_t *index) {
  const struct mck_event *e = &log->view->reader.events[log->at];
  if (e->kind == MCK_EV_DONE || (e->kind == MCK_EV_WAIT && e->flags == MCK_WAIT_ALL)) {
    if (k >= e->wait.count) return false;
    *index = mck_wait_request(e, k);  // before this one, or none
    return true;
  }
  bool is_message = e->kind == MCK_EV_SEND || e->kind == MCK_EV_RECV || e->kind == MCK_EV_COLL;
  *index = (uint32_t)log->at;
  return k == 0 &&
         (e->kind == MCK_EV_FENCE || e->kind == MCK_EV_MPROBE || (is_message && !(e->flags & MCK_FLAG_NONBLOCKING)));
}

// A synchronous send's arrow is that of its message, drawn at the receive.
static void draw_arrows(struct walk *w, uint32_t number) {
  const struct log *log = &w->logs[number];
  struct mck_point to = {number, (uint32_t)log->at, log->end}, from = {0};
  for (uint32_t k = 0, index; part_of(log, k, &index); k++) {
    if (index == MCK_NONE || log->view->reader.events[index].kind == MCK_EV_SEND) continue;
    struct question q = question_of(w, number, index);
    enum answer answer = ask(w, q, &from);
    if (answer == NOTHING_THERE || (q.is_meeting && from.log == number)) continue;
    if (answer == BLOCKED || from.time >= to.time) {  // it was let go without
      w->totals->left_out++;
      continue;
    }
    if (q.is_meeting) w->totals->collectives++;
    else w->totals->messages++;
    w->sink->arrow(w->sink->context, q.is_meeting ? MCK_ARROW_COLLECTIVE : MCK_ARROW_MESSAGE, from, to);
  }
}

static void enter(struct walk *w, uint32_t number) {
  struct log *log = &w->logs[number];
  const struct mck_event *e = &log->view->reader.events[log->at];
  log->is_entered = true;
  log->request = 0;
  log->start[log->at] = log->time;
  log->end = log->time + 1;
  if (is_meeting(e)) arrive(w, number, e);
  w->sink->enter(w->sink->context, (struct mck_point){number, (uint32_t)log->at, log->time});
  w->totals->events++;
  if (log->at < log->wake) return;
  uint32_t waiting = log->waiting;
  log->waiting = 0;
  log->wake = MCK_NONE;
  for (uint32_t next; waiting; waiting = next) {
    struct log *other = &w->logs[waiting - 1];
    next = other->next;
    if (other->wants <= log->at) {
      w->ready[w->nready++] = waiting - 1;
      continue;
    }
    other->next = log->waiting;
    log->waiting = waiting;
    if (other->wants < log->wake) log->wake = other->wants;
  }
}

static bool is_drawn(const struct mck_event *e) {
  return (e->kind > MCK_EV_PAD && e->kind <= MCK_EV_CALL) || e->kind == MCK_EV_WAIT || e->kind == MCK_EV_DONE;
}

// As far as it goes: until it waits for another log, or to its end.
static void run(struct walk *w, uint32_t number) {
  struct log *log = &w->logs[number];
  const struct mck_reader *r = &log->view->reader;
  for (; log->at < r->units && !w->is_short; log->at += mck_event_units(&r->events[log->at])) {
    if (!is_drawn(&r->events[log->at])) continue;
    if (!log->is_entered) enter(w, number);
    bool is_finished = log->at != log->unfinished;
    for (uint32_t index; is_finished && part_of(log, log->request, &index); log->request++) {
      struct mck_point from = {0};
      struct question q = index == MCK_NONE ? (struct question){.of = {MCK_NONE, 0}} : question_of(w, number, index);
      enum answer answer = log->is_forced ? NOTHING_THERE : ask(w, q, &from);
      log->is_forced = false;
      if (answer == BLOCKED) {
        wait_for(w, number, q);
        return;
      }
      if (answer == READY && from.time >= log->end) log->end = from.time + 1;
    }
    if (is_finished) draw_arrows(w, number);
    w->sink->leave(w->sink->context, (struct mck_point){number, (uint32_t)log->at, log->end}, is_finished);
    log->time = log->end;
    log->is_entered = false;
  }
  log->is_done = true;
}

// Nobody can go on: the earliest goes on without what it waits for.
static bool force(struct walk *w) {
  uint32_t first = MCK_NONE;
  for (uint32_t i = 0; i < w->view->count; i++)
    if (!w->logs[i].is_done && (first == MCK_NONE || w->logs[i].time < w->logs[first].time)) first = i;
  if (first == MCK_NONE) return false;
  wait_no_more(w, first);
  w->logs[first].is_forced = true;
  w->ready[w->nready++] = first;
  return true;
}

static void close_walk(struct walk *w) {
  for (size_t i = 0; w->logs && i < w->view->count; i++) {
    free(w->logs[i].start);
    free(w->logs[i].comms);
    free(w->logs[i].wins);
    free(w->logs[i].nth_comm);
    free(w->logs[i].nth_win);
  }
  for (size_t i = 0; i < w->nseries; i++) free(w->series[i].items);
  free(w->series);
  free(w->logs);
  free(w->ready);
  mck_table_free(&w->table);
  mck_pairs_free(&w->pairs, w->view);
}

bool mck_order_walk(const struct mck_view *view, const struct mck_order_sink *sink, struct mck_order_totals *totals) {
  struct walk w = {.view = view, .sink = sink, .totals = totals};
  *totals = (struct mck_order_totals){0};
  w.logs = calloc(view->count + 1, sizeof *w.logs);
  w.ready = calloc(view->count + 1, sizeof *w.ready);
  bool is_good = mck_pairs_make(&w.pairs, view) && w.logs && w.ready;
  for (uint32_t fn = 0; fn < MCK_FN_COUNT; fn++) w.habits[fn] = (uint8_t)habit_of(mck_fn_names[fn]);
  for (size_t i = 0; is_good && i < view->count; i++) is_good = open_log(&w, &w.logs[i], &view->logs[i]);
  for (size_t i = view->count; is_good && i > 0; i--) w.ready[w.nready++] = (uint32_t)i - 1;
  do
    while (is_good && w.nready) run(&w, w.ready[--w.nready]), is_good = !w.is_short;
  while (is_good && force(&w));
  close_walk(&w);
  return is_good;
}
