// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduced log: the log without unshared operations, and without the flushes that complete nothing else. Events move up,
// so everything that names other events (completions, matched receives, the wait mark) is written anew.
#include <stdlib.h>
#include <string.h>
#include "rma/unshared-state.h"
#include "rma/rma-run.h"
#include "standard/epoch-call.h"

struct reduction {
  struct mck_unshared *unshared;
  struct mck_event *to;
  uint64_t n;                  // written so far
  bool *has_kept, *was_synced; // by window: an operation that a flush would complete stays; a synchronization stays
  bool has_access;             // the last call that stays is a load or store
};

static bool look_at_piece(void *context, uint64_t low, uint64_t high) {
  struct mck_unshared *l = context;
  for (uint64_t at = low; at < high;) {
    uint64_t end = (at / UNSHARED_PAGE + 1) * UNSHARED_PAGE;
    if (end > high) end = high;
    const struct mck_unshared_page *p = mck_unshared_find_page(l, l->step.win, l->step.target, at / UNSHARED_PAGE);
    if (!p || p->kept & mck_unshared_parts(at, end)) return mck_unshared_keep(l, l->at), false;
    l->last_page = (uint32_t)(p - l->pages) + 1;
    at = end;
  }
  return true;
}

static void look_at(struct mck_unshared *l, const struct mck_event *e, uint64_t at) {
  uint64_t low = mck_unshared_low(l, e);
  if (low != UINT64_MAX && l->last_page) {
    const struct mck_unshared_page *p = &l->pages[l->last_page - 1];
    uint64_t end = low + l->repeat.length;
    if (low / UNSHARED_PAGE == p->number && (end - 1) / UNSHARED_PAGE == p->number && p->win == l->step.win &&
        p->target == l->step.target) {
      if (p->kept & mck_unshared_parts(low, end)) mck_unshared_keep(l, at);
      return;
    }
  }
  l->at = at;
  l->repeat.is_on = false;
  if (!mck_unshared_step(l, e) || !l->step.is_judged) return;
  mck_unshared_footprint(l, e, look_at_piece);
  mck_unshared_remember(l, e);
}

// The buffers behind an operation decide whether it may be left out.
static void look_at_buffers(struct mck_unshared *l, uint64_t at) {
  const struct mck_reader *r = l->log;
  if (r->events[at].kind == MCK_EV_ACCESS) return;
  for (uint64_t i = at + 1;
       i < r->units && r->events[i].kind == MCK_EV_ACCESS && r->events[i].flags & MCK_ACCESS_BUFFER; i++) {
    if (mck_unshared_is_dropped(l, i)) look_at(l, &r->events[i], i);
    if (!mck_unshared_is_dropped(l, i)) mck_unshared_keep_op_of_buffer(l, i);
  }
}

// Whether a load polls depends on what follows (mck_rma_is_polling): all loads right before MPI_Win_sync stay.
static void keep_polled(struct mck_unshared *l) {
  const struct mck_event *events = l->log->events;
  for (size_t i = l->nothers; i-- > 0;) {
    const struct mck_event *e = &events[l->others[i]];
    if (e->kind != MCK_EV_SYNC || e->fn != MCK_FN_MPI_Win_sync) continue;
    for (uint32_t at = l->others[i];
         at > 0 && i > 0 && l->others[i - 1] == at - 1 && events[at - 1].kind == MCK_EV_ACCESS; at--, i--)
      mck_unshared_keep(l, at - 1), mck_unshared_keep_op_of_buffer(l, at - 1);
  }
}

// A flush that completes no operation of the reduced log orders nothing. In a shared window it may order loads and
// stores (missing-sync.c).
static void look_at_sync(struct reduction *t, const struct mck_event *e, uint64_t at) {
  struct mck_unshared *l = t->unshared;
  uint32_t win = e->sync.win;
  l->repeat.is_on = false;
  if (win >= l->log->nwins) return;
  bool is_flush = mck_std_is_flush(e->fn) && l->log->wins[win].flavor != MCK_WIN_FLAVOR_SHARED;
  if (is_flush && !e->flags && t->was_synced[win] && !t->has_kept[win] && !t->has_access) {
    l->is_dropped[at / 64] |= (uint64_t)1 << at % 64;
    return;
  }
  t->was_synced[win] = true;
  // A local flush, or one of another target, leaves some operations incomplete.
  if (mck_std_is_to_all(e->fn) && mck_std_completes_at_target(e->fn)) t->has_kept[win] = false;
}

static uint32_t new_index(const struct mck_unshared *l, uint64_t old) {
  uint64_t before = l->is_dropped[old / 64] & (((uint64_t)1 << old % 64) - 1);
  return (uint32_t)(old - l->dropped_before[old / 64] - (uint64_t)__builtin_popcountll(before));
}

// The events that it names came before, and they always stay (unshared.c).
static void rename_in(const struct mck_unshared *l, struct mck_event *e, uint64_t at) {
  if (e->kind == MCK_EV_MRECV && e->mrecv.mprobe < at) e->mrecv.mprobe = new_index(l, e->mrecv.mprobe);
  if (e->kind != MCK_EV_WAIT && e->kind != MCK_EV_DONE) return;
  uint32_t *more = (uint32_t *)(e + 1);
  for (uint32_t i = 0; i < e->wait.count; i++) {
    uint32_t *event = i < 4 ? &e->wait.request[i] : &more[i - 4];
    if (*event < at) *event = new_index(l, *event);
  }
}

static void keep(struct reduction *t, const struct mck_event *e, uint64_t at) {
  uint64_t n = mck_event_units(e);
  bool is_op = e->kind == MCK_EV_PUT || e->kind == MCK_EV_GET || e->kind == MCK_EV_ACC;
  if (is_op && e->rma.win < t->unshared->log->nwins) t->has_kept[e->rma.win] = true;
  if (e->kind == MCK_EV_ACCESS) t->has_access = true;
  else if (mck_order_is_call(e)) t->has_access = false;
  memcpy(t->to + t->n, e, n * sizeof *e);
  rename_in(t->unshared, t->to + t->n, at);
  t->n += n;
}

static void pass_over(struct reduction *t, bool has_kept) {
  struct mck_unshared *l = t->unshared;
  const struct mck_reader *r = l->log;
  uint64_t block = 0, ndropped = 0;
  for (uint64_t i = 0; i < r->units;) {
    const struct mck_event *e = &r->events[i];
    __builtin_prefetch(e + MCK_LOG_AHEAD);
    for (; block < i / 64; block++) {
      ndropped += (uint64_t)__builtin_popcountll(l->is_dropped[block]);
      l->dropped_before[block + 1] = (uint32_t)ndropped;
    }
    if (i % 64 == 0 && !has_kept && l->is_dropped[i / 64] == UINT64_MAX) { // all of them are events of one unit
      i += 64;
      continue;
    }
    if (mck_unshared_is_dropped(l, i)) {
      if (has_kept) look_at_buffers(l, i), look_at(l, e, i);
    } else if (e->kind == MCK_EV_SYNC) look_at_sync(t, e, i);
    if (!mck_unshared_is_dropped(l, i)) keep(t, e, i);
    i += mck_event_units(e);
  }
}

uint64_t mck_unshared_reduce(struct mck_unshared *l, void *memory) {
  const struct mck_reader *r = l->log;
  struct mck_log_header *header = memory;
  struct reduction t = {.unshared = l,
                        .to = (struct mck_event *)((char *)memory + MCK_LOG_HEADER),
                        .has_kept = calloc((size_t)r->nwins + 1, 1),
                        .was_synced = calloc((size_t)r->nwins + 1, 1)};
  bool has_kept = false;
  l->dropped_before = calloc(r->units / 64 + 2, sizeof *l->dropped_before);
  memcpy(header, r->header, MCK_LOG_HEADER);
  atomic_store(&header->has_repeats, 0);                             // the reader has all units
  if (l->has_lost_read) header->has_all_accesses = MCK_SEES_UNKNOWN; // (section.c)
  for (size_t i = 0; i < l->npages; i++) has_kept |= l->pages[i].kept != 0;
  l->repeat.is_on = false;
  if (t.has_kept && t.was_synced && l->dropped_before) {
    keep_polled(l);
    pass_over(&t, has_kept);
    uint32_t wait = mck_wait_event(atomic_load(&header->wait));
    if (wait < r->units) atomic_store(&header->wait, (uint64_t)new_index(l, wait) + 1);
  }
  atomic_store(&header->units, t.n);
  free(t.has_kept), free(t.was_synced);
  return t.n;
}
