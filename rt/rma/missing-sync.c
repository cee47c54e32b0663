// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A missing MPI_Win_sync: a rank loads from a shared window what another one stored there, both in passive target
// epochs. A message or barrier orders the two, but orders no memory. The storing rank must synchronize the window
// behind its store, before what orders the two, and the loading rank behind that (MPI-3.1 11.2.3, 11.5.4). Any
// synchronization of the window does. Most machines do not mind: it is a note.
//
// Each log lists its synchronizations of each shared window, and keeps the clock behind the last one. So a right pair
// costs a binary search. What is on the way to a finding may cost more.
#include <stdlib.h>
#include "rma/race-finding.h"
#include "rma/rma-walk.h"
#include "standard/constants.h"
#include "standard/epoch-call.h"

enum { FINDINGS_MAX = 100 };

// --- synchronizations ---
// The shared window that an event synchronizes; MCK_NONE: none. Nothing is said of windows with fences only.
static uint32_t shared_window(const struct mck_walk *w, uint32_t log, const struct mck_event *e) {
  if (e->kind != MCK_EV_SYNC && e->kind != MCK_EV_FENCE) return MCK_NONE;
  const struct mck_win_def *win = mck_rma_win(&w->run->readers[log], e->sync.win);
  const struct mck_rma_window *window = win ? mck_rma_window_of(w->run, log, e->sync.win) : NULL;
  bool is_shared = window && win->flavor == MCK_WIN_FLAVOR_SHARED && !(win->traits & MCK_WIN_SEPARATE);
  return is_shared && !window->is_fenced ? w->run->logs[log].window_of[e->sync.win] : MCK_NONE;
}

void mck_sync_enter(struct mck_walk *w, struct mck_point at, const struct mck_event *e) {
  uint32_t window = shared_window(w, at.log, e);
  struct mck_walk_log *l = &w->logs[at.log];
  l->has_atomic |= e->kind == MCK_EV_ACCESS && e->flags & MCK_ACCESS_ATOMIC;
  if (window == MCK_NONE) return;
  if (!l->syncs && !(l->syncs = calloc(w->run->nwindows + 1, sizeof *l->syncs))) {
    mck_walk_fail(w);
    return;
  }
  struct mck_walk_syncs *s = &l->syncs[window];
  s->nlocks += mck_std_is_lock(e->fn);
  s->nlocks -= s->nlocks && mck_std_is_unlock(e->fn);
  struct mck_walk_sync new = {at.index, s->nlocks > 0};
  if (!MCK_PUSH(s->items, s->count, s->capacity, new)) mck_walk_fail(w);
}

void mck_sync_leave(struct mck_walk *w, struct mck_point at, const struct mck_event *e) {
  struct mck_walk_log *l = &w->logs[at.log];
  uint32_t window = l->syncs ? shared_window(w, at.log, e) : MCK_NONE;
  if (window == MCK_NONE) return;
  mck_clock_drop(l->syncs[window].heard);
  l->syncs[window].heard = mck_clock_share(l->clock);
}

void mck_sync_close(struct mck_walk *w, struct mck_walk_log *l) {
  for (size_t i = 0; l->syncs && i < w->run->nwindows; i++) {
    free(l->syncs[i].items);
    mck_clock_drop(l->syncs[i].heard);
  }
  free(l->syncs);
}

// The first one behind an event.
static size_t first_behind(const struct mck_walk_syncs *s, uint32_t event) {
  size_t low = 0, high = s->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (s->items[middle].event > event) high = middle;
    else low = middle + 1;
  }
  return low;
}

// --- pairs ---
static bool is_before_cut(const struct mck_walk *w, uint32_t log, uint32_t event) {
  return w->logs[log].cut != MCK_NONE && event <= w->logs[log].cut;
}

// A store or load of the program. Of those before a cut only stores stay that their rank had not synchronized there.
static bool is_plain(const struct mck_access_class *c, enum mck_conflict_kind kind) {
  return c->what.kind == kind && !c->what.is_buffer && !c->what.is_polling && !c->is_change && !c->end;
}

bool mck_sync_is_asked(const struct mck_walk *w, const struct mck_access_class *b, uint32_t event) {
  const struct mck_walk_log *l = &w->logs[b->what.process];
  return l->syncs && l->syncs[b->what.window].nlocks && !l->clock->may_know_all && is_plain(b, MCK_CONFLICT_LOAD) &&
         !is_before_cut(w, b->what.process, event);
}

static void add(struct mck_walk *w, struct mck_rma_unsynced new) {
  struct mck_rma_found *found = &w->found;
  uint32_t slot, id;
  uint64_t hash = mck_table_mix((uint64_t)new.a << 32 | new.b, new.owner);
  MCK_TABLE_EACH (&w->unsynced_table, hash, slot, id) {
    struct mck_rma_unsynced *known = &found->unsynced[id];
    if (known->a != new.a || known->b != new.b || known->owner != new.owner) continue;
    if (known->last != new.event_b) known->count++, known->last = new.event_b;
    return;
  }
  if (!MCK_PUSH(found->unsynced, found->nunsynced, found->unsynced_capacity, new) ||
      !mck_table_add(&w->unsynced_table, hash, (uint32_t)found->nunsynced - 1))
    mck_walk_fail(w);
}

void mck_sync_check(struct mck_walk *w, const struct mck_rma_access *store, uint64_t low, uint64_t high) {
  const struct mck_access_class *a = &w->found.classes[store->class], *b = &w->found.classes[w->at.class];
  uint32_t log = a->what.process, component = w->component[log];
  const struct mck_walk_syncs *of_a = w->logs[log].syncs ? &w->logs[log].syncs[a->what.window] : NULL,
                              *of_b = &w->logs[b->what.process].syncs[b->what.window];
  if (!of_a || log == b->what.process || a->what.window != b->what.window || component == MCK_NONE ||
      !is_plain(a, MCK_CONFLICT_STORE))
    return;
  size_t next = first_behind(of_a, store->event);
  if (!next || !of_a->items[next - 1].is_locked) return;
  bool is_stored = next < of_a->count && of_a->items[next].event < w->logs[b->what.process].clock->known[component],
       // What the loading rank did before a cut is not in its log.
      is_heard = (of_b->heard && of_b->heard->known[component] > store->event) || is_before_cut(w, log, store->event);
  if (is_stored && is_heard) return;
  add(w, (struct mck_rma_unsynced){.a = store->class,
                                   .b = w->at.class,
                                   .owner = w->owner,
                                   .count = 1,
                                   .event_a = store->event,
                                   .event_b = w->at.event,
                                   .last = w->at.event,
                                   .sync_b = of_b->items[of_b->count - 1].event,
                                   .is_stored = is_stored,
                                   .is_heard = is_heard,
                                   .low = low,
                                   .high = high});
}

// --- report ---
static bool may_be_ordered(struct mck_possible_order *possible, uint32_t log, uint32_t from, uint32_t to_log,
                           uint32_t to) {
  struct mck_possible_access first = {log, from, log, from};
  return mck_possible_is_ordered(possible, MCK_POSSIBLE_READ, first, to_log, to) ||
         mck_possible_is_ordered(possible, MCK_POSSIBLE_TURN, first, to_log, to);
}

// Atomic accesses, or code that nobody sees, may order memory in their own way.
static bool may_order_memory(const struct mck_walk *w, uint32_t log) {
  return w->logs[log].has_atomic || !w->run->readers[log].header->has_all_accesses;
}

static void report(struct mck_walk *w, const struct mck_rma_unsynced *u) {
  const struct mck_access_class *a = &w->found.classes[u->a], *b = &w->found.classes[u->b];
  uint32_t log = a->what.process, to_log = b->what.process;
  const struct mck_walk_syncs *of_a = &w->logs[log].syncs[a->what.window];
  size_t next = first_behind(of_a, u->event_a);
  // An order that no log has may be later than the one that the clocks know.
  bool is_stored = u->is_stored || (next < of_a->count &&
                                    may_be_ordered(&w->possible, log, of_a->items[next].event, to_log, u->event_b)),
       is_heard = u->is_heard || may_be_ordered(&w->possible, log, u->event_a, to_log, u->sync_b);
  const struct mck_win_def *win = mck_rma_window_at(w->run, b->what.window, u->owner);
  if ((is_stored && is_heard) || !win || may_order_memory(w, log) || may_order_memory(w, to_log)) return;
  int rank = (int)w->run->readers[log].header->rank, to_rank = (int)w->run->readers[to_log].header->rank,
      owner = (int)w->run->readers[u->owner].header->rank;
  struct mck_finding *f = mck_findings_add(w->run->findings, MCK_CHECK_RMA_SYNC_MISSING, owner);
  if (!f) return;
  f->count = u->count;
  struct mck_race place = {.first = a,
                           .second = b,
                           .owner = owner,
                           .win = win,
                           .low = u->low - win->body->base,
                           .high = u->high - win->body->base};
  char range[MCK_RANGE_SIZE];
  mck_finding_text(f, "a load reads what another rank stored in a shared window, without MPI_Win_sync on both sides");
  mck_access_place(f, a, rank, "");
  mck_access_place(f, b, to_rank, "comes before ");
  mck_finding_why(f, "%s of rank %d", mck_race_range(range, &place), owner);
  if (!is_stored)
    mck_finding_why(f, "rank %d does not synchronize the window between its store and what orders it before the load",
                    rank);
  if (!is_heard)
    mck_finding_why(f,
                    "rank %d does not synchronize the window between what orders the store before its load, and that "
                    "load",
                    to_rank);
  mck_finding_why(f, "a message or barrier orders the two, but not memory (MPI-3.1 11.2.3, 11.5.4)");
  mck_race_end(f, &place);
}

void mck_sync_report(struct mck_walk *w) {
  if (w->run->doubts & (MCK_DOUBT_THREADS | MCK_DOUBT_INCOMPLETE)) return;
  for (size_t i = 0; i < w->found.nunsynced && i < FINDINGS_MAX; i++) report(w, &w->found.unsynced[i]);
}
