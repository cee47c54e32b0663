// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk. Each log has a clock; who may tell others something (a send, the entry into a collective, a post, a
// complete) leaves its clock there, and whoever hears of it takes the maximum (the paper's R2 to R4, and the same for
// messages and other collectives). R1's counter is the number of the event in its log. An access is compared with what
// is on record for its bytes when the walk comes to it: what was recorded before and is not completed before it is a
// candidate. The walk is one of the orders that the edges allow, so nothing that is recorded later can come before it.
#include "rma/rma-walk.h"
#include <stdlib.h>
#include <string.h>
#include "api/worlds.h"

enum { LIST_MAX = 512, SHORT_LIST = 16, STRIDES_MAX = 1 << 20, NOCHECK = 1, WINDOW_DYNAMIC = 3 };

// --- accesses ---
static bool is_like(const struct mck_rma_like *l, const struct mck_rma_like *like) {
  return l->site == like->site && l->log == like->log && l->window == like->window && l->fn == like->fn &&
         l->kind == like->kind && l->lock == like->lock && l->is_change == like->is_change && l->op == like->op &&
         l->basic == like->basic && l->is_polling == like->is_polling && l->is_fetching == like->is_fetching;
}

static uint32_t find_like(struct mck_walk *w, const struct mck_rma_like *like) {
  uint32_t slot, id;
  if (w->last_like < w->found.nlikes && is_like(&w->found.likes[w->last_like], like)) return w->last_like;
  uint64_t hash = mck_table_mix((uint64_t)like->site << 32 | like->log,
                                (uint64_t)like->window << 32 | (uint64_t)like->fn << 16 | like->kind << 8 | like->lock);
  MCK_TABLE_EACH (&w->like_table, hash, slot, id)
    if (is_like(&w->found.likes[id], like)) return w->last_like = id;
  if (!MCK_PUSH(w->found.likes, w->found.nlikes, w->found.likes_capacity, *like) ||
      !mck_table_add(&w->like_table, hash, (uint32_t)w->found.nlikes - 1))
    mck_walk_fail(w);
  return w->last_like = w->found.nlikes ? (uint32_t)w->found.nlikes - 1 : 0;
}

static bool is_ordered(const struct mck_walk *w, const struct mck_rma_access *a, uint32_t log, uint32_t event) {
  if (a->done == MCK_NONE) return false;
  if (a->done_log == log) return a->done < event;
  uint32_t component = w->component[a->done_log];
  return component == MCK_NONE || w->logs[log].clock->known[component] > a->done;
}

// Both hold a lock of this memory, and one of them keeps all others out (MPI-3.1 11.5.3).
static bool is_excluded(const struct mck_rma_like *a, const struct mck_rma_like *b) {
  return a->window == b->window && a->log != b->log && a->lock && b->lock &&
         (a->lock == MCK_RMA_EXCLUSIVE || b->lock == MCK_RMA_EXCLUSIVE);
}

// Where logs are cut two that are not complete stay in them, and are judged when they are. Of two that were entered
// before a cut only such a pair is left: what else was before it was judged then, and the log has no more of what
// ordered it.
static bool is_of_other_cut(const struct mck_walk *w, const struct mck_rma_access *a, uint32_t log_b) {
  const struct mck_rma_access *b = &w->at;
  uint32_t log_a = w->found.likes[a->like].log, cut_a = w->logs[log_a].cut, cut_b = w->logs[log_b].cut;
  if (w->run->is_cut && a->done == MCK_NONE && b->done == MCK_NONE) return true;
  if (cut_a == MCK_NONE || cut_b == MCK_NONE || a->event > cut_a || b->event > cut_b) return false;
  return (a->done != MCK_NONE && a->done < w->logs[a->done_log].cut) ||
         (b->done != MCK_NONE && b->done < w->logs[b->done_log].cut);
}

static void add_pair(struct mck_walk *w, const struct mck_rma_access *a, enum mck_rma_verdict verdict, uint64_t low,
                     uint64_t high) {
  const struct mck_rma_access *b = &w->at;
  uint32_t log = w->found.likes[b->like].log;
  uint32_t slot, id = MCK_NONE;
  if (is_of_other_cut(w, a, log)) return;
  uint64_t hash = mck_table_mix((uint64_t)a->like << 32 | b->like, w->owner);
  MCK_TABLE_EACH (&w->pair_table, hash, slot, id) {
    const struct mck_rma_pair *p = &w->found.pairs[id];
    if (p->a == a->like && p->b == b->like && p->owner == w->owner) goto found;
  }
  id = (uint32_t)w->found.npairs;
  struct mck_rma_pair new = {.a = a->like, .b = b->like, .owner = w->owner, .verdict = verdict};
  if (!MCK_PUSH(w->found.pairs, w->found.npairs, w->found.pairs_capacity, new) ||
      !mck_table_add(&w->pair_table, hash, id)) {
    mck_walk_fail(w);
    return;
  }
found:;
  struct mck_rma_pair *p = &w->found.pairs[id];
  // The same bytes say more than the same window.
  if (p->verdict != MCK_RMA_MODEL && verdict == MCK_RMA_MODEL) return;
  if (p->verdict == MCK_RMA_MODEL && verdict != MCK_RMA_MODEL) p->verdict = verdict, p->ninstances = p->count = 0;
  const struct mck_rma_instance *last = p->ninstances ? &p->instances[p->ninstances - 1] : NULL;
  if (last && last->event_a == a->event && last->event_b == b->event) return; // another piece of the same two
  p->count++;
  if (p->ninstances == MCK_RMA_INSTANCES) return;
  const struct mck_clock *clock = w->logs[log].clock;
  uint32_t of_done = a->done == MCK_NONE ? MCK_NONE : w->component[a->done_log],
           of_a = w->component[w->found.likes[a->like].log];
  p->instances[p->ninstances++] = (struct mck_rma_instance){a->event,
                                                            b->event,
                                                            a->done_log,
                                                            a->done,
                                                            b->done_log,
                                                            b->done,
                                                            of_done == MCK_NONE ? 0 : clock->known[of_done],
                                                            of_a == MCK_NONE ? 0 : clock->known[of_a],
                                                            low,
                                                            high};
}

static uint32_t copy_list(void *context, uint32_t list) {
  struct mck_walk *w = context;
  uint32_t first = MCK_NONE, last = MCK_NONE;
  for (; list != MCK_NONE; list = w->accesses[list].next) {
    uint32_t at = w->spare;
    struct mck_rma_access copy = w->accesses[list];
    copy.next = MCK_NONE;
    if (at != MCK_NONE) w->spare = w->accesses[at].next, w->accesses[at] = copy;
    else if (MCK_PUSH(w->accesses, w->naccesses, w->accesses_capacity, copy)) at = (uint32_t)w->naccesses - 1;
    else {
      mck_walk_fail(w);
      return first;
    }
    if (first == MCK_NONE) first = at;
    else w->accesses[last].next = at;
    last = at;
  }
  return first;
}

// Is the one on record worth nothing beside the new one? The same again, by the same process: whoever comes after the
// later one comes after it. Where chance comes in, a later third one may perhaps come before the new one, and surely
// not before the old one: both stay, in short lists.
static bool is_replaced(const struct mck_walk *w, const struct mck_rma_access *a, bool is_before, uint32_t length) {
  const struct mck_rma_access *b = &w->at;
  const struct mck_rma_like *la = &w->found.likes[a->like], *lb = &w->found.likes[b->like];
  if (w->is_whole) return is_before && a->like == b->like;
  if (is_before && (!w->run->nturns || length >= SHORT_LIST) && mck_rma_covers(lb, la)) return true;
  return a->like == b->like && a->is_dark == b->is_dark && (a->done_log == b->done_log || b->done == MCK_NONE) &&
         a->done <= b->done;
}

static uint32_t visit_piece(void *context, uint32_t list, uint64_t low, uint64_t high) {
  struct mck_walk *w = context;
  struct mck_rma_access *b = &w->at;
  const struct mck_rma_like *lb = &w->found.likes[b->like];
  uint32_t first = MCK_NONE, last = MCK_NONE, n = 0;
  for (uint32_t next; list != MCK_NONE; list = next) {
    struct mck_rma_access *a = &w->accesses[list];
    next = a->next;
    const struct mck_rma_like *la = &w->found.likes[a->like];
    bool is_same = la->log == lb->log && a->event == b->event,
         is_before = !is_same && is_ordered(w, a, lb->log, b->event);
    if (!is_same && !is_before && !a->is_dark && !b->is_dark && !is_excluded(la, lb)) {
      enum mck_rma_verdict verdict = w->is_whole ? mck_rma_conflict_of_models(la, lb)
                                                 : mck_rma_conflict(la, lb, w->win);
      if (verdict != MCK_RMA_FINE) add_pair(w, a, verdict, low, high);
      a = &w->accesses[list];
    }
    if (is_same || is_replaced(w, a, is_before, n)) {
      a->next = w->spare, w->spare = list;
      continue;
    }
    if (first == MCK_NONE) first = list;
    else w->accesses[last].next = list;
    last = list;
    a->next = MCK_NONE;
    n++;
  }
  if (n >= LIST_MAX) return first; // hopelessly tangled: what is there will do
  struct mck_rma_access *own = b;
  own->next = MCK_NONE;
  uint32_t at = w->spare;
  if (at != MCK_NONE) w->spare = w->accesses[at].next, w->accesses[at] = *own;
  else if (MCK_PUSH(w->accesses, w->naccesses, w->accesses_capacity, *own)) at = (uint32_t)w->naccesses - 1;
  else {
    mck_walk_fail(w);
    return first;
  }
  if (first == MCK_NONE) return at;
  w->accesses[last].next = at;
  return first;
}

static bool do_piece(struct mck_walk *w, uint64_t low, uint64_t high) {
  struct mck_cover_sink sink = {w, copy_list, visit_piece};
  if (!mck_cover_visit(&w->covers[w->owner], low, high, &sink)) mck_walk_fail(w);
  return !mck_walk_is_short(w);
}

// In the separate model a store and an update of a window meet wherever they are: in a byte of no memory, one for each
// window.
static void do_whole(struct mck_walk *w, uint32_t window) {
  const struct mck_rma_like *l = &w->found.likes[w->at.like];
  if (!(w->win->traits & MCK_WIN_SEPARATE) || !mck_rma_is_writing(l) || mck_walk_is_short(w)) return;
  w->is_whole = true;
  uint64_t low = UINT64_MAX - 1 - window;
  do_piece(w, low, low + 1);
  w->is_whole = false;
}

static void add_stray(struct mck_walk *w, uint64_t low, uint64_t high) {
  uint32_t slot, id;
  if (w->has_strayed) return;
  w->has_strayed = true;
  uint64_t hash = mck_table_mix(w->at.like, w->owner);
  MCK_TABLE_EACH (&w->stray_table, hash, slot, id)
    if (w->found.strays[id].like == w->at.like && w->found.strays[id].owner == w->owner) {
      w->found.strays[id].count++;
      return;
    }
  struct mck_rma_stray new = {w->at.like, w->at.event, w->owner, 1, w->known, low, high};
  if (!MCK_PUSH(w->found.strays, w->found.nstrays, w->found.strays_capacity, new) ||
      !mck_table_add(&w->stray_table, hash, (uint32_t)w->found.nstrays - 1))
    mck_walk_fail(w);
}

// Was every byte attached at some time that is not known to be over? (MPI-3.1 11.2.4)
static bool is_attached(struct mck_walk *w, uint64_t low, uint64_t high) {
  const struct mck_spells *spells = mck_rma_spells(w->run, w->owner, w->win->id);
  return mck_walk_is_short(w) || mck_spells_ask(spells, low, high, w->known, MCK_NONE) == MCK_SPELL_THERE;
}

static bool look_at_piece(void *context, uint64_t low, uint64_t high) {
  struct mck_walk *w = context;
  uint64_t base = w->win->body->base;
  bool is_inside = w->win->flavor == WINDOW_DYNAMIC ? is_attached(w, low, high)
                                                    : low >= base && high <= base + w->win->body->size;
  if (!is_inside) add_stray(w, low, high);
  return is_inside;
}

static bool visit_piece_of(void *context, uint64_t low, uint64_t high) { return do_piece(context, low, high); }

static void operate(struct mck_walk *w, struct mck_point at, const struct mck_event *e) {
  struct mck_walk_log *l = &w->logs[at.log];
  struct mck_rma_log *log = &w->run->logs[at.log];
  while (l->op < log->nops && log->ops[l->op].event < at.index) l->op++;
  const struct mck_rma_window *window = mck_rma_window_of(w->run, at.log, e->rma.win);
  if (!window || l->op == log->nops || log->ops[l->op].event != at.index) return;
  const struct mck_rma_op *op = &log->ops[l->op];
  w->win = mck_rma_target(w->run, window, e->rma.target, &w->owner);
  if (!w->win) return;
  const struct mck_reader *r = &w->run->readers[at.log];
  struct mck_rma_like like = {.kind = e->kind == MCK_EV_PUT   ? MCK_RMA_PUT
                                      : e->kind == MCK_EV_GET ? MCK_RMA_GET
                                                              : MCK_RMA_ACC,
                              .op = e->kind == MCK_EV_ACC ? e->flags : 0,
                              .lock = op->lock,
                              .is_fetching = mck_rma_is_fetching(e),
                              .fn = e->fn,
                              .log = at.log,
                              .site = e->site,
                              .window = log->window_of[e->rma.win],
                              .basic = e->kind == MCK_EV_ACC ? mck_rma_basic(r, e->rma.type) : MCK_NONE};
  uint32_t component = w->component[w->owner];
  uint32_t known = component == MCK_NONE || l->clock->is_dark ? 0 : l->clock->known[component];
  w->known = known ? known - 1 : 0;
  w->has_strayed = l->cut != MCK_NONE && at.index < l->cut; // said at the cut
  w->at = (struct mck_rma_access){MCK_NONE, at.index, op->done_log, op->done, find_like(w, &like), l->clock->is_dark};
  // What is not known, or more pieces than anybody can look at, is left out.
  // What goes beyond its target does no more than be reported.
  if (!mck_walk_is_short(w) && mck_rma_footprint(r, e, w->win, look_at_piece, w)) {
    mck_rma_footprint(r, e, w->win, visit_piece_of, w);
    do_whole(w, like.window);
  }
}

static void touch(struct mck_walk *w, struct mck_point at, const struct mck_event *e) {
  const struct mck_rma_window *window = mck_rma_window_of(w->run, at.log, e->access.win);
  int32_t rank = window ? mck_rma_owner(w->run, at.log, e) : -1;
  w->win = rank >= 0 ? mck_rma_target(w->run, window, rank, &w->owner) : NULL;
  if (!w->win) return;
  const uint8_t *locks = w->logs[at.log].locks[e->access.win];
  struct mck_rma_like like = {.kind = e->flags & MCK_ACCESS_STORE ? MCK_RMA_STORE : MCK_RMA_LOAD,
                              .lock = locks ? locks[rank] : MCK_RMA_UNLOCKED,
                              .is_polling = mck_rma_is_polling(&w->run->readers[at.log], at.index),
                              .is_change = e->flags & MCK_ACCESS_FREED,
                              .log = at.log,
                              .site = e->site,
                              .window = w->run->logs[at.log].window_of[e->access.win],
                              .basic = MCK_NONE};
  struct mck_walk_log *l = &w->logs[at.log];
  const struct mck_rma_log *log = &w->run->logs[at.log];
  while (l->op < log->nops && log->ops[l->op].event < at.index) l->op++;
  // A buffer is in use until the operation is complete at its origin.
  const struct mck_rma_op *lender = mck_rma_lender(log, at.index, l->op);
  if (lender) like.fn = log->reader->events[lender->event].fn;
  w->at = (struct mck_rma_access){
      MCK_NONE, at.index, at.log, lender ? lender->over : at.index, find_like(w, &like), l->clock->is_dark};
  uint64_t base = (w->win->flavor == WINDOW_DYNAMIC ? 0 : w->win->body->base) + e->access.offset, size = e->access.size;
  if (e->access.n == 1 || e->access.stride == (int64_t)size) {
    do_piece(w, base, base + size * e->access.n);
  } else
    for (uint32_t i = 0; e->access.n <= STRIDES_MAX && i < e->access.n; i++) {
      uint64_t low = base + (uint64_t)((int64_t)i * e->access.stride);
      if (!do_piece(w, low, low + size)) return;
    }
  do_whole(w, like.window);
}

// Memory of a dynamic window comes or goes: who touches it comes after the one and before the other (11.2.4).
static void change(struct mck_walk *w, struct mck_point at, const struct mck_event *e) {
  const struct mck_rma_window *window = mck_rma_window_of(w->run, at.log, e->attach.win);
  const struct mck_reader *r = &w->run->readers[at.log];
  const struct mck_win_def *win = window ? mck_rma_win(r, e->attach.win) : NULL;
  const struct mck_comm_def *comm = win ? mck_order_comm(r, win->comm) : NULL;
  w->win = comm ? mck_rma_target(w->run, window, (int32_t)comm->rank, &w->owner) : NULL;
  if (!w->win || !e->attach.size || e->attach.address + e->attach.size < e->attach.address) return;
  const uint8_t *locks = w->logs[at.log].locks[e->attach.win];
  struct mck_rma_like like = {.kind = MCK_RMA_STORE,
                              .lock = locks ? locks[comm->rank] : MCK_RMA_UNLOCKED,
                              .is_change = true,
                              .fn = e->fn,
                              .log = at.log,
                              .site = e->site,
                              .window = w->run->logs[at.log].window_of[e->attach.win],
                              .basic = MCK_NONE};
  w->at = (struct mck_rma_access){
      MCK_NONE, at.index, at.log, at.index, find_like(w, &like), w->logs[at.log].clock->is_dark};
  do_piece(w, e->attach.address, e->attach.address + e->attach.size);
}

// Our locks: they cover what we load and store under them (11.5.3, 11.7).
static void follow_lock(struct mck_walk *w, struct mck_point at, const struct mck_event *e) {
  const struct mck_rma_window *window = mck_rma_window_of(w->run, at.log, e->sync.win);
  bool is_lock = e->fn == MCK_FN_MPI_Win_lock || e->fn == MCK_FN_MPI_Win_lock_all,
       is_unlock = e->fn == MCK_FN_MPI_Win_unlock || e->fn == MCK_FN_MPI_Win_unlock_all;
  if (!window || !(is_lock || is_unlock) || (is_lock && e->sync.assertion & NOCHECK)) return;
  uint8_t **locks = &w->logs[at.log].locks[e->sync.win], lock = MCK_RMA_UNLOCKED;
  if (!*locks && !(*locks = calloc((size_t)window->size + 1, 1))) {
    mck_walk_fail(w);
    return;
  }
  if (is_lock)
    lock = e->fn == MCK_FN_MPI_Win_lock && e->sync.lock_type == MCK_RMA_EXCLUSIVE ? MCK_RMA_EXCLUSIVE : MCK_RMA_SHARED;
  if (e->fn == MCK_FN_MPI_Win_lock_all || e->fn == MCK_FN_MPI_Win_unlock_all) memset(*locks, lock, window->size);
  else if (e->sync.rank >= 0 && (uint32_t)e->sync.rank < window->size) (*locks)[e->sync.rank] = lock;
}

static void on_enter(void *context, struct mck_point at) {
  struct mck_walk *w = context;
  const struct mck_event *e = &w->run->readers[at.log].events[at.index];
  struct mck_walk_log *l = &w->logs[at.log];
  if (mck_walk_is_short(w)) return;
  mck_walk_hold(w, at, e);
  for (; l->turn < w->run->nturns && w->run->turns[l->turn].log == at.log && w->run->turns[l->turn].enter <= at.index;
       l->turn++)
    w->chance.clocks[l->turn] = mck_clock_share(l->clock);
  if (e->kind == MCK_EV_PUT || e->kind == MCK_EV_GET || e->kind == MCK_EV_ACC) operate(w, at, e);
  else if (e->kind == MCK_EV_ACCESS) touch(w, at, e);
  else if (e->kind == MCK_EV_SYNC) follow_lock(w, at, e);
  else if (e->kind == MCK_EV_ATTACH) change(w, at, e);
}

static void on_leave(void *context, struct mck_point at, bool is_finished) {
  struct mck_walk *w = context;
  const struct mck_reader *r = &w->run->readers[at.log];
  // What was heard before a cut is known to all behind it, but another world goes on speaking.
  bool is_behind = w->logs[at.log].cut == MCK_NONE || at.index > w->logs[at.log].cut ||
                   mck_fn_opens_world(r->events[at.index].fn);
  if (is_finished && is_behind && mck_walk_is_unknown(r, &r->events[at.index])) mck_walk_darken(w, at.log);
  if (w->observer && w->observer->left)
    w->observer->left(w->observer->context, at.log, at.index, w->logs[at.log].clock, w->component);
}

// What comes behind this is not known: what was found up to here stands.
static bool on_stuck(void *context, const struct mck_order_wait *waits, size_t n) {
  (void)context, (void)waits, (void)n;
  return false;
}

// --- the whole ---
// Who is asked about: logs with operations, with loads or stores, with turns, and those whose waits complete
// operations.
static void number_components(struct mck_walk *w) {
  const struct mck_rma_run *run = w->run;
  bool *has_turn = calloc(run->nlogs + 1, sizeof *has_turn);
  for (size_t i = 0; has_turn && i < run->nturns; i++) has_turn[run->turns[i].log] = true;
  for (uint32_t i = 0; i < run->nlogs; i++) w->component[i] = MCK_NONE;
  for (uint32_t i = 0; i < run->nlogs; i++) {
    const struct mck_reader *r = run->logs[i].reader;
    bool is_asked = run->logs[i].nops || run->logs[i].nlinks || !has_turn || has_turn[i];
    for (uint64_t k = 0; !is_asked && k < r->units; k += mck_event_units(&r->events[k]))
      is_asked = (r->events[k].kind == MCK_EV_ACCESS && mck_rma_window_of(run, i, r->events[k].access.win)) ||
                 r->events[k].kind == MCK_EV_ATTACH;
    if (is_asked) w->component[i] = w->ncomponents++;
  }
  free(has_turn);
}

static bool open_walk(struct mck_walk *w) {
  struct mck_rma_run *run = w->run;
  w->spare = MCK_NONE;
  w->logs = calloc(run->nlogs + 1, sizeof *w->logs);
  w->component = calloc(run->nlogs + 1, sizeof *w->component);
  w->covers = calloc(run->nlogs + 1, sizeof *w->covers);
  if (!w->logs || !w->component || !w->covers || !mck_chance_open(&w->chance, run, w->component)) return false;
  number_components(w);
  for (uint32_t i = 0; i < run->nlogs; i++) {
    struct mck_walk_log *l = &w->logs[i];
    l->cut = mck_order_cut(&run->readers[i]);
    l->clock = mck_clock_new(w->ncomponents);
    l->held = calloc(run->readers[i].units + 1, sizeof *l->held);
    l->locks = calloc((size_t)run->readers[i].nwins + 1, sizeof *l->locks);
    if (!l->clock || !l->held || !l->locks) return false;
    while (l->turn < run->nturns && run->turns[l->turn].log < i) l->turn++;
  }
  return true;
}

static void close_walk(struct mck_walk *w) {
  for (uint32_t i = 0; w->logs && i < w->run->nlogs; i++) {
    struct mck_walk_log *l = &w->logs[i];
    for (uint64_t k = 0; l->held && k < w->run->readers[i].units; k++) mck_clock_drop(l->held[k]);
    mck_clock_drop(l->clock);
    free(l->held);
    for (uint32_t k = 0; l->locks && k < w->run->readers[i].nwins; k++) free(l->locks[k]);
    free(l->locks);
    if (w->covers) mck_cover_free(&w->covers[i]);
  }
  for (size_t i = 0; i < w->nmeetings; i++) mck_clock_drop(w->meetings[i].joined);
  mck_chance_close(&w->chance);
  mck_table_free(&w->like_table), mck_table_free(&w->pair_table), mck_table_free(&w->stray_table),
      mck_table_free(&w->meeting_table);
  free(w->found.likes), free(w->found.pairs), free(w->found.strays);
  free(w->meetings), free(w->accesses), free(w->covers), free(w->component), free(w->logs);
}

bool mck_rma_is_wanted(const struct mck_reader *log) {
  for (uint64_t i = 0; log->nwins && i < log->units; i += mck_event_units(&log->events[i]))
    if (log->events[i].kind == MCK_EV_SYNC || (log->events[i].kind == MCK_EV_ACCESS && log->events[i].fn)) return true;
  return false;
}

static void say_not_judged(const struct mck_rma_run *run, const char *why) {
  struct mck_finding *f = mck_findings_add(run->findings, MCK_CHECK_UNCHECKED, -1);
  if (!f) return;
  mck_finding_text(f, "races on windows that are synchronized by more than fences were not looked for");
  mck_finding_why(f, "%s", why);
}

// Everything but the report. false: out of memory.
static bool walk_over(struct mck_walk *w) {
  struct mck_rma_run *run = w->run;
  struct mck_order_sink sink = {.context = w,
                                .enter = on_enter,
                                .leave = on_leave,
                                .complete = mck_walk_complete,
                                .stuck = on_stuck,
                                .also = mck_walk_also};
  struct mck_order_totals totals;
  return mck_rma_scan(run) && open_walk(w) && mck_order_walk(run->readers, run->nlogs, run->pairs, &sink, &totals) &&
         !mck_walk_is_short(w);
}

bool mck_rma_observe(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs,
                     const struct mck_rma_observer *observer) {
  struct mck_findings none = {0};
  struct mck_rma_run run = {.readers = logs, .nlogs = n, .pairs = pairs, .findings = &none};
  struct mck_walk w = {.run = &run, .observer = observer};
  bool is_good = n == 0 || logs[0].header->size == n;
  is_good = is_good && walk_over(&w);
  if (is_good && observer->scanned) observer->scanned(observer->context, &run);
  close_walk(&w);
  mck_rma_run_free(&run);
  return is_good;
}

void mck_rma_judge(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs, unsigned doubts, bool is_cut,
                   struct mck_findings *findings) {
  struct mck_rma_run run = {
      .readers = logs, .nlogs = n, .pairs = pairs, .doubts = doubts, .is_cut = is_cut, .findings = findings};
  struct mck_walk w = {.run = &run};
  if (doubts & MCK_DOUBT_UNSEEN) {
    say_not_judged(&run,
                   "code that was not recompiled calls MPI by PMPI_ names, so that the order of events is not known");
    return;
  }
  // A rank whose log is not there may have told anybody anything.
  if (n && logs[0].header->size != n) {
    say_not_judged(&run, "the logs of some ranks are missing");
    return;
  }
  if (walk_over(&w)) mck_rma_tell(&run, &w.found, &w.chance);
  else mck_base_warn("out of memory: races on windows are not judged");
  close_walk(&w);
  mck_rma_run_free(&run);
}
