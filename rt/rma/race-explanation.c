// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The findings of the walk: of each pair of access classes the first occurrence that no order of sections explains, and
// why nothing orders it.
#include "api/fns.h"
#include "rma/completed-before.h"
#include "rma/possible-meeting.h"
#include "rma/race-finding.h"
#include "standard/constants.h"

enum { FINDINGS_MAX = 200 };

static const char *fn_name(uint32_t fn) {
  return fn < MCK_FN_COUNT && mck_fn_names[fn] ? mck_fn_names[fn] : "an MPI call";
}
static int rank_of(const struct mck_rma_run *run, uint32_t log) { return (int)run->readers[log].header->rank; }

const struct mck_win_def *mck_rma_window_at(const struct mck_rma_run *run, uint32_t window, uint32_t owner) {
  const struct mck_rma_window *w = &run->windows[window];
  for (uint32_t r = 0; r < w->size; r++)
    if (w->members[r].log == owner) return mck_rma_win(&run->readers[owner], w->members[r].win);
  return NULL;
}

// Displacements in a dynamic window are addresses.
static uint64_t base_of(const struct mck_win_def *win) {
  return win && win->flavor != MCK_WIN_FLAVOR_DYNAMIC ? win->body->base : 0;
}

// Where an operation, or the use of its buffer, is complete.
static void say_completion(struct mck_finding *f, const struct mck_rma_run *run, const struct mck_access_class *c,
                           uint32_t done_log, uint32_t done) {
  int rank = rank_of(run, c->what.process);
  const char *name = mck_access_name(c);
  if (mck_access_is_local(c) && !c->what.is_buffer) return;
  if (done == MCK_NONE && mck_rma_strands(run, c->what.process)) {
    mck_finding_why(f, "no call of its own thread completes %s of rank %d", name, rank);
    return;
  }
  if (done == MCK_NONE) {
    mck_finding_why(f,
                    run->is_cut ? "%s of rank %d was not complete at the next barrier of all ranks"
                                : "%s of rank %d is never completed: no call that does it follows",
                    name, rank);
    return;
  }
  const struct mck_event *end = &run->readers[done_log].events[done];
  bool is_of_operation = mck_access_is_of_operation(c);
  if (c->what.is_buffer && !is_of_operation && end->kind != MCK_EV_WAIT && end->kind != MCK_EV_DONE) return; // blocking
  int by = rank_of(run, done_log);
  mck_finding_place(f, by, end->site, "%s of rank %d is complete %swith %s of rank %d", name, rank,
                    is_of_operation ? "at its origin " : "", fn_name(end->fn), by);
}

static void say_completions(struct mck_finding *f, const struct mck_rma_run *run, const struct mck_access_class *a,
                            const struct mck_access_class *b, const struct mck_rma_occurrence *o, bool is_swapped) {
  bool is_one = o->done_a != MCK_NONE && o->done_a == o->done_b && o->done_log_a == o->done_log_b;
  if (is_one && !mck_access_is_local(a) && !mck_access_is_local(b)) {
    const struct mck_event *end = &run->readers[o->done_log_a].events[o->done_a];
    int by = rank_of(run, o->done_log_a);
    mck_finding_place(f, by, end->site, "both are complete with %s of rank %d", fn_name(end->fn), by);
    return;
  }
  if (is_swapped) say_completion(f, run, b, o->done_log_b, o->done_b);
  say_completion(f, run, a, o->done_log_a, o->done_a);
  if (!is_swapped) say_completion(f, run, b, o->done_log_b, o->done_b);
}

// The thread or task that made an access, as the user knows it.
static void say_strand(struct mck_finding *f, const struct mck_rma_run *run, const struct mck_access_class *c,
                       uint32_t event) {
  const struct mck_strands *s = mck_rma_strands(run, c->what.process);
  const struct mck_strand_piece *p = s ? &s->pieces[mck_strands_piece(s, event)] : NULL;
  if (!p || !p->name) return;
  mck_finding_place(f, rank_of(run, c->what.process), p->site, "the %s is made by %.*s", mck_access_name(c),
                    (int)p->name_length, p->name);
}

static void say_strands(struct mck_finding *f, const struct mck_rma_run *run, const struct mck_access_class *a,
                        const struct mck_access_class *b, const struct mck_rma_occurrence *o) {
  const struct mck_access_class *of = mck_rma_strands(run, a->what.process) ? a : b;
  if (!mck_rma_strands(run, of->what.process)) return;
  say_strand(f, run, a, o->event_a);
  say_strand(f, run, b, o->event_b);
  mck_finding_why(f,
                  "rank %d has several threads: a call by one of them orders only what the threads order before it "
                  "(MPI-3.1 12.4.1)",
                  rank_of(run, of->what.process));
}

static void say_locks(struct mck_finding *f, uint8_t lock_a, uint8_t lock_b, int rank_a, int rank_b) {
  if (lock_a && lock_b) {
    mck_finding_why(f, "both hold the window by a shared lock, which orders nothing");
    if (f->check == MCK_CHECK_RMA_RACE)
      mck_finding_help(f, "hold exclusive locks, or use atomic operations (MPI_Accumulate, MPI_Fetch_and_op), or "
                          "complete the first by a flush and tell the other rank by a message or barrier");
  } else if (lock_a == MCK_CONFLICT_EXCLUSIVE || lock_b == MCK_CONFLICT_EXCLUSIVE)
    mck_finding_why(f, "the exclusive lock of rank %d keeps only those out that lock the same target",
                    lock_a == MCK_CONFLICT_EXCLUSIVE ? rank_a : rank_b);
}

// is_turned: threads make them, so it is luck which of the two the walk has come to first; b is named first.
static void say_why(struct mck_finding *f, const struct mck_rma_run *run, const struct mck_access_class *a,
                    const struct mck_access_class *b, const struct mck_rma_occurrence *o, const char *name_a,
                    bool is_turned) {
  int rank_a = rank_of(run, a->what.process), rank_b = rank_of(run, b->what.process);
  const char *name_b = mck_access_name(b);
  if (a->what.process == b->what.process) {
    // Of two accesses by one process its lock, of whichever kind, orders nothing.
    mck_finding_why(f, "neither completed before the other: no synchronization between them completes %s at its target",
                    name_a);
    return;
  }
  if (o->known_of_a <= o->event_a)
    mck_finding_why(f, "neither completed before the other: nothing orders rank %d's %s behind rank %d's %s",
                    is_turned ? rank_a : rank_b, is_turned ? name_a : name_b, is_turned ? rank_b : rank_a,
                    is_turned ? name_b : name_a);
  else if (o->done_a == MCK_NONE || (mck_access_is_local(a) && o->done_a == o->event_a))
    mck_finding_why(f, "neither completed before the other: rank %d knew of rank %d before its %s", rank_b, rank_a,
                    name_b);
  else
    mck_finding_why(
        f,
        "neither completed before the other: what orders rank %d's %s behind rank %d's %s is from before the "
        "latter was complete",
        rank_b, name_b, rank_a, name_a);
  say_locks(f, a->what.lock, b->what.lock, rank_a, rank_b);
}

static struct mck_possible_access first_of(const struct mck_access_class *a, const struct mck_rma_occurrence *o) {
  return (struct mck_possible_access){a->what.process, o->event_a, o->done_log_a, o->done_a};
}
static struct mck_possible_access second_of(const struct mck_access_class *b, const struct mck_rma_occurrence *o) {
  return (struct mck_possible_access){b->what.process, o->event_b, o->done_log_b, o->done_b};
}
static bool is_first(struct mck_possible_order *possible, enum mck_possible_way way, const struct mck_access_class *a,
                     const struct mck_access_class *b, const struct mck_rma_occurrence *o) {
  return mck_possible_is_ordered(possible, way, first_of(a, o), b->what.process, o->event_b);
}
static bool is_second(struct mck_possible_order *possible, enum mck_possible_way way, const struct mck_access_class *a,
                      const struct mck_access_class *b, const struct mck_rma_occurrence *o) {
  return mck_possible_is_ordered(possible, way, second_of(b, o), a->what.process, o->event_a);
}

// May sections have ordered the two? They may if what one wrote may have been read before the other, in either
// direction; or if the one is over before the other whichever turn comes first, and no run has both at the same time.
static bool may_be_ordered(struct mck_possible_order *possible, const struct mck_access_class *a,
                           const struct mck_access_class *b, const struct mck_rma_occurrence *o) {
  return is_first(possible, MCK_POSSIBLE_READ, a, b, o) || is_second(possible, MCK_POSSIBLE_READ, a, b, o) ||
         (is_first(possible, MCK_POSSIBLE_TURN, a, b, o) && is_second(possible, MCK_POSSIBLE_TURN, a, b, o) &&
          !mck_possible_can_meet(possible, first_of(a, o), second_of(b, o)));
}

// The turns of a lock that stand between the two: that of the log where the one is complete (with event done), and that
// of the other one's, before its event.
static bool say_turns_of(struct mck_finding *f, const struct mck_rma_run *run, uint32_t log, uint32_t done,
                         uint32_t to_log, uint32_t to) {
  const struct mck_rma_section *first = NULL, *second = NULL, *end = run->sections + run->nsections;
  for (const struct mck_rma_section *g = run->sections; g < end && !second; g++) {
    if (!g->is_lock || g->log != log || g->released <= done) continue;
    for (const struct mck_rma_section *t = run->sections; t < end; t++)
      if (t->is_lock && t->log == to_log && t->object == g->object && t->enter < to) first = g, second = t;
  }
  if (!second) return false;
  const struct mck_event *one = &run->readers[log].events[first->enter],
                         *other = &run->readers[to_log].events[second->enter];
  int rank = rank_of(run, log), to_rank = rank_of(run, to_log);
  mck_finding_place(f, rank, one->site, "%s, a turn of rank %d", fn_name(one->fn), rank);
  mck_finding_place(f, to_rank, other->site, "%s, a turn of rank %d", fn_name(other->fn), to_rank);
  mck_finding_why(f,
                  "only these turns of a lock come between them: rank %d reads nothing in its turn, so another run may "
                  "have them the other way",
                  to_rank);
  return true;
}

static void say_turns(struct mck_finding *f, const struct mck_rma_run *run, struct mck_possible_order *possible,
                      const struct mck_access_class *a, const struct mck_access_class *b,
                      const struct mck_rma_occurrence *o) {
  if (is_first(possible, MCK_POSSIBLE_TURN, a, b, o) &&
      say_turns_of(f, run, o->done_log_a, o->done_a, b->what.process, o->event_b))
    return;
  if (is_second(possible, MCK_POSSIBLE_TURN, a, b, o))
    say_turns_of(f, run, o->done_log_b, o->done_b, a->what.process, o->event_a);
}

const struct mck_attachment *mck_rma_attachment_at(struct mck_rma_run *run, uint32_t owner,
                                                   const struct mck_win_def *win, uint64_t low, uint32_t at) {
  if (!win || win->flavor != MCK_WIN_FLAVOR_DYNAMIC) return NULL;
  const struct mck_attachments *all = mck_rma_attachments(run, owner, win->id);
  return at == MCK_NONE ? mck_attachments_find(all, low, 0, MCK_NONE)
                        : mck_attachments_find(all, low, at ? at - 1 : 0, at + 1);
}

// The attachment that the memory of an occurrence belonged to.
static const struct mck_attachment *attachment_of(struct mck_rma_run *run, const struct mck_rma_pair *p,
                                                  const struct mck_rma_found *found, const struct mck_win_def *win,
                                                  const struct mck_rma_occurrence *o) {
  uint32_t at = found->classes[p->a].what.process == p->owner   ? o->event_a
                : found->classes[p->b].what.process == p->owner ? o->event_b
                                                                : MCK_NONE;
  return mck_rma_attachment_at(run, p->owner, win, o->low, at);
}

// Was the first window of this log freed before the second one was made? Its memory came back from the allocator, which
// has ordered the two, in a way that no log has.
static bool is_reused(const struct mck_rma_run *run, uint32_t log, uint32_t first, uint32_t second) {
  const struct mck_reader *r = &run->readers[log];
  bool is_freed = false;
  for (uint64_t i = 0; i < r->units; i += mck_event_units(&r->events[i])) {
    const struct mck_event *e = &r->events[i];
    uint32_t win = e->kind == MCK_EV_CALL && mck_std_frees_window(e->fn) ? e->word[0] : MCK_NONE;
    if (win < r->nwins && run->logs[log].window_of[win] == first) is_freed = true;
    if (e->kind == MCK_EV_DEF_WIN && e->def.id < r->nwins && run->logs[log].window_of[e->def.id] == second)
      return is_freed;
  }
  return false;
}

// The bytes of one access: those of an operation in the owner's memory, or of a load or store.
static void map_access(struct mck_rma_run *run, struct mck_race_map *m, const struct mck_access_class *c,
                       uint32_t event, uint32_t owner) {
  const struct mck_reader *from = &run->readers[c->what.process];
  const struct mck_event *e = event < from->units ? &from->events[event] : NULL;
  const struct mck_win_def *win = mck_rma_window_at(run, c->what.window, owner);
  m->steps = 0;
  bool is_whole = false;
  if (e && win && !c->is_change && (e->kind == MCK_EV_PUT || e->kind == MCK_EV_GET || e->kind == MCK_EV_ACC))
    is_whole = mck_rma_footprint(from, e, win, mck_race_map_add, m);
  else if (e && win && !c->is_change && e->kind == MCK_EV_ACCESS) {
    uint64_t base = base_of(win) + e->access.offset;
    is_whole = true;
    for (uint32_t i = 0; i < e->access.n && is_whole; i++) {
      uint64_t low = base + (uint64_t)((int64_t)i * e->access.stride);
      is_whole = mck_race_map_add(m, low, low + e->access.size);
    }
  }
  if (!is_whole && m->map) m->map->uses[m->use].is_cut = true;
}

static void map_bytes(struct mck_rma_run *run, struct mck_finding *f, const struct mck_race *race,
                      const struct mck_rma_pair *p, const struct mck_rma_occurrence *o, bool is_swapped) {
  struct mck_race_map m = mck_race_map_begin(f, race, base_of(race->win));
  if (!m.map) return;
  m.use = is_swapped;
  map_access(run, &m, is_swapped ? race->second : race->first, o->event_a, p->owner);
  m.use = !is_swapped;
  map_access(run, &m, is_swapped ? race->first : race->second, o->event_b, p->owner);
}

static void report_pair(struct mck_rma_run *run, const struct mck_rma_found *found, struct mck_possible_order *possible,
                        const struct mck_rma_pair *p, uint32_t *nreported) {
  const struct mck_access_class *a = &found->classes[p->a], *b = &found->classes[p->b];
  const struct mck_rma_occurrence *o = p->occurrences, *end = o + p->noccurrences;
  // What the sweep has decided it has told, too. It looks at one window only.
  bool is_of_sweep = run->windows[b->what.window].is_fenced && a->what.window == b->what.window;
  for (uint32_t i = 0; is_of_sweep && i < p->noccurrences; i++)
    if (!mck_epoch_is_left(run, a, b, &o[i])) return;
  while (o < end && may_be_ordered(possible, a, b, o)) o++;
  uint32_t of_a = a->what.window, of_b = b->what.window;
  if (of_a != of_b && mck_rma_strands(run, p->owner) &&
      (is_reused(run, p->owner, of_a, of_b) || is_reused(run, p->owner, of_b, of_a)))
    return;
  if (o == end || ++*nreported > FINDINGS_MAX) return;
  const struct mck_win_def *win = mck_rma_window_at(run, b->what.window, p->owner);
  struct mck_race race = {.conflict = p->conflict,
                          .first = a,
                          .second = b,
                          .first_rank = rank_of(run, a->what.process),
                          .second_rank = rank_of(run, b->what.process),
                          .owner = rank_of(run, p->owner),
                          .win = win,
                          .attachment = attachment_of(run, p, found, win, o),
                          .low = o->low - base_of(win),
                          .high = o->high - base_of(win)};
  if (a->what.process == b->what.process && mck_rma_strands(run, a->what.process))
    race.strands = &run->readers[a->what.process];
  bool is_swapped = mck_race_sort(&race);
  struct mck_finding *f = mck_race_begin(run->findings, &race);
  if (!f) return;
  f->count = p->count;
  bool has_strands = mck_rma_strands(run, a->what.process) || mck_rma_strands(run, b->what.process);
  say_why(f, run, a, b, o, mck_access_name(race.strands ? race.first : a), is_swapped && has_strands);
  say_turns(f, run, possible, a, b, o);
  if (is_swapped) say_strands(f, run, b, a, &(struct mck_rma_occurrence){.event_a = o->event_b, .event_b = o->event_a});
  else say_strands(f, run, a, b, o);
  say_completions(f, run, a, b, o, is_swapped);
  map_bytes(run, f, &race, p, o, is_swapped);
  mck_race_end(f, &race);
}

static void report_beyond(struct mck_rma_run *run, const struct mck_rma_found *found, const struct mck_rma_beyond *b) {
  const struct mck_access_class *access = &found->classes[b->class];
  const struct mck_win_def *win = mck_rma_window_at(run, access->what.window, b->owner);
  int rank = rank_of(run, access->what.process);
  struct mck_finding *f = win ? mck_findings_add(run->findings, MCK_CHECK_RMA_RANGE, rank) : NULL;
  if (!f) return;
  f->count = b->count;
  bool is_dynamic = win->flavor == MCK_WIN_FLAVOR_DYNAMIC;
  struct mck_beyond beyond = {.access = access,
                              .rank = rank,
                              .owner = rank_of(run, b->owner),
                              .win = win,
                              .attachments = is_dynamic ? mck_rma_attachments(run, b->owner, win->id) : NULL,
                              .low = b->low - base_of(win),
                              .high = b->high - base_of(win),
                              .after = b->known,
                              .before = MCK_NONE};
  mck_beyond_tell(f, &beyond);
}

void mck_rma_report(struct mck_rma_run *run, const struct mck_rma_found *found, struct mck_possible_order *possible) {
  uint32_t nreported = 0;
  for (size_t i = 0; i < found->nbeyond && i < FINDINGS_MAX; i++) {
    const struct mck_rma_beyond *b = &found->beyond[i];
    if (!run->windows[found->classes[b->class].what.window].is_fenced) report_beyond(run, found, b);
  }
  for (size_t i = 0; i < found->npairs; i++) report_pair(run, found, possible, &found->pairs[i], &nreported);
  mck_freed_report(run, found);
}
