// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assertions of posts, starts and locks that are not true (MPI-3.1 11.5.5). With MPI_MODE_NOCHECK MPI does not make the
// order that the call else makes: a start waits for no post, and a lock keeps nobody out. So something else must make
// it, and what the clocks of the walk do not know before the call does not.
#include "api/fns.h"
#include "rma/race-finding.h"
#include "rma/rma-walk.h"
#include "standard/constants.h"
#include "standard/epoch-call.h"

enum { PLACES_MAX = 64 };

// Starts and posts are counted from the first one: none of them may be missing. Locks that a cut separates are ordered.
static bool is_judged(const struct mck_rma_run *run, enum mck_rma_untrue_kind kind) {
  unsigned doubts = MCK_DOUBT_INCOMPLETE | MCK_DOUBT_THREADS;
  if (kind == MCK_UNTRUE_LOCK) return !(run->doubts & doubts);
  return !run->is_cut && !(run->doubts & (doubts | MCK_DOUBT_RECYCLED));
}

void mck_untrue_add(struct mck_rma_run *run, enum mck_rma_untrue_kind kind, uint32_t log, uint32_t event,
                    uint32_t other_log, uint32_t other) {
  if (!is_judged(run, kind)) return;
  struct mck_rma_untrue new = {.kind = kind,
                               .log = log,
                               .other_log = other_log,
                               .site = run->readers[log].events[event].site,
                               .other_site = run->readers[other_log].events[other].site,
                               .last = MCK_NONE};
  struct mck_rma_untrue *u = NULL;
  for (size_t i = 0; !u && i < run->nuntrue; i++) {
    struct mck_rma_untrue *x = &run->untrue[i];
    if (x->kind == kind && x->log == log && x->other_log == other_log && x->site == new.site &&
        x->other_site == new.other_site)
      u = x;
  }
  if (!u) {
    if (run->nuntrue == PLACES_MAX || !MCK_PUSH(run->untrue, run->nuntrue, run->untrue_capacity, new)) return;
    u = &run->untrue[run->nuntrue - 1];
  }
  if (u->last == event) return; // a call is counted once
  u->last = event;
  u->count++;
  if (u->ntimes < MCK_RMA_UNTRUE_TIMES) u->event[u->ntimes] = event, u->other[u->ntimes++] = other;
}

// Does the rank of this log know, or may it know, that the event of another log is over?
static bool may_know(const struct mck_walk *w, uint32_t log, uint32_t other_log, uint32_t event) {
  const struct mck_clock *clock = w->logs[log].clock;
  uint32_t component = w->component[other_log];
  return clock->may_know_all || component == MCK_NONE || (event != MCK_NONE && clock->known[component] > event);
}

// --- starts ---
static void check_start(struct mck_walk *w, struct mck_point at, const struct mck_event *e) {
  struct mck_pair post;
  for (uint32_t k = 0; mck_walk_also(w, at.log, at.index, k, &post); k++) {
    const struct mck_event *p = &w->run->readers[post.log].events[post.index];
    bool is_unchecked = e->sync.assertion & MCK_MODE_NOCHECK, is_post_unchecked = p->sync.assertion & MCK_MODE_NOCHECK;
    if (is_unchecked && !is_post_unchecked)
      mck_untrue_add(w->run, MCK_UNTRUE_LONE, at.log, at.index, post.log, post.index);
    else if (!is_unchecked && is_post_unchecked)
      mck_untrue_add(w->run, MCK_UNTRUE_LONE, post.log, post.index, at.log, at.index);
    else if (is_unchecked && post.log != at.log && !may_know(w, at.log, post.log, post.index))
      mck_untrue_add(w->run, MCK_UNTRUE_START, at.log, at.index, post.log, post.index);
  }
}

// --- locks ---
// Of two epochs that were begun before a cut and stayed in the logs it was said at that cut.
static bool is_of_cut(const struct mck_walk *w, const struct mck_walk_lock *x) {
  uint32_t cut = w->logs[x->log].cut;
  return cut != MCK_NONE && x->begin <= cut;
}

// Another rank's last lock epoch on this target: an earlier one was over before it.
static void lock(struct mck_walk *w, struct mck_walk_held *held, const struct mck_walk_lock *new) {
  struct mck_walk_lock *own = NULL;
  for (size_t i = 0; i < held->count; i++) {
    struct mck_walk_lock *x = &held->items[i];
    if (x->target != new->target) continue;
    if (x->log == new->log) own = x;
    else if ((x->is_exclusive || new->is_exclusive) && (x->is_unchecked || new->is_unchecked) &&
             !may_know(w, new->log, x->log, x->end) && !(is_of_cut(w, x) && is_of_cut(w, new))) {
      if (x->is_unchecked) mck_untrue_add(w->run, MCK_UNTRUE_LOCK, x->log, x->begin, new->log, new->begin);
      else mck_untrue_add(w->run, MCK_UNTRUE_LOCK, new->log, new->begin, x->log, x->begin);
    }
  }
  if (own) *own = *new;
  else if (!MCK_PUSH(held->items, held->count, held->capacity, *new)) mck_walk_fail(w);
}

static void follow_lock(struct mck_walk *w, struct mck_point at, const struct mck_event *e,
                        const struct mck_rma_window *window) {
  struct mck_walk_held *held = &w->held[window - w->run->windows];
  bool is_all = mck_std_is_to_all(e->fn);
  if (mck_std_is_unlock(e->fn)) {
    for (size_t i = 0; i < held->count; i++)
      if (held->items[i].log == at.log && held->items[i].end == MCK_NONE &&
          (is_all || held->items[i].target == (uint32_t)e->sync.rank))
        held->items[i].end = at.index;
    return;
  }
  struct mck_walk_lock new = {.log = at.log,
                              .begin = at.index,
                              .end = MCK_NONE,
                              .is_exclusive = mck_std_is_exclusive(e->fn, (int)e->sync.lock_type),
                              .is_unchecked = mck_std_lock_may_skip(e->sync.assertion)};
  uint32_t first = is_all ? 0 : (uint32_t)e->sync.rank, end = is_all ? window->size : first + 1;
  for (new.target = first; new.target < end &&new.target < window->size; new.target++) lock(w, held, &new);
}

void mck_walk_assert(struct mck_walk *w, struct mck_point at, const struct mck_event *e) {
  if (e->kind != MCK_EV_SYNC) return;
  const struct mck_rma_window *window = mck_rma_window_of(w->run, at.log, e->sync.win);
  if (!window) return;
  if (mck_std_epoch_call(e->fn) == MCK_STD_CALL_START) check_start(w, at, e);
  else if (window->has_unchecked && window->has_exclusive && (mck_std_is_lock(e->fn) || mck_std_is_unlock(e->fn)))
    follow_lock(w, at, e, window);
}

// --- the report ---
// The unlock of a lock.
static uint32_t end_of(const struct mck_reader *r, uint32_t lock) {
  const struct mck_event *begin = &r->events[lock];
  for (uint64_t i = lock + 1; i < r->units; i += mck_event_units(&r->events[i])) {
    const struct mck_event *e = &r->events[i];
    if (e->kind == MCK_EV_SYNC && mck_std_is_unlock(e->fn) && e->sync.win == begin->sync.win &&
        mck_std_is_to_all(e->fn) == mck_std_is_to_all(begin->fn) && e->sync.rank == begin->sync.rank)
      return (uint32_t)i;
  }
  return MCK_NONE;
}

// May sections have ordered the two lock epochs, as race-explanation.c asks of two accesses?
static bool may_be_apart(struct mck_rma_run *run, struct mck_possible_order *possible, const struct mck_rma_untrue *u,
                         uint32_t i) {
  bool is_apart[2][2]; // by way and direction
  uint32_t end = end_of(&run->readers[u->log], u->event[i]),
           other_end = end_of(&run->readers[u->other_log], u->other[i]);
  struct mck_possible_access first = {u->log, end, u->log, end},
                             other = {u->other_log, other_end, u->other_log, other_end};
  const enum mck_possible_way ways[] = {MCK_POSSIBLE_READ, MCK_POSSIBLE_TURN};
  for (int w = 0; w < 2; w++) {
    is_apart[w][0] = mck_possible_is_ordered(possible, ways[w], first, u->other_log, u->other[i]);
    is_apart[w][1] = mck_possible_is_ordered(possible, ways[w], other, u->log, u->event[i]);
  }
  return is_apart[0][0] || is_apart[0][1] || (is_apart[1][0] && is_apart[1][1]);
}

// May sections have made the order that MPI did not make?
static bool may_be_true(struct mck_rma_run *run, struct mck_possible_order *possible, const struct mck_rma_untrue *u,
                        uint32_t i) {
  if (u->kind == MCK_UNTRUE_START)
    return mck_possible_is_ordered(possible, MCK_POSSIBLE_READ,
                                   (struct mck_possible_access){u->other_log, u->other[i], u->other_log, u->other[i]},
                                   u->log, u->event[i]);
  return u->kind == MCK_UNTRUE_LOCK && may_be_apart(run, possible, u, i);
}

static void say_why(struct mck_finding *f, const struct mck_rma_untrue *u) {
  switch (u->kind) {
  case MCK_UNTRUE_LONE:
    mck_finding_why(f, "a post and its starts give it together, or none of them does (MPI-3.1 11.5.5)");
    mck_finding_help(f, "give MPI_MODE_NOCHECK to both calls, or to none of them");
    return;
  case MCK_UNTRUE_START:
    mck_finding_why(f, "nothing orders the post before the start (MPI-3.1 11.5.5)");
    mck_finding_help(f, "leave MPI_MODE_NOCHECK out of both calls, or order them by a message or barrier");
    return;
  case MCK_UNTRUE_LOCK:
    mck_finding_why(f, "nothing orders the two lock epochs: conflicting locks may be held at once (MPI-3.1 11.5.5)");
    mck_finding_help(f, "leave MPI_MODE_NOCHECK out, or order the epochs by a message or barrier");
    return;
  case MCK_UNTRUE_NOPUT: return;
  }
}

static void say_noput(struct mck_finding *f, const struct mck_rma_run *run, const struct mck_rma_untrue *u,
                      const struct mck_event *e, int rank, int other) {
  const struct mck_event *op = &run->readers[u->other_log].events[u->other[0]];
  struct mck_access_class access = {.fn = op->fn, .site = op->site};
  access.what.kind = op->kind == MCK_EV_PUT ? MCK_CONFLICT_PUT : MCK_CONFLICT_ACCUMULATE;
  mck_untrue_tell_noput(f, e->fn, rank, e->site, &access, other);
}

static void report(struct mck_rma_run *run, struct mck_possible_order *possible, const struct mck_rma_untrue *u) {
  uint32_t i = 0;
  while (i < u->ntimes && may_be_true(run, possible, u, i)) i++;
  if (i == u->ntimes) return;
  int rank = (int)run->readers[u->log].header->rank, other_rank = (int)run->readers[u->other_log].header->rank;
  const struct mck_event *e = &run->readers[u->log].events[u->event[i]],
                         *other = &run->readers[u->other_log].events[u->other[i]];
  struct mck_finding *f = mck_findings_add(run->findings, MCK_CHECK_ARG_ASSERT, rank);
  if (!f) return;
  f->count = u->count;
  if (u->kind == MCK_UNTRUE_NOPUT) {
    say_noput(f, run, u, e, rank, other_rank);
    return;
  }
  const char *name = mck_fn_names[e->fn], *other_name = mck_fn_names[other->fn];
  if (u->kind == MCK_UNTRUE_LONE)
    mck_finding_text(f, "MPI_MODE_NOCHECK is given to %s, but not to the %s that belongs to it", name, other_name);
  else mck_finding_text(f, "MPI_MODE_NOCHECK of %s is not true", name);
  mck_finding_place(f, rank, e->site, "%s on rank %d", name, rank);
  mck_finding_place(f, other_rank, other->site, "%s on rank %d", other_name, other_rank);
  say_why(f, u);
}

void mck_untrue_report(struct mck_rma_run *run, struct mck_possible_order *possible) {
  for (size_t i = 0; i < run->nuntrue; i++) report(run, possible, &run->untrue[i]);
}
