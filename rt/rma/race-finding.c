// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rma/completed-before.h"
#include "api/fns.h"
#include "report/byte-range-text.h"

enum { FINDINGS_MAX = 200, WINDOW_DYNAMIC = 3 };

static const char *fn_name(uint32_t fn) {
  return fn < MCK_FN_COUNT && mck_fn_names[fn] ? mck_fn_names[fn] : "an MPI call";
}
static int rank_of(const struct mck_rma_run *run, uint32_t log) { return (int)run->readers[log].header->rank; }

static const char *name_of(const struct mck_rma_like *l) {
  if (l->is_change && !l->fn) return "free";
  if (mck_rma_is_buffer(l) || l->is_change) return fn_name(l->fn);
  return l->kind == MCK_RMA_STORE ? "store" : l->kind == MCK_RMA_LOAD ? "load" : fn_name(l->fn);
}

static void place(struct mck_finding *f, const struct mck_rma_run *run, const struct mck_rma_like *l,
                  const char *lead) {
  int rank = rank_of(run, l->log);
  if (mck_rma_is_buffer(l)) {
    mck_finding_place(f, rank, l->site, "%s%s, whose %s buffer this is, from rank %d", lead, name_of(l),
                      l->kind == MCK_RMA_STORE ? "result" : "origin", rank);
    return;
  }
  mck_finding_place(f, rank, l->site, mck_rma_is_local(l) ? "%s%s by rank %d" : "%s%s from rank %d", lead, name_of(l),
                    rank);
}

static const struct mck_win_def *window_at(const struct mck_rma_run *run, uint32_t window, uint32_t owner) {
  const struct mck_rma_window *w = &run->windows[window];
  for (uint32_t r = 0; r < w->size; r++)
    if (w->members[r].log == owner) return mck_rma_win(&run->readers[owner], w->members[r].win);
  return NULL;
}

static void say_window(struct mck_finding *f, const char *what, const struct mck_win_def *win,
                       const struct mck_spell *spell, int owner, uint64_t low, uint64_t high) {
  uint64_t base = win && win->flavor != WINDOW_DYNAMIC ? win->body->base
                                                       : 0; // of a dynamic window displacements are addresses
  char range[MCK_RANGE_SIZE];
  if (spell) mck_spell_say(range, spell, low, high);
  else mck_range_say(range, win, low - base, high - base - 1);
  if (win && win->name_length)
    mck_finding_text(f, "%s on window \"%.*s\" of rank %d, %s", what, (int)win->name_length, win->name, owner, range);
  else mck_finding_text(f, "%s on a window of rank %d, %s", what, owner, range);
}

// Where an operation is complete, and how far that is known.
static void say_completion(struct mck_finding *f, const struct mck_rma_run *run, const struct mck_rma_like *l,
                           uint32_t event, uint32_t done_log, uint32_t done) {
  bool is_buffer = mck_rma_is_buffer(l);
  if (mck_rma_is_local(l) && !is_buffer) return;
  const struct mck_event *end = done == MCK_NONE ? NULL : &run->readers[done_log].events[done];
  (void)event;
  if (!end) {
    mck_finding_why(f,
                    run->is_cut ? "%s of rank %d was not complete at the next barrier of all ranks"
                                : "%s of rank %d is never completed: no call that does it follows",
                    name_of(l), rank_of(run, l->log));
    return;
  }
  mck_finding_place(f, rank_of(run, done_log), end->site, "%s of rank %d is complete %swith %s of rank %d", name_of(l),
                    rank_of(run, l->log), is_buffer ? "at its origin " : "", fn_name(end->fn), rank_of(run, done_log));
}

static void say_why(struct mck_finding *f, const struct mck_rma_run *run, const struct mck_rma_like *a,
                    const struct mck_rma_like *b, const struct mck_rma_instance *i) {
  int rank_a = rank_of(run, a->log), rank_b = rank_of(run, b->log);
  if (a->log == b->log) {
    mck_finding_why(f, "neither completed before the other: no synchronization between them completes %s at its target",
                    name_of(a));
  } else if (i->heard_of <= i->event_a) {
    mck_finding_why(f,
                    "neither completed before the other: nothing that rank %d had heard of rank %d before its %s comes "
                    "from after the %s",
                    rank_b, rank_a, name_of(b), name_of(a));
  } else if (i->done_a == MCK_NONE || (mck_rma_is_local(a) && !mck_rma_is_buffer(a))) {
    mck_finding_why(f, "neither completed before the other: rank %d had heard of rank %d before its %s", rank_b, rank_a,
                    name_of(b));
  } else {
    mck_finding_why(f,
                    "neither completed before the other: what rank %d had heard of rank %d before its %s comes from "
                    "after the %s, but from "
                    "before it was complete",
                    rank_b, rank_a, name_of(b), name_of(a));
  }
  if (a->log == b->log) return; // two accesses of one process: its lock, of whichever kind, orders nothing between them
  if (a->lock && b->lock) mck_finding_why(f, "both hold the window by a shared lock, which orders nothing");
  else if (a->lock == MCK_RMA_EXCLUSIVE || b->lock == MCK_RMA_EXCLUSIVE)
    mck_finding_why(f, "the exclusive lock of rank %d keeps only those out that lock the same target",
                    a->lock == MCK_RMA_EXCLUSIVE ? rank_a : rank_b);
}

static int order_likes(const struct mck_rma_run *run, const struct mck_rma_like *a, const struct mck_rma_like *b) {
  if (mck_rma_is_local(a) != mck_rma_is_local(b)) return mck_rma_is_local(a) ? 1 : -1;
  if (a->log != b->log) return rank_of(run, a->log) < rank_of(run, b->log) ? -1 : 1;
  if (a->site != b->site) return a->site < b->site ? -1 : 1;
  return (int)a->kind - (int)b->kind;
}

static bool is_possible(struct mck_chance *chance, const struct mck_rma_like *a, const struct mck_rma_like *b,
                        const struct mck_rma_instance *i) {
  return mck_chance_is_possible(chance, i->done_log_a, i->done_a, b->log, i->event_b) ||
         mck_chance_is_possible(chance, i->done_log_b, i->done_b, a->log, i->event_a);
}

static void tell_pair(struct mck_rma_run *run, const struct mck_rma_found *found, struct mck_chance *chance,
                      const struct mck_rma_pair *p, uint32_t *said) {
  const struct mck_rma_like *a = &found->likes[p->a], *b = &found->likes[p->b];
  const struct mck_rma_instance *i = p->instances, *end = i + p->ninstances;
  while (i < end && is_possible(chance, a, b, i)) i++;
  if (i == end || ++*said > FINDINGS_MAX) return;
  int owner = rank_of(run, p->owner);
  enum mck_check check = p->verdict == MCK_RMA_ATOMICITY ? MCK_CHECK_RMA_ATOMICITY
                         : p->verdict == MCK_RMA_RACE && (mck_rma_is_buffer(a) || mck_rma_is_buffer(b))
                             ? MCK_CHECK_RMA_RACE_LOCAL
                         : p->verdict == MCK_RMA_MODEL   ? MCK_CHECK_RMA_MODEL
                         : p->verdict == MCK_RMA_OVERLAP ? MCK_CHECK_RMA_WINDOW_OVERLAP
                                                         : MCK_CHECK_RMA_RACE;
  struct mck_finding *f = mck_findings_add(run->findings, check, owner);
  if (!f) return;
  f->count = p->count;
  const char *what = p->verdict == MCK_RMA_ATOMICITY ? "accesses that are not atomic to each other"
                     : p->verdict == MCK_RMA_OVERLAP ? "race through two windows"
                                                     : "race";
  const struct mck_win_def *win = window_at(run, b->window, p->owner);
  const struct mck_spell *spell = NULL;
  if (win && win->flavor == WINDOW_DYNAMIC) {
    uint32_t at = a->log == p->owner ? i->event_a : b->log == p->owner ? i->event_b : MCK_NONE;
    const struct mck_spells *spells = mck_rma_spells(run, p->owner, win->id);
    spell = at == MCK_NONE ? mck_spells_find(spells, i->low, 0, MCK_NONE)
                           : mck_spells_find(spells, i->low, at ? at - 1 : 0, at + 1);
  }
  if (p->verdict == MCK_RMA_MODEL) {
    mck_finding_text(f, "a store and an update of one window in the separate memory model, of rank %d", owner);
    mck_finding_why(f, "in this model they may not be unordered even if they touch different bytes (MPI-3.1 11.7)");
  } else say_window(f, what, win, spell, owner, i->low, i->high);
  bool is_swapped = order_likes(run, a, b) > 0;
  place(f, run, is_swapped ? b : a, "");
  place(f, run, is_swapped ? a : b, "conflicts with ");
  say_why(f, run, a, b, i);
  if (is_swapped) say_completion(f, run, b, i->event_b, i->done_log_b, i->done_b);
  say_completion(f, run, a, i->event_a, i->done_log_a, i->done_a);
  if (!is_swapped) say_completion(f, run, b, i->event_b, i->done_log_b, i->done_b);
  if (!spell && p->verdict != MCK_RMA_MODEL) mck_window_place(f, owner, win);
  if (spell && !a->is_change && !b->is_change)
    mck_finding_place(f, owner, spell->site, "the memory was attached by MPI_Win_attach");
}

void mck_rma_tell(struct mck_rma_run *run, const struct mck_rma_found *found, struct mck_chance *chance) {
  uint32_t said = 0;
  for (size_t i = 0; i < found->nstrays && i < FINDINGS_MAX; i++) {
    const struct mck_rma_stray *s = &found->strays[i];
    const struct mck_rma_like *l = &found->likes[s->like];
    const struct mck_win_def *win = window_at(run, l->window, s->owner);
    struct mck_finding *f = mck_findings_add(run->findings, MCK_CHECK_RMA_RANGE, rank_of(run, l->log));
    if (!f || !win) continue;
    f->count = s->count;
    int64_t low = (int64_t)(s->low - win->body->base), high = (int64_t)(s->high - win->body->base);
    if (win->flavor == WINDOW_DYNAMIC) {
      mck_spells_say_stray(f, mck_rma_spells(run, s->owner, win->id), name_of(l), rank_of(run, s->owner), s->low,
                           s->high, s->known, MCK_NONE);
    } else {
      mck_finding_text(f, "%s goes beyond the window of its target", name_of(l));
      mck_finding_why(f, "it touches bytes %lld..%lld of the window of rank %d, which has %llu", (long long)low,
                      (long long)high - 1, rank_of(run, s->owner), (unsigned long long)win->body->size);
    }
    place(f, run, l, "");
  }
  for (size_t i = 0; i < found->npairs; i++) tell_pair(run, found, chance, &found->pairs[i], &said);
}
