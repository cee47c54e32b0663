// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a rank gets to know of others: its clock takes over others along messages, along collectives by the flow of
// their data, from posts to starts, and from completes to waits.
#include "log/envelope.h"
#include "rma/rma-walk.h"
#include "standard/epoch-call.h"

// --- clocks ---
static void join(struct mck_walk *w, uint32_t log, const struct mck_clock *other, uint32_t component, uint32_t value) {
  if (!mck_clock_join(&w->logs[log].clock, w->ncomponents, other, component, value)) mck_walk_fail(w);
}

void mck_walk_assume_all(struct mck_walk *w, uint32_t log) {
  if (!mck_clock_assume_all(&w->logs[log].clock, w->ncomponents)) mck_walk_fail(w);
}

// The rank learns that what came before an event is over; of a post or complete (R3 and R4) the event itself, too.
static void learn(struct mck_walk *w, struct mck_point at, uint32_t log, uint32_t index, bool is_included) {
  if (log == at.log && mck_walk_is_own(w, log, index)) return;
  join(w, at.log, w->logs[log].sent[index], mck_walk_component(w, log, index), index + is_included);
  mck_possible_add_edge(&w->possible, log, index, is_included, at.log, at.index);
  if (log != at.log && w->observer && w->observer->learned)
    w->observer->learned(w->observer->context, log, index, is_included, at.log, at.index);
}

// From all members' entries. Behind a fence what it completes is known, too.
static void learn_from_all(struct mck_walk *w, struct mck_point at, const struct mck_order_done *done, bool is_fence) {
  const struct mck_meeting *m = done->meeting;
  uint32_t slot, id = MCK_NONE;
  uint64_t hash = mck_table_mix(m->id, 0);
  MCK_TABLE_EACH (&w->instance_table, hash, slot, id)
    if (w->instances[id].id == m->id) break;
  bool is_there = id != MCK_NONE && id < w->ninstances && w->instances[id].id == m->id;
  if (!is_there) {
    struct mck_walk_instance new = {m->id, mck_clock_new(w->ncomponents), (uint32_t)w->ninstances};
    id = (uint32_t)w->ninstances;
    if (!new.joined || !MCK_PUSH(w->instances, w->ninstances, w->instances_capacity, new) ||
        !mck_table_add(&w->instance_table, hash, id)) {
      mck_walk_fail(w);
      return;
    }
    w->possible.ninstances = (uint32_t)w->ninstances;
    for (size_t i = 0; i < m->n; i++) {
      uint32_t log = m->members[i].log, entry = m->entries[i];
      if (entry == MCK_NONE) continue;
      if (!mck_clock_join(&w->instances[id].joined, w->ncomponents, w->logs[log].sent[entry],
                          mck_walk_component(w, log, entry), entry + is_fence))
        mck_walk_fail(w);
      mck_possible_add_edge(&w->possible, log, entry, is_fence, MCK_NONE, id);
    }
  }
  join(w, at.log, w->instances[id].joined, MCK_NONE, 0);
  for (size_t i = 0; w->observer && w->observer->learned && i < m->n; i++)
    if (m->entries[i] != MCK_NONE && m->members[i].log != at.log)
      w->observer->learned(w->observer->context, m->members[i].log, m->entries[i], is_fence, at.log, at.index);
  mck_possible_add_exit(&w->possible, id, at.log, at.index);
}

// From the members below this rank.
static void learn_from_members(struct mck_walk *w, struct mck_point at, const struct mck_order_done *done,
                               uint32_t below) {
  const struct mck_meeting *m = done->meeting;
  for (size_t i = 0; i < m->n; i++)
    if (m->entries[i] != MCK_NONE && m->members[i].rank < below) learn(w, at, m->members[i].log, m->entries[i], false);
}

static void learn_from_root(struct mck_walk *w, struct mck_point at, const struct mck_order_done *done) {
  const struct mck_event *e = &w->run->readers[at.log].events[done->op];
  const struct mck_comm_def *comm = mck_order_comm(&w->run->readers[at.log], e->coll.comm);
  if (!comm || comm->remote_size) {
    learn_from_members(w, at, done, MCK_NONE);
    return;
  }
  for (size_t i = 0; i < done->meeting->n; i++)
    if (done->meeting->members[i].rank == (uint32_t)e->coll.root && done->meeting->entries[i] != MCK_NONE)
      learn(w, at, done->meeting->members[i].log, done->meeting->entries[i], false);
}

// With MPI_MODE_NOPRECEDE a fence need not wait (11.5.1). But the operations behind it take effect at a target only
// behind the target's fence, so it counts as a barrier where its window is judged here.
static bool is_no_barrier(const struct mck_walk *w, struct mck_point at, const struct mck_event *e) {
  return e->kind == MCK_EV_FENCE && mck_std_fence_may_skip(e->sync.assertion) &&
         !mck_rma_window_of(w->run, at.log, e->sync.win);
}

static bool has_weak_files(const struct mck_walk *w) { return w->observer && w->observer->has_weak_files; }

static void complete_collective(struct mck_walk *w, struct mck_point at, const struct mck_order_done *done,
                                const struct mck_event *e) {
  const struct mck_reader *r = &w->run->readers[at.log];
  const struct mck_comm_def *comm = e->kind == MCK_EV_COLL ? mck_order_comm(r, e->coll.comm) : NULL;
  bool is_alone = comm && comm->size + comm->remote_size == 1;
  if (!done->meeting) {
    if (!is_alone) mck_walk_assume_all(w, at.log); // MPI_Comm_create_group of unknown members
    return;
  }
  if (e->kind == MCK_EV_CALL) w->logs[at.log].met = done->op;
  switch (done->needs) {
  case MCK_STD_NEEDS_UNKNOWN: // mostly the walk makes a barrier of it (mck_walk_has_barriers)
  case MCK_STD_NEEDS_OUTSIDE:
    if (!is_alone && !is_no_barrier(w, at, e) && !(has_weak_files(w) && mck_std_is_file(e->fn)))
      mck_walk_assume_all(w, at.log);
    return;
  case MCK_STD_NEEDS_NOTHING: // by the flow of its data it gets nothing (MPI-3.1 5.1)
    if (!mck_walk_has_barriers(w) && comm && comm->remote_size) mck_walk_assume_all(w, at.log);
    return;
  case MCK_STD_NEEDS_ALL:
    if (is_no_barrier(w, at, e)) return;
    learn_from_all(w, at, done, e->kind == MCK_EV_FENCE);
    // A remote group that nobody knows (6.6.2).
    if (mck_std(e->fn)->collective == MCK_STD_COLLECTIVE_GROUPS && done->meeting->n <= (comm ? comm->size : 0))
      mck_walk_assume_all(w, at.log);
    return;
  case MCK_STD_NEEDS_ROOT: learn_from_root(w, at, done); return;
  case MCK_STD_NEEDS_LOWER: learn_from_members(w, at, done, comm->rank); return;
  // Those that have come are more than it needs: then more is ordered than must be.
  case MCK_STD_NEEDS_OTHER_GROUP:
  case MCK_STD_NEEDS_COUNTED:
  case MCK_STD_NEEDS_OWN_COUNTED:
  case MCK_STD_NEEDS_SOURCES: learn_from_members(w, at, done, MCK_NONE); return;
  }
}

static struct mck_rma_link *links_at(const struct mck_walk *w, uint32_t log, uint32_t index, size_t *n) {
  const struct mck_rma_log *l = &w->run->logs[log];
  size_t low = 0, high = l->nlinks;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (l->links[middle].at < index) low = middle + 1;
    else high = middle;
  }
  *n = 0;
  if (!l->nlinks) return NULL;
  while (low + *n < l->nlinks && l->links[low + *n].at == index) ++*n;
  return l->nlinks ? l->links + low : NULL;
}

void mck_walk_complete(void *context, struct mck_point at, const struct mck_order_done *done) {
  struct mck_walk *w = context;
  const struct mck_event *e = &w->run->readers[at.log].events[done->op];
  bool is_receive = e->kind == MCK_EV_RECV || e->kind == MCK_EV_MPROBE || e->kind == MCK_EV_PROBE;
  if (e->kind == MCK_EV_COLL || e->kind == MCK_EV_FENCE || (e->kind == MCK_EV_CALL && done->meeting))
    complete_collective(w, at, done, e);
  else if (e->kind == MCK_EV_SYNC) {
    size_t n;
    const struct mck_rma_link *links = links_at(w, at.log, done->op, &n);
    for (size_t i = 0; i < n; i++) learn(w, at, links[i].log, links[i].index, true);
  } else if (done->with.log != MCK_NONE) learn(w, at, done->with.log, done->with.index, false);
  else if (is_receive && mck_event_message(e, e->flags).cancel != MCK_STD_CANCELLED)
    mck_walk_assume_all(w, at.log); // nobody knows from which rank
  uint32_t owner = e->kind == MCK_EV_SEND ? done->with.log : at.log;
  for (size_t i = 0; owner != MCK_NONE && i < done->nbefore; i++) {
    struct mck_pair send = w->run->pairs->of[owner][done->before[i]];
    if (send.log != MCK_NONE) learn(w, at, send.log, send.index, false);
  }
}

bool mck_walk_also(void *context, uint32_t log, uint32_t index, uint32_t k, struct mck_pair *of) {
  size_t n;
  const struct mck_rma_link *links = links_at(context, log, index, &n);
  if (k >= n) return false;
  *of = (struct mck_pair){links[k].log, links[k].index};
  return true;
}

static bool is_informing(const struct mck_walk *w, const struct mck_event *e, struct mck_point at) {
  switch (e->kind) {
  case MCK_EV_SEND: return w->run->pairs->of[at.log][at.index].log != MCK_NONE;
  case MCK_EV_RECV: { // a synchronous send learns from it
    struct mck_pair send = w->run->pairs->of[at.log][at.index];
    return send.log != MCK_NONE &&
           (w->run->readers[send.log].events[send.index].flags & MCK_MODE_MASK) == MCK_FLAG_SYNC;
  }
  case MCK_EV_MPROBE:
  case MCK_EV_COLL:
  case MCK_EV_FENCE:
  case MCK_EV_CALL: return true;
  case MCK_EV_SYNC: return mck_std_tells_partners(e->fn);
  default: return false;
  }
}

void mck_walk_keep_clock(struct mck_walk *w, struct mck_point at, const struct mck_event *e) {
  struct mck_walk_log *l = &w->logs[at.log];
  if (is_informing(w, e, at) && !l->sent[at.index]) l->sent[at.index] = mck_clock_share(l->clock);
}

bool mck_walk_is_unknown(const struct mck_reader *r, const struct mck_event *e) {
  if (e->kind == MCK_EV_COLL) return mck_std_meets_world(e->fn); // the other world may order anything
  if (e->kind == MCK_EV_CALL && mck_std_frees_window(e->fn))
    return !mck_rma_win(r, e->word[0]); // a window whose making is not in the log
  return e->kind == MCK_EV_CALL && mck_std(e->fn)->family != MCK_STD_FAMILY_ENVIRONMENT;
}
