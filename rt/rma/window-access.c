// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From events to accesses: which bytes of whose memory an operation, a load, a store, or a call that attaches or frees
// memory touches, and under which lock.
#include <stdlib.h>
#include <string.h>
#include "log/signature.h"
#include "rma/rma-walk.h"
#include "standard/collective.h"

enum { STRIDES_MAX = 1 << 20 };

// --- operations ---
static void add_beyond(struct mck_walk *w, uint64_t low, uint64_t high) {
  struct mck_rma_found *found = &w->found;
  uint32_t slot, id;
  if (w->is_beyond) return;
  w->is_beyond = true;
  uint64_t hash = mck_table_mix(w->at.class, w->owner);
  MCK_TABLE_EACH (&w->beyond_table, hash, slot, id)
    if (found->beyond[id].class == w->at.class && found->beyond[id].owner == w->owner) {
      found->beyond[id].count++;
      return;
    }
  struct mck_rma_beyond new = {w->at.class, w->at.event, w->owner, 1, w->known, low, high};
  if (!MCK_PUSH(found->beyond, found->nbeyond, found->beyond_capacity, new) ||
      !mck_table_add(&w->beyond_table, hash, (uint32_t)found->nbeyond - 1))
    mck_walk_fail(w);
}

// Was every byte attached at some time that is not known to be over (MPI-3.1 11.2.4)?
static bool is_attached(struct mck_walk *w, uint64_t low, uint64_t high) {
  const struct mck_attachments *attachments = mck_rma_attachments(w->run, w->owner, w->win->id);
  return mck_walk_is_short(w) || mck_attachments_ask(attachments, low, high, w->known, MCK_NONE) == MCK_ATTACHED_THEN;
}

static bool check_piece(void *context, uint64_t low, uint64_t high) {
  struct mck_walk *w = context;
  uint64_t base = w->win->body->base;
  bool is_inside = w->win->flavor == MCK_WIN_FLAVOR_DYNAMIC ? is_attached(w, low, high)
                                                            : low >= base && high <= base + w->win->body->size;
  if (!is_inside) add_beyond(w, low, high);
  return is_inside;
}

static bool touch_piece(void *context, uint64_t low, uint64_t high) { return mck_walk_touch(context, low, high); }

static struct mck_access_class class_of_op(const struct mck_walk *w, struct mck_point at, const struct mck_event *e,
                                           uint8_t lock) {
  struct mck_access_class class = {.fn = e->fn, .site = e->site};
  bool is_accumulate = e->kind == MCK_EV_ACC;
  class.what = (struct mck_conflict_access){.kind = is_accumulate           ? MCK_CONFLICT_ACCUMULATE
                                                    : e->kind == MCK_EV_PUT ? MCK_CONFLICT_PUT
                                                                            : MCK_CONFLICT_GET,
                                            .op = is_accumulate ? mck_access_op(e->flags) : 0,
                                            .lock = lock,
                                            .is_fetching = mck_rma_is_fetching(e),
                                            .type = is_accumulate ? mck_rma_basic(&w->run->readers[at.log], e->rma.type)
                                                                  : MCK_CONFLICT_UNKNOWN_TYPE,
                                            .process = at.log,
                                            .window = w->run->logs[at.log].window_of[e->rma.win]};
  return class;
}

static void operate(struct mck_walk *w, struct mck_point at, const struct mck_event *e) {
  struct mck_walk_log *l = &w->logs[at.log];
  struct mck_rma_log *log = &w->run->logs[at.log];
  while (l->op < log->nops && log->ops[l->op].event < at.index) l->op++;
  const struct mck_rma_window *window = mck_rma_window_of(w->run, at.log, e->rma.win);
  if (!window || l->op == log->nops || log->ops[l->op].event != at.index) return;
  const struct mck_rma_op *op = &log->ops[l->op];
  w->win = mck_rma_target(w->run, window, e->rma.target, &w->owner);
  if (!w->win) return;
  struct mck_access_class class = class_of_op(w, at, e, op->lock);
  uint32_t component = w->component[w->owner];
  uint32_t known = component == MCK_NONE || l->clock->may_know_all ? 0 : l->clock->known[component];
  w->known = known ? known - 1 : 0;
  w->element = class.what.type < MCK_TYPE_USER ? mck_basic_bytes(class.what.type) : 0;
  w->is_beyond = l->cut != MCK_NONE && at.index < l->cut; // it was reported at the cut
  w->at = (struct mck_rma_access){.event = at.index,
                                  .done_log = op->done_log,
                                  .done = op->done,
                                  .class = mck_walk_find_class(w, &class),
                                  .may_know_all = l->clock->may_know_all};
  // An operation whose bytes are not known, or that has too many pieces, is left out. An operation that goes beyond its
  // target's window is reported, and nothing else is said of it.
  if (!mck_walk_is_short(w) && mck_rma_footprint(&w->run->readers[at.log], e, w->win, check_piece, w)) {
    mck_rma_footprint(&w->run->readers[at.log], e, w->win, touch_piece, w);
    mck_walk_touch_window(w, class.what.window);
  }
}

// --- loads and stores ---
// The lock of this rank on a target. What another strand has locked counts if the strand at hand knows that: else it is
// luck that the access comes while the lock is held.
static uint8_t own_lock(const struct mck_walk *w, uint32_t log, uint32_t window, uint32_t target) {
  const struct mck_walk_log *l = &w->logs[log];
  if (!l->locks[window]) return MCK_CONFLICT_UNLOCKED;
  uint32_t event = l->locked[window] ? l->locked[window][target] : MCK_NONE;
  bool is_known = event == MCK_NONE || mck_walk_is_own(w, log, event) ||
                  l->clock->known[mck_walk_component(w, log, event)] > event;
  return is_known ? l->locks[window][target] : MCK_CONFLICT_UNLOCKED;
}

static void load_or_store(struct mck_walk *w, struct mck_point at, const struct mck_event *e) {
  const struct mck_rma_window *window = mck_rma_window_of(w->run, at.log, e->access.win);
  int32_t rank = window ? mck_rma_owner(w->run, at.log, e) : -1;
  w->win = rank >= 0 ? mck_rma_target(w->run, window, rank, &w->owner) : NULL;
  if (!w->win) return;
  struct mck_walk_log *l = &w->logs[at.log];
  const struct mck_rma_log *log = &w->run->logs[at.log];
  while (l->op < log->nops && log->ops[l->op].event < at.index) l->op++;
  // A buffer is in use until its operation is complete at its origin.
  const struct mck_rma_op *op = mck_rma_op_of_buffer(log, at.index, l->op);
  if (!op && e->flags & MCK_ACCESS_BUFFER && e->flags & MCK_ACCESS_MESSAGE) return; // when it is over is not known
  int made_by = op ? log->reader->events[op->event].fn : mck_access_made_by(log->reader->events, at.index);
  struct mck_access_class class = {.is_change = e->flags & MCK_ACCESS_FREED,
                                   .end = mck_access_end_of(e->flags),
                                   .fn = made_by >= 0 ? (uint16_t)made_by : 0,
                                   .site = e->site};
  class.what = (struct mck_conflict_access){.kind = e->flags & MCK_ACCESS_STORE ? MCK_CONFLICT_STORE
                                                                                : MCK_CONFLICT_LOAD,
                                            .lock = own_lock(w, at.log, e->access.win, (uint32_t)rank),
                                            .is_polling = mck_rma_is_polling(&w->run->readers[at.log], at.index),
                                            .is_buffer = made_by >= 0 && !class.is_change,
                                            .type = MCK_CONFLICT_UNKNOWN_TYPE,
                                            .process = at.log,
                                            .window = log->window_of[e->access.win]};
  w->element = 0;
  w->at = (struct mck_rma_access){.event = at.index,
                                  .done_log = op && op->is_message ? op->done_log : at.log,
                                  .done = !op              ? at.index
                                          : op->is_message ? op->done
                                                           : op->over,
                                  .class = mck_walk_find_class(w, &class),
                                  .may_know_all = l->clock->may_know_all};
  w->is_sync_asked = mck_sync_is_asked(w, &class, at.index);
  uint64_t base = (w->win->flavor == MCK_WIN_FLAVOR_DYNAMIC ? 0 : w->win->body->base) + e->access.offset,
           size = e->access.size;
  if (e->access.n == 1 || e->access.stride == (int64_t)size) {
    mck_walk_touch(w, base, base + size * e->access.n);
  } else
    for (uint32_t i = 0; e->access.n <= STRIDES_MAX && i < e->access.n; i++) {
      uint64_t low = base + (uint64_t)((int64_t)i * e->access.stride);
      if (!mck_walk_touch(w, low, low + size)) return;
    }
  mck_walk_touch_window(w, class.what.window);
}

// --- memory that is attached or detached ---
// An access to it must come after the one and before the other (11.2.4): both are stores to all of it.
static void change(struct mck_walk *w, struct mck_point at, const struct mck_event *e) {
  const struct mck_rma_window *window = mck_rma_window_of(w->run, at.log, e->attach.win);
  const struct mck_reader *r = &w->run->readers[at.log];
  const struct mck_win_def *win = window ? mck_rma_win(r, e->attach.win) : NULL;
  const struct mck_comm_def *comm = win ? mck_order_comm(r, win->comm) : NULL;
  w->win = comm ? mck_rma_target(w->run, window, (int32_t)comm->rank, &w->owner) : NULL;
  if (!w->win || !e->attach.size || e->attach.address + e->attach.size < e->attach.address) return;
  struct mck_access_class class = {.is_change = true, .fn = e->fn, .site = e->site};
  class.what = (struct mck_conflict_access){.kind = MCK_CONFLICT_STORE,
                                            .lock = own_lock(w, at.log, e->attach.win, comm->rank),
                                            .type = MCK_CONFLICT_UNKNOWN_TYPE,
                                            .process = at.log,
                                            .window = w->run->logs[at.log].window_of[e->attach.win]};
  w->element = 0;
  w->at = (struct mck_rma_access){.event = at.index,
                                  .done_log = at.log,
                                  .done = at.index,
                                  .class = mck_walk_find_class(w, &class),
                                  .may_know_all = w->logs[at.log].clock->may_know_all};
  mck_walk_touch(w, e->attach.address, e->attach.address + e->attach.size);
}

// --- looks (option flow) ---
static void look(struct mck_walk *w, struct mck_point at, const struct mck_event *e) {
  const struct mck_rma_window *window = mck_rma_window_of(w->run, at.log, e->looked.win);
  if (!window || !w->observer || !w->observer->looked) return;
  struct mck_access_class class = {.fn = e->fn, .site = e->site};
  class.what = (struct mck_conflict_access){.kind = MCK_CONFLICT_LOAD,
                                            .type = MCK_CONFLICT_UNKNOWN_TYPE,
                                            .process = at.log,
                                            .window = w->run->logs[at.log].window_of[e->looked.win]};
  w->at = (struct mck_rma_access){.event = at.index,
                                  .done_log = at.log,
                                  .done = at.index,
                                  .class = mck_walk_find_class(w, &class),
                                  .may_know_all = w->logs[at.log].clock->may_know_all};
  if (!mck_walk_is_short(w)) w->observer->looked(w->observer->context, w, at.log, e);
}

// --- locks ---
// A lock of this rank holds for its loads and stores, too (11.5.3, 11.7).
static void follow_lock(struct mck_walk *w, struct mck_point at, const struct mck_event *e) {
  const struct mck_rma_window *window = mck_rma_window_of(w->run, at.log, e->sync.win);
  bool is_lock = mck_std_is_lock(e->fn), is_unlock = mck_std_is_unlock(e->fn), is_to_all = mck_std_is_to_all(e->fn);
  if (!window || !(is_lock || is_unlock) || (is_lock && mck_std_lock_may_skip(e->sync.assertion))) return;
  struct mck_walk_log *l = &w->logs[at.log];
  uint8_t **locks = &l->locks[e->sync.win], lock = MCK_CONFLICT_UNLOCKED;
  uint32_t **locked = &l->locked[e->sync.win];
  if ((!*locks && !(*locks = calloc((size_t)window->size + 1, 1))) ||
      (l->strands && !*locked && !(*locked = calloc((size_t)window->size + 1, sizeof **locked)))) {
    mck_walk_fail(w);
    return;
  }
  if (is_lock) lock = mck_std_is_exclusive(e->fn, e->sync.lock_type) ? MCK_CONFLICT_EXCLUSIVE : MCK_CONFLICT_SHARED;
  uint32_t first = is_to_all ? 0 : (uint32_t)e->sync.rank, end = is_to_all ? window->size : first + 1;
  for (uint32_t t = first; t < end && t < window->size; t++) {
    (*locks)[t] = lock;
    if (*locked) (*locked)[t] = at.index;
  }
}

void mck_walk_access(struct mck_walk *w, struct mck_point at, const struct mck_event *e) {
  w->is_sync_asked = false;
  if (e->kind == MCK_EV_PUT || e->kind == MCK_EV_GET || e->kind == MCK_EV_ACC) operate(w, at, e);
  else if (e->kind == MCK_EV_ACCESS) load_or_store(w, at, e);
  else if (e->kind == MCK_EV_SYNC) follow_lock(w, at, e);
  else if (e->kind == MCK_EV_ATTACH) change(w, at, e);
  else if (e->kind == MCK_EV_WINDOW_BYTES) look(w, at, e);
}
