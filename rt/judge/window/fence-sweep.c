// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds pairs of accesses to the same bytes in one fence epoch, at the target. Every operation of every origin and
// every load and store of the target becomes intervals of bytes with the number of its epoch (fence-interval.c).
// Whether two conflict is said by standard/conflict.h, whether they are ordered by rma/access-order.h, as for all other
// windows.
//
// Of the target's loads and stores only those are intervals that an operation of the epoch touches: most are not
// (operation-cover.h). The sweep goes over the intervals by epoch and first byte. For each group of intervals of one
// class it keeps the two that reach farthest: what overlaps any interval of a group overlaps one of these.
// O(n log n + n * groups).
//
// Messages within an epoch may order a load or store before an operation. If they may, the pair is left to the walk
// over the logs of all ranks (rt/rma), which knows what they order. So is a window that is synchronized by anything but
// fences: its epochs are per pair of processes.
#include <stdio.h>
#include <stdlib.h>
#include "judge/window/fence-sweep.h"
#include "rma/race-finding.h"
#include "standard/constants.h"

// --- candidates ---
// An operation is complete with the fence that closes its epoch (MPI-3.1 11.5.1), a load or store at once.
static uint32_t done_of(const struct mck_sweep *s, const struct mck_sweep_interval *x) {
  return mck_access_is_local(&s->groups[x->class].of.access) ? x->event : MCK_DONE_LATER;
}

// What the process of x knew, when it issued it, of the log in which y is complete: of its own log all that came
// before. Of the target's log what was over at the fence that opened the epoch; from messages an origin may have
// learned what the target had told since then.
static struct mck_known_times known_of(const struct mck_sweep *s, const struct mck_sweep_interval *x,
                                       const struct mck_sweep_interval *y) {
  const struct mck_sweep_class *a = &s->groups[x->class].of, *b = &s->groups[y->class].of;
  if (a->access.what.process == b->access.what.process) return (struct mck_known_times){x->event, x->event};
  uint32_t before = mck_sweep_begin_of(s, x->epoch);
  bool may_have_learned = a->is_marked && !mck_access_is_local(&a->access);
  return (struct mck_known_times){before, may_have_learned ? mck_sweep_told_in(s, x->epoch) : before};
}

static enum mck_access_order order_of(const struct mck_sweep *s, const struct mck_sweep_interval *x,
                                      const struct mck_sweep_interval *y) {
  return mck_access_order(done_of(s, x), known_of(s, y, x), done_of(s, y), known_of(s, x, y));
}

static void print_why(const struct mck_sweep *s, enum mck_access_order order, const struct mck_sweep_interval *x,
                      const struct mck_sweep_interval *y) {
  const struct mck_access_class *a = &s->groups[x->class].of.access, *b = &s->groups[y->class].of.access;
  char how[64];
  snprintf(how, sizeof how,
           order == MCK_ORDER_COMPLETED  ? "both are calls of one rank in fence epoch %u"
           : order == MCK_ORDER_POSSIBLE ? "what was sent in fence epoch %u"
                                         : ", both are in fence epoch %u",
           x->epoch);
  mck_race_why(order, a, a->what.process, x->event, b, b->what.process, y->event, how);
}

// Two that have bytes in common. Of two by one process x comes first.
static void judge_pair(struct mck_sweep *s, const struct mck_sweep_interval *x, const struct mck_sweep_interval *y) {
  const struct mck_sweep_class *a = &s->groups[x->class].of, *b = &s->groups[y->class].of;
  bool is_misaligned = mck_access_is_misaligned(a->position, b->position);
  enum mck_conflict conflict = mck_conflict_of(&a->access.what, &b->access.what, is_misaligned, s->win->traits);
  if (conflict == MCK_CONFLICT_NONE) return;
  enum mck_access_order order = order_of(s, x, y);
  if (MCK_UNLIKELY(mck_options.why[0])) print_why(s, order, x, y);
  if (order == MCK_ORDER_NONE) mck_sweep_say_race(s, conflict, x, y);
  if (order == MCK_ORDER_POSSIBLE) s->decide->has_open_pairs = true;
}

static void check_pair(struct mck_sweep *s, const struct mck_sweep_interval *x, const struct mck_sweep_interval *y) {
  bool is_own = s->groups[x->class].of.access.what.process == s->groups[y->class].of.access.what.process;
  if (is_own && x->event == y->event) return;
  if (is_own && y->event < x->event) judge_pair(s, y, x);
  else judge_pair(s, x, y);
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
  free(s->untrue);
  free(s->active);
  mck_attachments_free(&s->attachments);
  mck_cover_free(&s->cover);
  mck_table_free(&s->group_table);
  mck_table_free(&s->pair_table);
}

static void add_own_accesses(struct mck_sweep *s) {
  const struct mck_rma_window *window = s->window;
  for (size_t i = 0; i < s->count && !s->is_short; i++)
    s->is_short = !mck_cover_add(&s->cover, s->items[i].epoch, s->items[i].low, s->items[i].high);
  mck_cover_join(&s->cover);
  for (size_t i = 0; i < window->naccesses && !s->is_short; i++)
    if (!s->decide->is_cut || window->accesses[i].epoch < mck_rma_epoch(window))
      mck_sweep_add_access(s, &window->accesses[i]);
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
  for (uint32_t i = 0; is_decided && i < d->nfrom; i++)
    if (d->from[i].is_there) is_decided = mck_sweep_add_origin(&s, &d->from[i]);
  if (is_decided && s.count > 0) {
    add_own_accesses(&s);
    if (!s.is_short) sweep_over(&s);
  }
  if (s.is_short) mck_base_warn("out of memory: races on a window of rank %u are not judged", d->judge->rank);
  close_sweep(&s);
}

void mck_decide_rma(struct mck_decide *d) {
  if (d->judge->has_shared_memory) d->has_open_pairs = true;
  for (uint32_t id = 0; id < d->judge->log->nwins; id++) decide_window(d, id);
}
