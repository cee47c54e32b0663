// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Freed memory: an operation of another rank comes after the end of the window memory that it touches. That order is
// certain, so it is no race: the operation finds something else there. The memory must stay until MPI_Win_free has
// returned, or until it was detached (MPI-3.1 11.2.5, 11.2.4). If nothing orders the two, that is a race with a store.
#include "rma/race-finding.h"
#include "rma/rma-walk.h"

enum { FINDINGS_MAX = 100 };

// What was entered before a cut was judged there.
static bool is_judged_before(const struct mck_walk *w, uint32_t log, uint32_t event) {
  return w->logs[log].cut != MCK_NONE && event <= w->logs[log].cut;
}

void mck_freed_touch(struct mck_walk *w, const struct mck_rma_access *end, uint64_t low, uint64_t high) {
  struct mck_rma_found *found = &w->found;
  const struct mck_conflict_access *a = &found->classes[end->class].what, *b = &found->classes[w->at.class].what;
  if (mck_conflict_is_local(b) || a->process == b->process || a->window != b->window || w->is_whole ||
      is_judged_before(w, b->process, w->at.event))
    return;
  uint32_t slot, id;
  uint64_t hash = mck_table_mix((uint64_t)end->class << 32 | w->at.class, w->owner);
  MCK_TABLE_EACH (&w->freed_table, hash, slot, id) {
    struct mck_rma_freed *known = &found->freed[id];
    if (known->a != end->class || known->b != w->at.class || known->owner != w->owner) continue;
    if (known->last != w->at.event) known->count++, known->last = w->at.event;
    return;
  }
  struct mck_rma_freed new = {.a = end->class,
                              .b = w->at.class,
                              .owner = w->owner,
                              .count = 1,
                              .event_a = end->event,
                              .last = w->at.event,
                              .low = low,
                              .high = high};
  if (!MCK_PUSH(found->freed, found->nfreed, found->freed_capacity, new) ||
      !mck_table_add(&w->freed_table, hash, (uint32_t)found->nfreed - 1))
    mck_walk_fail(w);
}

static void report(struct mck_rma_run *run, const struct mck_rma_found *found, const struct mck_rma_freed *freed) {
  const struct mck_access_class *end = &found->classes[freed->a], *operation = &found->classes[freed->b];
  int owner = (int)run->readers[freed->owner].header->rank,
      rank = (int)run->readers[operation->what.process].header->rank;
  const struct mck_win_def *win = mck_rma_window_at(run, operation->what.window, freed->owner);
  struct mck_finding *f = win ? mck_findings_add(run->findings, MCK_CHECK_RMA_WINDOW_MEMORY_FREED, owner) : NULL;
  if (!f) return;
  f->count = freed->count;
  bool is_dynamic = win->flavor == MCK_WIN_FLAVOR_DYNAMIC;
  struct mck_race place = {.first = operation,
                           .second = end,
                           .owner = owner,
                           .win = win,
                           .attachment = mck_rma_attachment_at(run, freed->owner, win, freed->low, freed->event_a),
                           .low = is_dynamic ? freed->low : freed->low - win->body->base,
                           .high = is_dynamic ? freed->high : freed->high - win->body->base};
  char range[MCK_RANGE_SIZE];
  mck_finding_text(f, "%s touches window memory of rank %d that no longer exists, %s", mck_access_name(operation),
                   owner, mck_race_range(range, &place));
  mck_access_place(f, operation, rank, "");
  mck_access_place(f, end, owner, "it comes after ");
  mck_finding_why(f, "rank %d knew of rank %d before its %s what came after the %s; %s", rank, owner,
                  mck_access_name(operation), mck_access_name(end),
                  is_dynamic ? "memory is attached until MPI_Win_detach (MPI-3.1 11.2.4)"
                             : "the memory must stay until MPI_Win_free has returned (MPI-3.1 11.2.5)");
  mck_race_end(f, &place);
}

void mck_freed_report(struct mck_rma_run *run, const struct mck_rma_found *found) {
  for (size_t i = 0; i < found->nfreed && i < FINDINGS_MAX; i++) report(run, found, &found->freed[i]);
}
