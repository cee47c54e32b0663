// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over each log. Operations hang in a list of their window and target until the call that completes them:
// MPI_Win_unlock, MPI_Win_flush, a fence (MPI-3.1 11.5). What brings something back from its target (get, the fetching
// accumulates) has been there when it is locally complete: flush_local or its request end it, too.
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "rma/rma-run.h"

enum { NOCHECK = 1 };

struct state {       // of one window in one log
  uint32_t *pending; // by target: the last operation that is not complete, + 1
  size_t npending;
  uint32_t size;       // of the window's group
  uint8_t *locks;      // by target: enum mck_rma_lock
  uint32_t *locked;    // by target: event
  uint32_t locked_all; // event, MCK_NONE: none
  bool is_all_nocheck;
  uint32_t start, post; // open exposures + 1 in exposures
};
struct pass {
  struct mck_rma_run *run;
  struct mck_rma_log *log;
  const struct mck_reader *reader;
  uint32_t number, at;
  uint32_t first, last; // ACCESS events that no call stands between; MCK_NONE: none yet
  struct state *states; // by the log's id of the window
  uint32_t *next;       // by operation: the one before it in its list, + 1
  size_t next_capacity;
  struct mck_rma_exposures *exposures;
};

bool mck_rma_is_fetching(const struct mck_event *e) {
  return e->kind == MCK_EV_GET || e->fn == MCK_FN_MPI_Fetch_and_op || e->fn == MCK_FN_MPI_Compare_and_swap ||
         e->fn == MCK_FN_MPI_Get_accumulate || e->fn == MCK_FN_MPI_Rget_accumulate;
}

const struct mck_rma_op *mck_rma_lender(const struct mck_rma_log *log, uint32_t index, size_t first) {
  const struct mck_event *events = log->reader->events;
  if (!(events[index].flags & MCK_ACCESS_BUFFER) || !first) return NULL;
  const struct mck_rma_op *op = &log->ops[first - 1];
  if (op->event >= index) return NULL;
  for (uint32_t at = op->event + 1; at < index; at++)
    if (events[at].kind != MCK_EV_ACCESS || !(events[at].flags & MCK_ACCESS_BUFFER)) return NULL;
  return op;
}

bool mck_rma_is_update(const struct mck_event *e) {
  return e->kind == MCK_EV_PUT || (e->kind == MCK_EV_ACC && e->flags != MCK_OP_NO_OP);
}

// --- completion ---
static void finish_op(struct pass *p, struct mck_rma_op *op) {
  if (op->done == MCK_NONE) op->done_log = p->number, op->done = p->at;
}

// is_local: only what is then over at the target, too.
static void finish_target(struct pass *p, struct state *s, uint32_t target, bool is_local, bool is_exposed) {
  uint32_t *link = &s->pending[target];
  while (*link) {
    struct mck_rma_op *op = &p->log->ops[*link - 1];
    if (op->over == MCK_NONE) op->over = p->at;
    if (is_local && !mck_rma_is_fetching(&p->reader->events[op->event])) {
      link = &p->next[*link - 1];
      continue;
    }
    if (op->done == MCK_NONE) op->is_exposed = is_exposed;
    finish_op(p, op);
    *link = p->next[*link - 1];
    s->npending--;
  }
}

static void finish(struct pass *p, struct state *s, int32_t target, bool is_local, bool is_exposed) {
  if (target >= 0) {
    if ((uint32_t)target < s->size) finish_target(p, s, (uint32_t)target, is_local, is_exposed);
    return;
  }
  for (uint32_t t = 0; s->npending && t < s->size; t++) finish_target(p, s, t, is_local, is_exposed);
}

static void end_requests(struct pass *p, const struct mck_event *e) {
  if (e->kind == MCK_EV_WAIT && e->flags != MCK_WAIT_ALL) return;
  for (uint32_t i = 0; i < e->wait.count; i++) {
    uint32_t event = mck_wait_request(e, i);
    if (event == MCK_NONE) continue;
    size_t low = 0, high = p->log->nops;
    while (low < high) {
      size_t middle = (low + high) / 2;
      if (p->log->ops[middle].event < event) low = middle + 1;
      else high = middle;
    }
    if (low == p->log->nops || p->log->ops[low].event != event) continue;
    if (p->log->ops[low].over == MCK_NONE) p->log->ops[low].over = p->at;
    if (mck_rma_is_fetching(&p->reader->events[event])) finish_op(p, &p->log->ops[low]);
  }
}

// --- turns ---
// What a lock is about: the window and whose memory it is. Odd and even keep them apart from addresses.
static uint64_t lock_of(const struct pass *p, const struct state *s, uint32_t target) {
  uint32_t window = p->log->window_of[s - p->states];
  return mck_table_mix(mck_table_mix(p->run->windows[window].key, 2), target) | 1;
}

static void add_turn(struct pass *p, struct mck_rma_turn turn) {
  turn.log = p->number;
  if (!MCK_PUSH(p->run->turns, p->run->nturns, p->run->turns_capacity, turn)) p->run->is_short = true;
}

static void add_lock(struct pass *p, const struct state *s, uint32_t target, uint32_t begin, uint8_t lock) {
  add_turn(p, (struct mck_rma_turn){.thing = lock_of(p, s, target),
                                    .owner = MCK_NONE,
                                    .enter = begin,
                                    .begin = begin,
                                    .end = p->at,
                                    .told = p->at + 1, // the operations that end with it, too
                                    .is_giving = true,
                                    .is_taking = true,
                                    .is_exclusive = lock == MCK_RMA_EXCLUSIVE,
                                    .is_lock = true});
}

// An atomic operation that reads may have read what another one wrote. One element is about its address, more are about
// all memory of their target.
static void add_atomic(struct pass *p, const struct mck_event *e, size_t op) {
  uint32_t owner;
  struct mck_rma_window *w = mck_rma_window_of(p->run, p->number, e->rma.win);
  const struct mck_win_def *target = mck_rma_target(p->run, w, e->rma.target, &owner);
  if (!target) return;
  uint64_t address = target->body->base + e->rma.disp * target->disp_unit;
  if (e->rma.count != 1 || e->rma.type >= MCK_TYPE_USER) p->run->is_coarse[owner] = true;
  // The end is not known yet: the operation's number stands for it (end_turns).
  add_turn(p, (struct mck_rma_turn){.thing = mck_table_mix(mck_table_mix(owner, 1), address >> 3) & ~(uint64_t)1,
                                    .owner = owner,
                                    .enter = p->at,
                                    .begin = (uint32_t)op,
                                    .end = MCK_NONE,
                                    .told = p->at,
                                    .is_giving = mck_rma_is_update(e),
                                    .is_taking = mck_rma_is_fetching(e),
                                    .is_exclusive = true});
}

// What polls takes from whoever wrote there, and gives to whoever looks. An atomic store may be one that reads before
// (a compare-and-swap, an exchange): so locks are taken in shared memory.
static void add_polling(struct pass *p, const struct mck_event *e) {
  struct mck_rma_window *w = mck_rma_window_of(p->run, p->number, e->access.win);
  uint32_t owner;
  const struct mck_win_def *win = w ? mck_rma_target(p->run, w, mck_rma_owner(p->run, p->number, e), &owner) : NULL;
  if (!win || !mck_rma_is_polling(p->reader, p->at)) return;
  bool is_store = e->flags & MCK_ACCESS_STORE;
  if (e->access.n != 1 || e->access.size > 8) p->run->is_coarse[owner] = true;
  // Loads and stores between two calls are in the log by place, not in the order of the program
  // (record/access/touched-range.c): each may have been the last to give, and the first to take.
  add_turn(
      p, (struct mck_rma_turn){
             .thing = mck_table_mix(mck_table_mix(owner, 1), (win->body->base + e->access.offset) >> 3) & ~(uint64_t)1,
             .owner = owner,
             .enter = p->first,
             .begin = p->first ? p->first - 1 : 0,
             .end = p->last,
             .told = p->last + 1,
             .is_giving = is_store,
             .is_taking = !is_store || e->flags & MCK_ACCESS_ATOMIC,
             .is_exclusive = true});
}

// The loads and stores that no call stands between.
static void find_interval(struct pass *p) {
  const struct mck_reader *r = p->reader;
  if (p->first != MCK_NONE && p->at <= p->last) return;
  p->first = p->last = p->at;
  for (uint64_t i = p->at; i < r->units; i += mck_event_units(&r->events[i])) {
    if (r->events[i].kind == MCK_EV_ACCESS) p->last = (uint32_t)i;
    else if (mck_order_is_call(&r->events[i])) break;
  }
}

// --- events ---
static void add_op(struct pass *p, const struct mck_event *e) {
  struct mck_rma_window *w = mck_rma_window_of(p->run, p->number, e->rma.win);
  if (!w || e->rma.target < 0 || (uint32_t)e->rma.target >= w->size) return;
  struct state *s = &p->states[e->rma.win];
  uint8_t lock = s->locks[e->rma.target]                           ? s->locks[e->rma.target]
                 : s->locked_all != MCK_NONE && !s->is_all_nocheck ? MCK_RMA_SHARED
                                                                   : 0;
  struct mck_rma_op op = {p->at, MCK_NONE, MCK_NONE, MCK_NONE, lock, false};
  if (!MCK_PUSH(p->log->ops, p->log->nops, p->log->ops_capacity, op) ||
      !mck_base_grow((void **)&p->next, &p->next_capacity, p->log->nops, sizeof *p->next)) {
    p->run->is_short = true;
    return;
  }
  p->next[p->log->nops - 1] = s->pending[e->rma.target];
  s->pending[e->rma.target] = (uint32_t)p->log->nops;
  s->npending++;
  if (e->kind == MCK_EV_ACC || (p->run->has_polling && e->kind == MCK_EV_PUT)) add_atomic(p, e, p->log->nops - 1);
}

static void open_exposure(struct pass *p, const struct mck_event *e, bool is_post) {
  struct mck_rma_exposures *x = p->exposures;
  struct mck_rma_exposure new = {
      p->log->window_of[e->sync.win], p->number, p->at, MCK_NONE, (uint32_t)x->nranks, 0, is_post};
  const struct mck_event *group = e + 1;
  bool has_group = p->at + 1 < p->reader->units && group->kind == MCK_EV_GROUP &&
                   group->group.n <= (uint64_t)group->group.extra * (MCK_UNIT / 4);
  if (!has_group) p->run->windows[new.window].is_doubtful = true; // nobody knows whom it is for
  for (uint32_t i = 0; has_group && i < group->group.n; i++)
    if (!MCK_PUSH(x->ranks, x->nranks, x->ranks_capacity, ((const int32_t *)(group + 1))[i])) p->run->is_short = true;
  new.n = (uint32_t)x->nranks - new.first;
  if (!MCK_PUSH(x->items, x->count, x->capacity, new)) p->run->is_short = true;
  struct state *s = &p->states[e->sync.win];
  *(is_post ? &s->post : &s->start) = (uint32_t)x->count;
}

static void close_exposure(struct pass *p, uint32_t *open) {
  if (*open) p->exposures->items[*open - 1].close = p->at;
  *open = 0;
}

static void unlock(struct pass *p, struct state *s, uint32_t target) {
  if (target >= s->size) return;
  finish(p, s, (int32_t)target, false, false);
  if (s->locks[target]) add_lock(p, s, target, s->locked[target], s->locks[target]);
  s->locks[target] = MCK_RMA_UNLOCKED;
}

static void synchronize(struct pass *p, const struct mck_event *e) {
  if (!mck_rma_window_of(p->run, p->number, e->sync.win)) return;
  struct state *s = &p->states[e->sync.win];
  uint32_t target = (uint32_t)e->sync.rank;
  if (e->kind == MCK_EV_FENCE) {
    finish(p, s, -1, false, false);
    return;
  }
  switch (e->fn) {
  case MCK_FN_MPI_Win_lock:
    // With MPI_MODE_NOCHECK no lock is taken (MPI-3.1 11.5.5).
    if (target < s->size && !(e->sync.assertion & NOCHECK))
      s->locks[target] = e->sync.lock_type == MCK_RMA_EXCLUSIVE ? MCK_RMA_EXCLUSIVE : MCK_RMA_SHARED,
      s->locked[target] = p->at;
    break;
  case MCK_FN_MPI_Win_unlock: unlock(p, s, target); break;
  case MCK_FN_MPI_Win_lock_all:
    s->locked_all = p->at;
    s->is_all_nocheck = e->sync.assertion & NOCHECK;
    break;
  case MCK_FN_MPI_Win_unlock_all:
    finish(p, s, -1, false, false);
    for (uint32_t t = 0; s->locked_all != MCK_NONE && !s->is_all_nocheck && t < s->size; t++)
      add_lock(p, s, t, s->locked_all, MCK_RMA_SHARED);
    s->locked_all = MCK_NONE;
    break;
  case MCK_FN_MPI_Win_flush: finish(p, s, e->sync.rank, false, false); break;
  case MCK_FN_MPI_Win_flush_all: finish(p, s, -1, false, false); break;
  case MCK_FN_MPI_Win_flush_local: finish(p, s, e->sync.rank, true, false); break;
  case MCK_FN_MPI_Win_flush_local_all: finish(p, s, -1, true, false); break;
  case MCK_FN_MPI_Win_post: open_exposure(p, e, true); break;
  case MCK_FN_MPI_Win_start: open_exposure(p, e, false); break;
  case MCK_FN_MPI_Win_complete:
    finish(p, s, -1, false, true);
    close_exposure(p, &s->start);
    break;
  case MCK_FN_MPI_Win_wait:
  case MCK_FN_MPI_Win_test: close_exposure(p, &s->post); break;
  default: break; // MPI_Win_sync
  }
}

static void add_open(struct pass *p, uint32_t event) {
  struct mck_rma_run *run = p->run;
  if (run->is_asking && !MCK_PUSH(run->open, run->nopen, run->open_capacity, event)) run->is_short = true;
}

// What is not over at the end of the log (open-operations.c).
static void find_open(struct pass *p, const struct state *s) {
  for (uint32_t t = 0; s->locks && t < s->size; t++)
    if (s->locks[t]) add_open(p, s->locked[t]);
  if (s->locks && s->locked_all != MCK_NONE) add_open(p, s->locked_all);
  if (s->start) add_open(p, p->exposures->items[s->start - 1].open), p->run->is_exposed = true;
  if (s->post) add_open(p, p->exposures->items[s->post - 1].open), p->run->is_exposed = true;
}

// Locks that are never given back, and the ends of atomic operations.
static void end_turns(struct pass *p, size_t first) {
  for (uint32_t i = 0; i < p->reader->nwins; i++) {
    struct state *s = &p->states[i];
    p->at = MCK_NONE - 1;
    find_open(p, s);
    for (uint32_t t = 0; s->locks && t < s->size; t++)
      if (s->locks[t]) add_lock(p, s, t, s->locked[t], s->locks[t]);
      else if (s->locked_all != MCK_NONE && !s->is_all_nocheck) add_lock(p, s, t, s->locked_all, MCK_RMA_SHARED);
  }
  for (size_t i = first; i < p->run->nturns; i++) {
    struct mck_rma_turn *turn = &p->run->turns[i];
    if (turn->end != MCK_NONE) continue;
    const struct mck_rma_op *op = &p->log->ops[turn->begin];
    // What never ends tells us of nobody.
    turn->begin = turn->end = op->done != MCK_NONE && op->done_log == p->number ? op->done : MCK_NONE - 1;
  }
}

static bool open_states(struct pass *p) {
  p->states = calloc((size_t)p->reader->nwins + 1, sizeof *p->states);
  for (uint32_t i = 0; p->states && i < p->reader->nwins; i++) {
    struct mck_rma_window *w = mck_rma_window_of(p->run, p->number, i);
    struct state *s = &p->states[i];
    s->locked_all = MCK_NONE;
    if (!w) continue;
    s->size = w->size;
    s->pending = calloc((size_t)w->size + 1, sizeof *s->pending);
    s->locks = calloc((size_t)w->size + 1, 1);
    s->locked = calloc((size_t)w->size + 1, sizeof *s->locked);
    if (!s->pending || !s->locks || !s->locked) return false;
  }
  return p->states != NULL;
}

static void scan_log(struct mck_rma_run *run, uint32_t number, struct mck_rma_exposures *exposures) {
  struct pass p = {.run = run,
                   .log = &run->logs[number],
                   .reader = &run->readers[number],
                   .number = number,
                   .exposures = exposures,
                   .first = MCK_NONE};
  size_t first = run->nturns;
  if (!open_states(&p)) run->is_short = true;
  for (uint64_t i = 0; i < p.reader->units && !run->is_short; i += mck_event_units(&p.reader->events[i])) {
    const struct mck_event *e = &p.reader->events[i];
    p.at = (uint32_t)i;
    if (e->kind == MCK_EV_PUT || e->kind == MCK_EV_GET || e->kind == MCK_EV_ACC) add_op(&p, e);
    else if (e->kind == MCK_EV_ACCESS && run->has_polling) find_interval(&p), add_polling(&p, e);
    else if (e->kind == MCK_EV_SYNC || e->kind == MCK_EV_FENCE) synchronize(&p, e);
    else if (e->kind == MCK_EV_WAIT || e->kind == MCK_EV_DONE) end_requests(&p, e);
  }
  if (!run->is_short) end_turns(&p, first);
  for (uint32_t i = 0; p.states && i < p.reader->nwins; i++) {
    free(p.states[i].pending);
    free(p.states[i].locks);
    free(p.states[i].locked);
  }
  free(p.states);
  free(p.next);
}

static int compare_things(const void *a, const void *b) {
  const struct mck_rma_turn *x = a, *y = b;
  return x->thing != y->thing ? (x->thing < y->thing ? -1 : 1) : 0;
}

static int compare_turns(const void *a, const void *b) {
  const struct mck_rma_turn *x = a, *y = b;
  if (x->log != y->log) return x->log < y->log ? -1 : 1;
  return x->enter != y->enter ? (x->enter < y->enter ? -1 : 1) : compare_things(a, b);
}

// Turns order nothing where all share, where one log has them all, or where nobody gives or nobody takes.
static void keep_turns(struct mck_rma_run *run) {
  for (size_t i = 0; i < run->nturns; i++) {
    struct mck_rma_turn *t = &run->turns[i];
    if (!t->is_lock && run->is_coarse[t->owner])
      t->thing = mck_table_mix(mck_table_mix(t->owner, 1), UINT64_MAX) & ~(uint64_t)1;
  }
  if (run->nturns) qsort(run->turns, run->nturns, sizeof *run->turns, compare_things);
  size_t kept = 0;
  for (size_t i = 0, end; i < run->nturns; i = end) {
    bool is_exclusive = false, is_shared = false, gives = false, takes = false;
    for (end = i; end < run->nturns && run->turns[end].thing == run->turns[i].thing; end++) {
      is_exclusive |= run->turns[end].is_exclusive, is_shared |= run->turns[end].log != run->turns[i].log;
      gives |= run->turns[end].is_giving, takes |= run->turns[end].is_taking;
    }
    for (size_t k = i; is_exclusive && is_shared && gives && takes && k < end; k++) run->turns[kept++] = run->turns[k];
  }
  run->nturns = kept;
  if (kept) qsort(run->turns, kept, sizeof *run->turns, compare_turns);
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
  for (uint32_t i = 0; i < run->nlogs && !run->is_short; i++) scan_log(run, i, &exposures);
  if (!run->is_short) keep_turns(run);
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
    for (uint32_t k = 0; run->logs[i].spells && k < run->readers[i].nwins; k++)
      mck_spells_free(&run->logs[i].spells[k]);
    free(run->logs[i].spells);
  }
  for (size_t i = 0; i < run->nwindows; i++) free(run->windows[i].members);
  free(run->windows);
  free(run->turns);
  free(run->open);
  free(run->is_coarse);
  free(run->logs);
  free(run->log_of);
  mck_table_free(&run->window_table);
}
