// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races on window memory in fence epochs, at the target (MPI-3.1 11.7). Every operation of every origin and every load
// and store of the target becomes intervals of bytes with the number of its fence epoch (fence-interval.c). Intervals
// of one epoch that overlap and conflict (standard/conflict.h) are a race, unless messages or collectives inside the
// epoch may have ordered them.
//
// The sweep goes over the intervals by epoch and first byte. For each group of intervals of one class it keeps the two
// that reach farthest: what overlaps any interval of a group overlaps one of these. O(n log n + n * groups).
// A window that is synchronized by anything but fences is left to rt/rma: its epochs are per pair of processes.
#include <stdlib.h>
#include "judge/window/fence-sweep.h"
#include "report/why.h"
#include "standard/constants.h"

// May something have ordered two accesses of one epoch? No operation is complete before the closing fence, so only a
// load or store can come first. event: in the log of its rank.
static bool may_be_ordered(const struct mck_sweep_class *a, uint32_t event_a, const struct mck_sweep_class *b,
                           uint32_t event_b) {
  bool is_own = a->access.what.process == b->access.what.process;
  if (is_own && event_a == event_b) return true;
  if (!mck_access_is_local(&a->access) && !mck_access_is_local(&b->access)) return false;
  // Of two by one process the earlier comes first if it is a load or store.
  if (is_own) return mck_access_is_local(event_a < event_b ? &a->access : &b->access);
  // A load or store, then a message or collective that may have led to the operation.
  return a->is_marked && b->is_marked;
}

static void check_pair(struct mck_sweep *s, const struct mck_sweep_interval *x, const struct mck_sweep_interval *y) {
  const struct mck_sweep_class *a = &s->groups[x->class].of, *b = &s->groups[y->class].of;
  bool is_own = a->access.what.process == b->access.what.process, is_swapped = is_own && y->event < x->event;
  bool is_misaligned = a->element && b->element &&
                       mck_access_is_misaligned(mck_access_position(x->low, x->high, a->element),
                                                mck_access_position(y->low, y->high, b->element));
  const struct mck_sweep_class *first = is_swapped ? b : a, *second = is_swapped ? a : b;
  enum mck_conflict conflict = mck_conflict_of(&first->access.what, &second->access.what, is_misaligned,
                                               s->win->traits);
  if (conflict == MCK_CONFLICT_NONE) return;
  if (may_be_ordered(a, x->event, b, y->event)) {
    if (!is_own || x->event != y->event)
      mck_why_not(MCK_CHECK_RMA_RACE,
                  "event %u of process %u and event %u of process %u, both in fence epoch %u: the "
                  "load or store may come first",
                  x->event, a->access.what.process, y->event, b->access.what.process, x->epoch);
    return;
  }
  mck_why(MCK_CHECK_RMA_RACE,
          "event %u of process %u and event %u of process %u overlap, conflict, and are both in "
          "fence epoch %u: neither completed before the closing fence",
          x->event, a->access.what.process, y->event, b->access.what.process, x->epoch);
  mck_sweep_say_race(s, conflict, x, y);
}

static int compare_intervals(const void *a, const void *b) {
  const struct mck_sweep_interval *x = a, *y = b;
  if (x->epoch != y->epoch) return x->epoch < y->epoch ? -1 : 1;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high > y->high ? -1 : 1;
  if (x->class != y->class) return x->class < y->class ? -1 : 1;
  return x->event < y->event ? -1 : x->event > y->event;
}

static void remember(struct mck_sweep_group *g, const struct mck_sweep_interval *x) {
  // The two are of different events: an operation does not race with itself.
  for (uint32_t i = 0; i < g->nfar; i++)
    if (g->far[i].event == x->event) {
      if (x->high > g->far[i].high) g->far[i] = *x;
      return;
    }
  if (g->nfar < 2) {
    g->far[g->nfar++] = *x;
    return;
  }
  struct mck_sweep_interval *least = g->far[0].high <= g->far[1].high ? &g->far[0] : &g->far[1];
  if (x->high > least->high) *least = *x;
}

// Compares an interval with those before it that reach behind its first byte. Returns whether its own group is among
// the active ones.
static bool compare_with_active(struct mck_sweep *s, const struct mck_sweep_interval *x) {
  size_t kept = 0;
  bool is_active = false;
  for (size_t k = 0; k < s->nactive; k++) {
    struct mck_sweep_group *g = &s->groups[s->active[k]];
    bool is_reaching = false;
    for (uint32_t n = 0; n < g->nfar; n++) {
      if (g->far[n].high <= x->low) continue;
      is_reaching = true;
      check_pair(s, x, &g->far[n]);
    }
    if (!is_reaching) {
      g->nfar = 0;
      continue;
    }
    is_active |= s->active[k] == x->class;
    s->active[kept++] = s->active[k];
  }
  s->nactive = kept;
  return is_active;
}

static void sweep_over(struct mck_sweep *s) {
  qsort(s->items, s->count, sizeof *s->items, compare_intervals);
  uint32_t epoch = 0;
  for (size_t i = 0; i < s->count; i++) {
    const struct mck_sweep_interval *x = &s->items[i];
    if (x->epoch != epoch) {
      for (size_t k = 0; k < s->nactive; k++) s->groups[s->active[k]].nfar = 0;
      s->nactive = 0;
      epoch = x->epoch;
    }
    size_t ncompared = s->nactive;
    bool is_active = compare_with_active(s, x);
    if (s->budget < ncompared) return;
    s->budget -= ncompared;
    if (!is_active && !MCK_PUSH(s->active, s->nactive, s->active_capacity, x->class)) return;
    remember(&s->groups[x->class], x);
  }
}

static void close_sweep(struct mck_sweep *s) {
  free(s->items);
  free(s->groups);
  free(s->pairs);
  free(s->active);
  mck_attachments_free(&s->attachments);
  mck_table_free(&s->group_table);
  mck_table_free(&s->pair_table);
}

static void decide_window(struct mck_decide *d, uint32_t id) {
  const struct mck_win_def *win = mck_judge_win(d->judge, id);
  const struct mck_rma_window *window = &d->judge->windows[id];
  if (!win || !window->is_used || window->is_locked || !window->nfences) return;
  if (win->traits & MCK_WIN_SEPARATE) return; // rt/rma judges all of them
  struct mck_sweep s = {.decide = d,
                        .win = win,
                        .window = window,
                        .budget = 200000000,
                        .is_dynamic = win->flavor == MCK_WIN_FLAVOR_DYNAMIC};
  if (s.is_dynamic && !mck_attachments_make(&s.attachments, d->judge->log, id)) s.is_short = true;
  bool is_decided = true;
  for (uint32_t r = 0; is_decided && r < d->size; r++)
    if (d->from[r].is_there) is_decided = mck_sweep_add_origin(&s, &d->from[r]);
  bool has_ops = s.count > 0, has_assertion = false;
  for (size_t i = 0; i < window->nfences; i++) has_assertion |= (window->fences[i].assertion & MCK_MODE_NOSTORE) != 0;
  if (is_decided && (has_ops || has_assertion)) {
    for (size_t i = 0; i < window->naccesses; i++)
      if (!d->is_cut || window->accesses[i].epoch < mck_rma_epoch(window))
        mck_sweep_add_access(&s, &window->accesses[i]);
    if (!s.is_short && has_ops) sweep_over(&s);
  }
  if (s.is_short) mck_base_warn("out of memory: races on a window of rank %u are not judged", d->judge->rank);
  close_sweep(&s);
}

void mck_decide_rma(struct mck_decide *d) {
  for (uint32_t id = 0; id < d->judge->log->nwins; id++) decide_window(d, id);
}
