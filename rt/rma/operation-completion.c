// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operation completion: one pass over each log. Operations are in a list of their window and target until the call that
// completes them: MPI_Win_unlock, MPI_Win_flush, a fence (MPI-3.1 11.5). An operation that brings something back from
// its target (get, the fetching accumulates) has been there when it is locally complete: flush_local or its request end
// it, too.
#include <stdlib.h>
#include <string.h>
#include "rma/operation-scan.h"
#include "standard/collective.h"

// In logs with strands: operations that no call of their own strand has completed; the last ones that such a call has.
enum { PENDING_MAX = 4096, KEPT = 64 };

bool mck_rma_is_fetching(const struct mck_event *e) { return mck_std_is_fetching(e->fn); }

const struct mck_rma_op *mck_rma_op_of_buffer(const struct mck_rma_log *log, uint32_t index, size_t first) {
  const struct mck_event *events = log->reader->events;
  if (!(events[index].flags & MCK_ACCESS_BUFFER) || !first) return NULL;
  const struct mck_rma_op *op = &log->ops[first - 1];
  if (op->event >= index) return NULL;
  uint32_t at = op->event + 1;
  if (events[at].kind == MCK_EV_COLL_ARGS) at += mck_event_units(&events[at]);
  for (; at < index; at++)
    if (events[at].kind != MCK_EV_ACCESS || !(events[at].flags & MCK_ACCESS_BUFFER)) return NULL;
  return at == index && op->is_message == !!(events[index].flags & MCK_ACCESS_MESSAGE) ? op : NULL;
}

bool mck_rma_is_update(const struct mck_event *e) {
  return e->kind == MCK_EV_PUT || (e->kind == MCK_EV_ACC && e->flags != MCK_OP_NO_OP);
}

struct mck_rma_op *mck_rma_op_at(const struct mck_rma_log *log, uint32_t event) {
  size_t low = 0, high = log->nops;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (log->ops[middle].event < event) low = middle + 1;
    else high = middle;
  }
  return low < log->nops && log->ops[low].event == event ? &log->ops[low] : NULL;
}

// --- completion ---
static void finish_op(struct mck_scan *p, struct mck_rma_op *op) {
  if (op->done == MCK_NONE) op->done_log = p->number, op->done = p->at;
}

// Another run may have this call of one thread before the operation of another one. And what completes the operation
// for those who know of one strand's call, another strand's call completes for those who know of that one only: so in a
// log with strands the last operations stay in the list.
static bool is_of_other_strand(struct mck_scan *p, const struct mck_scan_window *s, uint32_t number, bool is_local) {
  const struct mck_rma_op *op = &p->log->ops[number];
  if (mck_strands_of(p->strands, op->event) == mck_strands_of(p->strands, p->at)) return false;
  struct mck_rma_unsure new = {p->at, number, !is_local || mck_rma_is_fetching(&p->reader->events[op->event])};
  if (!MCK_PUSH(p->log->unsure, p->log->nunsure, p->log->unsure_capacity, new)) p->run->is_short = true;
  if (s->npending > PENDING_MAX)
    p->run->windows[p->log->window_of[p->reader->events[op->event].rma.win]].is_doubtful = true;
  return true;
}

// is_local: completes at the target only operations that are over there when they are locally complete.
static void finish_target(struct mck_scan *p, struct mck_scan_window *s, uint32_t target, bool is_local,
                          bool is_exposed) {
  uint32_t *link = &s->pending[target];
  while (*link) {
    struct mck_rma_op *op = &p->log->ops[*link - 1];
    if (p->strands && !is_exposed && is_of_other_strand(p, s, *link - 1, is_local)) {
      link = &p->next[*link - 1];
      continue;
    }
    if (op->over == MCK_NONE) op->over = p->at;
    if (is_local && !mck_rma_is_fetching(&p->reader->events[op->event])) {
      link = &p->next[*link - 1];
      continue;
    }
    if (op->done == MCK_NONE) op->is_exposed = is_exposed;
    finish_op(p, op);
    if (p->strands && !is_exposed && p->log->nops - *link < KEPT) {
      link = &p->next[*link - 1];
      continue;
    }
    *link = p->next[*link - 1];
    s->npending--;
  }
}

static void finish(struct mck_scan *p, struct mck_scan_window *s, int32_t target, bool is_local, bool is_exposed) {
  if (target >= 0) {
    if ((uint32_t)target < s->size) finish_target(p, s, (uint32_t)target, is_local, is_exposed);
    return;
  }
  for (uint32_t t = 0; s->npending && t < s->size; t++) finish_target(p, s, t, is_local, is_exposed);
}

static void end_requests(struct mck_scan *p, const struct mck_event *e) {
  if (e->kind == MCK_EV_WAIT && e->flags != MCK_WAIT_ALL) return;
  for (uint32_t i = 0; i < e->wait.count; i++) {
    uint32_t event = mck_wait_request(e, i);
    if (event == MCK_NONE) continue;
    struct mck_rma_op *op = mck_rma_op_at(p->log, event);
    if (!op) continue;
    if (op->over == MCK_NONE || op->is_message) op->over = p->at;
    if (op->is_message) op->done = p->at;
    if (!op->is_message && mck_rma_is_fetching(&p->reader->events[event])) finish_op(p, op);
  }
}

// --- events ---
static void add_op(struct mck_scan *p, const struct mck_event *e) {
  struct mck_rma_window *w = mck_rma_window_of(p->run, p->number, e->rma.win);
  if (!w || e->rma.target < 0 || (uint32_t)e->rma.target >= w->size) return;
  struct mck_scan_window *s = &p->windows[e->rma.win];
  uint8_t lock = s->locks[e->rma.target]                           ? s->locks[e->rma.target]
                 : s->locked_all != MCK_NONE && !s->is_all_nocheck ? MCK_CONFLICT_SHARED
                                                                   : 0;
  struct mck_rma_op op = {p->at, MCK_NONE, MCK_NONE, MCK_NONE, lock, false, false};
  if (!MCK_PUSH(p->log->ops, p->log->nops, p->log->ops_capacity, op) ||
      !mck_base_grow((void **)&p->next, &p->next_capacity, p->log->nops, sizeof *p->next)) {
    p->run->is_short = true;
    return;
  }
  p->next[p->log->nops - 1] = s->pending[e->rma.target];
  s->pending[e->rma.target] = (uint32_t)p->log->nops;
  s->npending++;
  if (e->kind == MCK_EV_ACC || (p->run->has_polling && e->kind == MCK_EV_PUT))
    mck_section_add_atomic(p, e, p->log->nops - 1);
}

// A nonblocking send, receive or collective whose buffer lies in window memory. Whether a receive that was to be
// cancelled has taken a message may not be known. Of what no call completes nothing is said but that it began, unless
// more is known of it (message-completion.c).
static void add_message(struct mck_scan *p, uint32_t event) {
  const struct mck_event *e = &p->reader->events[event];
  bool is_known = event != MCK_NONE && (e->kind != MCK_EV_RECV || !(e->flags & MCK_FLAG_CANCELLED));
  if (!is_known || (p->log->nops && p->log->ops[p->log->nops - 1].event >= event)) return;
  struct mck_rma_op op = {event, event, p->number, event, MCK_CONFLICT_UNLOCKED, false, true};
  if (!MCK_PUSH(p->log->ops, p->log->nops, p->log->ops_capacity, op) ||
      !mck_base_grow((void **)&p->next, &p->next_capacity, p->log->nops, sizeof *p->next))
    p->run->is_short = true;
}

static void open_exposure(struct mck_scan *p, const struct mck_event *e, bool is_post) {
  struct mck_rma_exposures *x = p->exposures;
  struct mck_rma_exposure new = {
      p->log->window_of[e->sync.win], p->number, p->at, MCK_NONE, (uint32_t)x->nranks, 0, is_post};
  const struct mck_event *group = e + 1;
  bool has_group = p->at + 1 < p->reader->units && group->kind == MCK_EV_GROUP &&
                   group->group.n <= (uint64_t)group->group.extra * (MCK_UNIT / 4);
  if (!has_group) p->run->windows[new.window].is_doubtful = true; // for which ranks is not known
  for (uint32_t i = 0; has_group && i < group->group.n; i++)
    if (!MCK_PUSH(x->ranks, x->nranks, x->ranks_capacity, ((const int32_t *)(group + 1))[i])) p->run->is_short = true;
  new.n = (uint32_t)x->nranks - new.first;
  if (!MCK_PUSH(x->items, x->count, x->capacity, new)) p->run->is_short = true;
  struct mck_scan_window *s = &p->windows[e->sync.win];
  *(is_post ? &s->post : &s->start) = (uint32_t)x->count;
}

static void close_exposure(struct mck_scan *p, uint32_t *open) {
  if (*open) p->exposures->items[*open - 1].close = p->at;
  *open = 0;
}

static void unlock(struct mck_scan *p, struct mck_scan_window *s, uint32_t target) {
  if (target >= s->size) return;
  finish(p, s, (int32_t)target, false, false);
  if (s->locks[target]) mck_section_add_lock(p, s, target, s->locked[target], s->locks[target]);
  s->locks[target] = MCK_CONFLICT_UNLOCKED;
}

static void unlock_all(struct mck_scan *p, struct mck_scan_window *s) {
  finish(p, s, -1, false, false);
  for (uint32_t t = 0; s->locked_all != MCK_NONE && !s->is_all_nocheck && t < s->size; t++)
    mck_section_add_lock(p, s, t, s->locked_all, MCK_CONFLICT_SHARED);
  s->locked_all = MCK_NONE;
}

static void synchronize(struct mck_scan *p, const struct mck_event *e) {
  if (!mck_rma_window_of(p->run, p->number, e->sync.win)) return;
  struct mck_scan_window *s = &p->windows[e->sync.win];
  uint32_t target = (uint32_t)e->sync.rank;
  if (e->kind == MCK_EV_FENCE) {
    finish(p, s, -1, false, false);
    return;
  }
  bool is_all = mck_std_is_to_all(e->fn), may_skip = mck_std_lock_may_skip(e->sync.assertion);
  switch (mck_std_epoch_call(e->fn)) {
  case MCK_STD_CALL_LOCK:
    // With MPI_MODE_NOCHECK no lock is taken (MPI-3.1 11.5.5).
    if (is_all) s->locked_all = p->at, s->is_all_nocheck = may_skip;
    else if (target < s->size && !may_skip) {
      bool is_exclusive = mck_std_is_exclusive(e->fn, e->sync.lock_type);
      s->locks[target] = is_exclusive ? MCK_CONFLICT_EXCLUSIVE : MCK_CONFLICT_SHARED;
      s->locked[target] = p->at;
    }
    break;
  case MCK_STD_CALL_UNLOCK:
    if (is_all) unlock_all(p, s);
    else unlock(p, s, target);
    break;
  case MCK_STD_CALL_FLUSH: finish(p, s, is_all ? -1 : e->sync.rank, mck_std_is_local_flush(e->fn), false); break;
  case MCK_STD_CALL_POST: open_exposure(p, e, true); break;
  case MCK_STD_CALL_START: open_exposure(p, e, false); break;
  case MCK_STD_CALL_COMPLETE:
    finish(p, s, -1, false, true);
    close_exposure(p, &s->start);
    break;
  case MCK_STD_CALL_WAIT: close_exposure(p, &s->post); break;
  case MCK_STD_CALL_FENCE:
  case MCK_STD_CALL_OTHER: break; // MPI_Win_sync
  }
}

static void add_open(struct mck_scan *p, uint32_t event) {
  struct mck_rma_run *run = p->run;
  if (run->is_asking && !MCK_PUSH(run->open, run->nopen, run->open_capacity, event)) run->is_short = true;
}

// What is not over at the end of the log is for open-operations.c.
static void find_open(struct mck_scan *p, const struct mck_scan_window *s) {
  for (uint32_t t = 0; s->locks && t < s->size; t++)
    if (s->locks[t]) add_open(p, s->locked[t]);
  if (s->locks && s->locked_all != MCK_NONE) add_open(p, s->locked_all);
  if (s->start) add_open(p, p->exposures->items[s->start - 1].open), p->run->is_exposed = true;
  if (s->post) add_open(p, p->exposures->items[s->post - 1].open), p->run->is_exposed = true;
}

static bool open_windows(struct mck_scan *p) {
  p->windows = calloc((size_t)p->reader->nwins + 1, sizeof *p->windows);
  for (uint32_t i = 0; p->windows && i < p->reader->nwins; i++) {
    struct mck_rma_window *w = mck_rma_window_of(p->run, p->number, i);
    struct mck_scan_window *s = &p->windows[i];
    s->locked_all = MCK_NONE;
    if (!w) continue;
    s->size = w->size;
    s->pending = calloc((size_t)w->size + 1, sizeof *s->pending);
    s->locks = calloc((size_t)w->size + 1, 1);
    s->locked = calloc((size_t)w->size + 1, sizeof *s->locked);
    if (!s->pending || !s->locks || !s->locked) return false;
  }
  return p->windows != NULL;
}

// Before the operation gets its number, which is the next one if its window is judged.
static void note_read(struct mck_scan *p, const struct mck_event *e) {
  switch (e->kind) {
  case MCK_EV_PUT:
  case MCK_EV_GET:
  case MCK_EV_ACC: {
    const struct mck_rma_window *w = mck_rma_window_of(p->run, p->number, e->rma.win);
    bool has_number = w && e->rma.target >= 0 && (uint32_t)e->rma.target < w->size;
    mck_section_note_read(p, e, has_number ? p->log->nops + 1 : 0);
    return;
  }
  case MCK_EV_ACCESS:
  case MCK_EV_CALL:
  case MCK_EV_COLL: mck_section_note_read(p, e, 0); return;
  default: return;
  }
}

// The event that a buffer behind it is of.
static uint32_t message_at(const struct mck_scan *p, const struct mck_event *e, uint32_t before) {
  switch (e->kind) {
  case MCK_EV_SEND:
  case MCK_EV_RECV:
  case MCK_EV_COLL:
  case MCK_EV_PAD: return p->at; // settled at a cut (judge/cut/remaining-log.c); of a file (record/rma/window-buffer.c)
  case MCK_EV_COLL_ARGS:
  case MCK_EV_ACCESS: return before;
  default: return MCK_NONE;
  }
}

static void scan_event(struct mck_scan *p, const struct mck_event *e) {
  switch (e->kind) {
  case MCK_EV_PUT:
  case MCK_EV_GET:
  case MCK_EV_ACC: add_op(p, e); break;
  case MCK_EV_ACCESS:
    if (e->flags & MCK_ACCESS_BUFFER && e->flags & MCK_ACCESS_MESSAGE) add_message(p, p->message);
    else if (p->run->has_polling) mck_section_add_polling(p, e);
    break;
  case MCK_EV_SYNC:
  case MCK_EV_FENCE: synchronize(p, e); break;
  case MCK_EV_WAIT:
  case MCK_EV_DONE: end_requests(p, e); break;
  default: break;
  }
}

static void scan_log(struct mck_rma_run *run, uint32_t number, struct mck_rma_exposures *exposures) {
  struct mck_scan p = {.run = run,
                       .log = &run->logs[number],
                       .reader = &run->readers[number],
                       .strands = mck_rma_strands(run, number),
                       .number = number,
                       .exposures = exposures,
                       .first = MCK_NONE,
                       .message = MCK_NONE};
  size_t first_section = run->nsections;
  if (!open_windows(&p)) run->is_short = true;
  for (uint64_t i = 0; i < p.reader->units && !run->is_short; i += mck_event_units(&p.reader->events[i])) {
    const struct mck_event *e = &p.reader->events[i];
    p.at = (uint32_t)i;
    note_read(&p, e);
    scan_event(&p, e);
    p.message = message_at(&p, e, p.message);
  }
  for (uint32_t i = 0; !run->is_short && i < p.reader->nwins; i++) find_open(&p, &p.windows[i]);
  if (!run->is_short) mck_section_end_log(&p, first_section);
  for (uint32_t i = 0; p.windows && i < p.reader->nwins; i++) {
    free(p.windows[i].pending);
    free(p.windows[i].locks);
    free(p.windows[i].locked);
  }
  free(p.windows);
  free(p.next);
  free(p.reads);
}

bool mck_rma_scan(struct mck_rma_run *run) {
  struct mck_rma_exposures exposures = {0};
  run->nranks = run->nlogs ? run->readers[0].header->size : 0;
  run->log_of = malloc(((size_t)run->nranks + 1) * sizeof *run->log_of);
  run->logs = calloc(run->nlogs + 1, sizeof *run->logs);
  run->is_coarse = calloc(run->nlogs + 1, sizeof *run->is_coarse);
  if (!run->log_of || !run->logs || !run->is_coarse) return false;
  memset(run->log_of, 0xff, ((size_t)run->nranks + 1) * sizeof *run->log_of);
  for (uint32_t i = 0; i < run->nlogs && !run->is_short; i++) {
    uint32_t rank = run->readers[i].header->rank;
    if (rank < run->nranks) run->log_of[rank] = i;
    run->logs[i].reader = &run->readers[i];
    run->logs[i].window_of = malloc(((size_t)run->readers[i].nwins + 1) * sizeof(uint32_t));
    if (!run->logs[i].window_of) run->is_short = true;
    else mck_rma_find_windows(run, i);
  }
  for (size_t i = 0; run->has_fenced && i < run->nwindows; i++)
    if (!run->windows[i].is_judged) run->windows[i].is_judged = run->windows[i].is_fenced = true;
  for (uint32_t i = 0; i < run->nlogs && !run->is_short; i++) scan_log(run, i, &exposures);
  if (!run->is_short) mck_rma_end_messages(run), mck_section_sort(run);
  if (!run->is_short && !mck_rma_link(run, &exposures)) run->is_short = true;
  free(exposures.items);
  free(exposures.ranks);
  return !run->is_short;
}

void mck_rma_run_free(struct mck_rma_run *run) {
  for (size_t i = 0; run->logs && i < run->nlogs; i++) {
    free(run->logs[i].window_of);
    free(run->logs[i].ops);
    free(run->logs[i].links);
    free(run->logs[i].unsure);
    for (uint32_t k = 0; run->logs[i].attachments && k < run->readers[i].nwins; k++)
      mck_attachments_free(&run->logs[i].attachments[k]);
    free(run->logs[i].attachments);
  }
  for (size_t i = 0; i < run->nwindows; i++) free(run->windows[i].members);
  free(run->windows);
  free(run->sections);
  free(run->open);
  free(run->untrue);
  free(run->is_coarse);
  free(run->logs);
  free(run->log_of);
  mck_table_free(&run->window_table);
}
