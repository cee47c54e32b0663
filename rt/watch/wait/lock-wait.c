// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passive target synchronization (MPI-3.1 11.5.3): ranks that wait for a lock that another rank has, or asked for
// earlier. MPI_Win_lock may return before the lock is granted. Then the library waits for it in a flush, in the unlock
// or in an operation (Open MPI's osc/pt2pt does). So a rank whose lock call has returned need not have the lock, and a
// rank that stands in its unlock may have it. docs/design/watch.md, "Locks", says why the rules below still prove a
// deadlock. Nothing here is solid. A log that was cut does not hold all locks.
#include <stdlib.h>
#include "standard/collective.h"
#include "watch/proof/proof.h"

enum { BYTES_MAX = 256 << 10, BASIC_BYTES_MAX = 32 }; // a call that moves more bytes may take long for that alone

// What the owner of an epoch does with it now.
enum stage {
  ASKS,      // it is in the call that opens the epoch
  ELSEWHERE, // it has opened the epoch, and does nothing with it now
  USES,      // it is in a flush or an operation of the epoch, or waits for one
  ENDS,      // it is in the call that ends the epoch
};
struct epoch {
  uint64_t key, bytes;           // the window's key; the bytes of its operations so far
  uint32_t owner, target;        // world ranks; target MCK_NONE: all
  uint32_t event;                // of the call that opened it
  bool is_exclusive, is_granted; // is_granted: certainly
  bool is_touched;               // an operation was called that no flush has completed
  uint8_t stage;
};
struct locks {
  struct mck_proof *proof;
  struct epoch *epochs; // the open epochs, by owner
  size_t count, capacity;
  bool is_unknown; // a log is not whole: nothing is concluded
};
// The epochs that a call is about: one, or all of a window.
struct scope {
  uint64_t key;
  uint32_t target;
};

static bool is_operation(const struct mck_event *e) {
  return e->kind == MCK_EV_PUT || e->kind == MCK_EV_GET || e->kind == MCK_EV_ACC;
}
// The scope of an operation or a passive target call. Returns false for other calls, or an unknown window.
static bool get_scope(const struct mck_proof *proof, uint32_t rank, const struct mck_event *e, struct scope *scope) {
  const struct mck_reader *log = &proof->logs[rank];
  bool is_op = is_operation(e);
  bool is_call = e->kind == MCK_EV_SYNC &&
                 (mck_std_is_lock(e->fn) || mck_std_is_unlock(e->fn) || mck_std_is_flush(e->fn));
  if (!is_op && !is_call) return false;
  uint32_t win = is_op ? e->rma.win : e->sync.win;
  if (win >= log->nwins || !log->wins[win].body) return false;
  scope->key = log->wins[win].body->key;
  scope->target = MCK_NONE;
  int32_t target = is_op ? e->rma.target : e->sync.rank;
  bool is_all = !is_op && mck_std_is_to_all(e->fn);
  if (is_all) return true;
  const struct mck_comm_def *comm = mck_proof_comm(log, log->wins[win].comm);
  int world = comm ? mck_comm_world_rank(comm, target, false) : -1;
  scope->target = (uint32_t)world;
  return world >= 0 && (uint32_t)world < proof->size;
}

static uint64_t bytes_of(const struct mck_reader *log, const struct mck_event *e) {
  uint64_t size = BASIC_BYTES_MAX;
  if (e->rma.type >= MCK_TYPE_USER) {
    uint32_t i = e->rma.type - MCK_TYPE_USER;
    if (i >= log->ntypes || !log->types[i].body) return UINT32_MAX;
    size = log->types[i].body->size;
  }
  return size > UINT32_MAX ? UINT32_MAX : size * e->rma.count; // less than 2^64
}

static void open_epoch(struct locks *l, uint32_t r, const struct mck_event *e, struct scope scope, bool is_pending) {
  uint32_t event = (uint32_t)(e - l->proof->logs[r].events);
  if (mck_std_lock_may_skip(e->sync.assertion)) return; // no other rank may have the lock, so it is not asked for
  struct epoch epoch = {.key = scope.key, .owner = r, .target = scope.target, .event = event};
  epoch.stage = is_pending ? ASKS : ELSEWHERE;
  epoch.is_exclusive = mck_std_is_exclusive(e->fn, e->sync.lock_type);
  epoch.is_granted = !is_pending && scope.target == r; // the owner may load and store its memory at once (11.5.3)
  if (!MCK_PUSH(l->epochs, l->count, l->capacity, epoch)) l->is_unknown = true;
}

// is_pending: the rank waits for this call now, or for an operation that it began.
static void take_event(struct locks *l, uint32_t r, size_t first, const struct mck_event *e, bool is_pending) {
  struct scope scope;
  if (!get_scope(l->proof, r, e, &scope)) return;
  if (e->kind == MCK_EV_SYNC && mck_std_is_lock(e->fn)) {
    open_epoch(l, r, e, scope, is_pending);
    return;
  }
  for (size_t i = l->count; i-- > first;) { // the latest first: few epochs are open at a time
    struct epoch *p = &l->epochs[i];
    bool is_op = is_operation(e), is_end = !is_op && mck_std_is_unlock(e->fn);
    bool is_same = p->target == scope.target;
    if (p->key != scope.key || !(is_same || (!is_end && (p->target == MCK_NONE || scope.target == MCK_NONE)))) continue;
    if (is_end && !is_pending) {
      *p = l->epochs[--l->count];
      return;
    }
    if (is_pending) p->stage = is_end ? ENDS : USES;
    if (is_op) {
      uint64_t bytes = bytes_of(&l->proof->logs[r], e);
      p->bytes = p->bytes + bytes < bytes ? UINT64_MAX : p->bytes + bytes;
      p->is_touched = true;
    } else if (!is_end && !is_pending && !mck_std_is_local_flush(e->fn) && p->is_touched && p->target != MCK_NONE) {
      // A flush with something to complete has returned.
      p->is_granted = true, p->is_touched = false, p->bytes = 0;
    }
  }
}

static void read_log(struct locks *l, uint32_t r) {
  const struct mck_reader *log = &l->proof->logs[r];
  const struct mck_proof_rank *rank = &l->proof->ranks[r];
  const struct mck_proof_part *part = l->proof->parts + rank->part, *end = part + rank->nparts;
  size_t first = l->count;
  for (uint64_t i = 0; i < log->units && !l->is_unknown; i += mck_event_units(&log->events[i])) {
    while (part < end && part->event < i) part++;
    bool is_pending = part < end && part->event == i && !part->polled && part->verdict != MCK_PROOF_IS_COMPLETE;
    take_event(l, r, first, &log->events[i], is_pending);
  }
}

// --- verdicts ---
static bool overlap(const struct epoch *p, uint64_t key, uint32_t target) {
  return p->key == key && (p->target == target || p->target == MCK_NONE || target == MCK_NONE);
}
static bool conflict(const struct epoch *a, const struct epoch *b) {
  return a->owner != b->owner && (a->is_exclusive || b->is_exclusive) && overlap(a, b->key, b->target);
}

// Is there an open epoch of another rank that keeps p's owner from its lock, and does that rank stand elsewhere?
static bool is_kept(const struct locks *l, const struct epoch *p, uint32_t but) {
  for (size_t i = 0; i < l->count; i++) {
    const struct epoch *h = &l->epochs[i];
    if (h->owner != but && h->stage != ASKS && h->stage != ENDS && conflict(h, p)) return true;
  }
  return false;
}

// The target must do something to pass a lock on. Has it had the time?
static bool is_served(const struct mck_proof *proof, uint32_t target, enum mck_patience least) {
  const struct mck_proof_rank *t = &proof->ranks[target];
  return t->state == MCK_PROOF_FINISHED || t->is_polling || mck_proof_is_patient(proof, target, least);
}

static void add(struct locks *l, struct mck_proof_part *part, uint32_t rank) {
  for (uint32_t i = 0; i < part->nset; i++)
    if (l->proof->sets[part->set + i] == rank) return;
  if (rank != part->rank) mck_proof_add_member(l->proof, part, rank);
}

static void conclude(struct mck_proof_part *part, bool is_slow) {
  if (!part->nset) return;
  part->verdict = MCK_PROOF_NEEDS_SET;
  part->is_slow = is_slow;
}

// In MPI_Win_lock, MPI_Win_lock_all: with a library that waits here, a rank has the lock when the call has returned.
static void judge_asking(struct locks *l, struct mck_proof_part *part, const struct epoch *own) {
  bool has_reason = false;
  part->set = l->proof->nsets, part->nset = 0;
  for (size_t i = 0; i < l->count; i++) {
    const struct epoch *h = &l->epochs[i];
    if (!conflict(h, own) || h->stage == ASKS) continue;
    if (h->stage != ENDS) has_reason = true;
    bool is_remote = h->target != MCK_NONE && h->target != part->rank;
    if (is_remote && !is_served(l->proof, h->target, MCK_PATIENCE_SHORT)) return;
    add(l, part, h->owner);
    if (h->target != MCK_NONE) add(l, part, h->target);
  }
  // A shared lock waits behind an exclusive one that waits: the library grants locks in order, or this rank would not
  // stand.
  for (size_t i = 0; i < l->count && !has_reason; i++) {
    const struct epoch *q = &l->epochs[i];
    if (q->stage != ASKS || !conflict(q, own)) continue;
    for (size_t k = 0; k < l->count; k++)
      if (l->epochs[k].stage == ASKS && conflict(&l->epochs[k], own)) add(l, part, l->epochs[k].owner);
    if (!is_kept(l, q, part->rank)) continue;
    has_reason = true;
  }
  if (!has_reason) return;
  if (own->target != MCK_NONE && own->target != part->rank) {
    if (!is_served(l->proof, own->target, MCK_PATIENCE_SHORT)) return;
    add(l, part, own->target);
  }
  conclude(part, false);
}

// All members of the window: a call for all of them may stand because of any of them.
static bool add_all(struct locks *l, struct mck_proof_part *part, const struct mck_event *e) {
  const struct mck_reader *log = &l->proof->logs[part->rank];
  const struct mck_comm_def *comm = mck_proof_comm(log, log->wins[e->sync.win].comm);
  for (uint32_t i = 0; comm && i < comm->size; i++) {
    int world = mck_comm_world_rank(comm, (int)i, false);
    if (world < 0 || (uint32_t)world >= l->proof->size) return false;
    if ((uint32_t)world != part->rank && !is_served(l->proof, (uint32_t)world, MCK_PATIENCE_LONG)) return false;
    add(l, part, (uint32_t)world);
  }
  return comm != NULL;
}

// Anywhere else in its epochs. Each rank with a conflicting epoch may have the lock. At least one of them must do
// nothing that would give it back.
static void judge_using(struct locks *l, struct mck_proof_part *part, const struct mck_event *e, struct scope scope) {
  bool has_reason = false, is_certain = false, is_small = true, has_own = false;
  part->set = l->proof->nsets, part->nset = 0;
  for (size_t i = 0; i < l->count; i++) {
    const struct epoch *own = &l->epochs[i];
    if (own->owner != part->rank || !overlap(own, scope.key, scope.target)) continue;
    if (own->stage != USES && own->stage != ENDS) continue;
    if (own->is_granted && scope.target != MCK_NONE) return;
    has_own = true;
    is_small &= own->bytes <= BYTES_MAX;
    for (size_t k = 0; k < l->count; k++) {
      const struct epoch *h = &l->epochs[k];
      if (!conflict(h, own) || !overlap(h, scope.key, scope.target)) continue;
      add(l, part, h->owner);
      if (h->stage == ELSEWHERE && !own->is_granted) has_reason = true, is_certain |= h->is_granted;
      // It is behind a rank that waits.
      else if (!own->is_granted && !own->is_exclusive && is_kept(l, h, part->rank)) has_reason = true;
    }
  }
  if (!has_own || !has_reason || (!is_small && !is_certain)) return;
  if (scope.target == MCK_NONE) {
    if (!add_all(l, part, e)) return;
  } else if (scope.target != part->rank) {
    if (!is_served(l->proof, scope.target, MCK_PATIENCE_LONG)) return;
    add(l, part, scope.target);
  }
  conclude(part, true);
}

static void judge(struct locks *l, struct mck_proof_part *part) {
  const struct mck_event *e = mck_proof_event(l->proof, part);
  struct scope scope;
  if (!get_scope(l->proof, part->rank, e, &scope)) return;
  if (is_operation(e) || !mck_std_is_lock(e->fn)) {
    judge_using(l, part, e, scope);
    return;
  }
  for (size_t i = 0; i < l->count; i++) {
    const struct epoch *own = &l->epochs[i];
    if (own->owner != part->rank || own->stage != ASKS) continue;
    if (own->key != scope.key || own->target != scope.target) continue;
    judge_asking(l, part, own);
    return;
  }
}

static bool is_ours(const struct mck_proof *proof, const struct mck_proof_part *part) {
  struct scope scope;
  return part->is_hit && !part->polled && part->event != MCK_NONE && part->verdict == MCK_PROOF_MAY_COMPLETE &&
         get_scope(proof, part->rank, mck_proof_event(proof, part), &scope);
}

// All locks of the rank are in its log, in their order.
static bool holds_locks(const struct mck_reader *log) {
  return log->header && mck_proof_is_whole(log) && !mck_proof_has_threads(log) && !mck_proof_is_cut(log);
}

void mck_proof_judge_locks(struct mck_proof *proof) {
  struct locks l = {.proof = proof};
  bool is_there = false;
  for (size_t i = 0; i < proof->nparts && !is_there; i++) is_there = is_ours(proof, &proof->parts[i]);
  if (!is_there) return;
  for (uint32_t r = 0; r < proof->size && !l.is_unknown; r++) {
    if (holds_locks(&proof->logs[r])) read_log(&l, r);
    else l.is_unknown = true;
  }
  for (size_t i = 0; i < proof->nparts && !l.is_unknown; i++)
    if (is_ours(proof, &proof->parts[i])) judge(&l, &proof->parts[i]);
  free(l.epochs);
}

uint32_t mck_proof_lock_of(struct mck_proof *proof, const struct mck_proof_part *part, uint32_t q) {
  struct locks l = {.proof = proof};
  struct scope scope;
  uint32_t found = MCK_NONE;
  if (part->event == MCK_NONE || part->polled || q == part->rank || !holds_locks(&proof->logs[q]) ||
      !holds_locks(&proof->logs[part->rank]) || !get_scope(proof, part->rank, mck_proof_event(proof, part), &scope))
    return MCK_NONE;
  read_log(&l, part->rank);
  read_log(&l, q);
  for (size_t i = 0; i < l.count && !l.is_unknown; i++)
    for (size_t k = 0; k < l.count; k++) {
      const struct epoch *own = &l.epochs[i], *other = &l.epochs[k];
      bool is_waiting = own->owner == part->rank && own->stage != ELSEWHERE && overlap(own, scope.key, scope.target);
      if (is_waiting && other->owner == q && other->stage != ASKS && conflict(own, other)) found = other->event;
    }
  free(l.epochs);
  return found;
}
