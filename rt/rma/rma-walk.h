// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of the walk. known-events.c: what a rank gets to know; window-access.c: which events access which bytes;
// completed-before.c: what is on record for these bytes; rma-judge.c: the whole.
#pragma once
#include "rma/access-intervals.h"
#include "rma/access-order.h"
#include "rma/completed-before.h"

struct mck_rma_access {
  uint32_t next; // in the list of an interval
  uint32_t event, done_log, done, class;
  bool may_know_all; // its rank had learned something that no log has
  uint8_t position;  // of an accumulate: mck_access_position
};
struct mck_walk_sync { // a synchronization of a shared window by a log
  uint32_t event;
  bool is_locked; // behind it a passive target epoch is open
};
struct mck_walk_syncs { // of one window
  struct mck_walk_sync *items;
  size_t count, capacity;
  uint32_t nlocks;         // that are held
  struct mck_clock *heard; // behind the last one; NULL: none
};
struct mck_walk_end {       // an operation is complete with this event, too
  uint32_t event, previous; // previous: of the same operation; MCK_NONE: none
  bool is_at_target;
};
struct mck_walk_log {
  struct mck_clock *clock;           // of a log with strands: of the strand whose piece the walk is in
  const struct mck_strands *strands; // NULL: the log is one strand
  struct mck_clock **of_strand;      // [strand]: now
  struct mck_clock **of_piece;       // [piece]: at its end
  size_t unsure;                     // the next one
  struct mck_walk_end *ends;         // of operations, by calls of other strands
  size_t nends, ends_capacity;
  uint32_t *end_of;             // [operation]: the last of its ends; MCK_NONE: none
  uint32_t piece, *last;        // last: [strand]: its last piece that is over; MCK_NONE: none
  struct mck_clock **sent;      // by event: the clock that others learn from it
  size_t op, section, link;     // the next ones
  uint32_t cut;                 // mck_order_cut
  uint32_t met;                 // the last call that met others and is no collective of a communicator; MCK_NONE: none
  uint8_t **locks;              // by window and target: this rank's lock (enum mck_conflict_lock); NULL: none so far
  uint32_t **locked;            // the same: the event of that lock; only in a log with strands
  struct mck_walk_syncs *syncs; // by number of the window; NULL: of no shared one (missing-sync.c)
  bool has_atomic;              // it made an atomic access to window memory
};
struct mck_walk_lock {              // the last lock epoch of a log on a target
  uint32_t log, target, begin, end; // end MCK_NONE: it is open
  bool is_exclusive, is_unchecked;
};
struct mck_walk_held {
  struct mck_walk_lock *items;
  size_t count, capacity;
};
struct mck_walk_instance { // of a collective
  uint64_t id;
  struct mck_clock *joined;
  uint32_t number;
};
struct mck_walk_cover { // of two classes: mck_conflict_covers
  uint32_t a, b;
  bool is_known, is_covered;
};
struct mck_walk {
  struct mck_rma_run *run;
  struct mck_rma_found found;
  struct mck_possible_order possible;
  struct mck_walk_log *logs;
  uint32_t *component; // by log; MCK_NONE: it has none, or one for each strand
  uint32_t *strands;   // by log: the component of its first strand; MCK_NONE: it is one strand
  uint32_t ncomponents;
  struct mck_intervals *intervals; // by owner
  struct mck_rma_access *accesses;
  size_t naccesses, accesses_capacity;
  uint32_t spare;      // list of free accesses
  uint32_t last_class; // mostly the next access is of the same one
  struct mck_table class_table, pair_table, beyond_table, freed_table, unsynced_table, instance_table;
  struct mck_walk_instance *instances;
  size_t ninstances, instances_capacity;
  struct mck_walk_cover cover; // the last two that were asked for
  // The access at hand.
  struct mck_rma_access at;
  uint64_t element;      // of an accumulate: bytes of an element, 0: not known
  uint32_t owner, known; // known: the last event of the owner's log that is known to be over
  const struct mck_win_def *win;
  struct mck_walk_held *held; // by window, where a lock has MPI_MODE_NOCHECK (untrue-order.c)
  bool is_beyond;             // that it is beyond the window was noted
  bool is_sync_asked; // a load in a shared window: whether MPI_Win_sync comes between a store and it is to be looked at
  bool is_whole;      // not its bytes, but all of the window in the separate model
  const struct mck_rma_observer *observer; // or NULL
};

static inline bool mck_walk_is_short(const struct mck_walk *w) { return w->run->is_short; }
// Do collectives that may wait count as barriers? Order that is not there hides races. But who looks for what must have
// arrived needs order that is there.
static inline bool mck_walk_has_barriers(const struct mck_walk *w) {
  return !w->observer || (w->observer->is_of_files && !w->observer->has_weak_files);
}
static inline void mck_walk_fail(struct mck_walk *w) { w->run->is_short = true; }

// The component of the strand, or log, that an event belongs to.
static inline uint32_t mck_walk_component(const struct mck_walk *w, uint32_t log, uint32_t event) {
  if (MCK_LIKELY(w->strands[log] == MCK_NONE)) return w->component[log];
  return w->strands[log] + mck_strands_of(w->logs[log].strands, event);
}
// Is an event of a log one of the strand that the walk is in there?
static inline bool mck_walk_is_own(const struct mck_walk *w, uint32_t log, uint32_t event) {
  const struct mck_walk_log *l = &w->logs[log];
  return !l->strands || mck_strands_of(l->strands, event) == l->strands->pieces[l->piece].strand;
}

// strand-clock.c
bool mck_walk_open_strands(struct mck_walk *w, uint32_t log); // false: out of memory
void mck_walk_close_strands(struct mck_walk_log *log);
void mck_walk_follow_strand(struct mck_walk *w, struct mck_point at); // the walk enters this event
// An access of a log with strands: does the access at hand, of this log, know an end of it by another strand?
bool mck_walk_knows_end(const struct mck_walk *w, const struct mck_rma_access *access, uint32_t log);

// known-events.c
// From here on this rank may know everything.
void mck_walk_assume_all(struct mck_walk *w, uint32_t log);
// Keeps the clock that others may learn from this event.
void mck_walk_keep_clock(struct mck_walk *w, struct mck_point at, const struct mck_event *e);
// Calls of which the log says no more than that they were made: MPI_Comm_create_group, collectives over files; and
// those that open another world.
bool mck_walk_is_unknown(const struct mck_reader *r, const struct mck_event *e);
void mck_walk_complete(void *context, struct mck_point at, const struct mck_order_done *done); // of the sink
bool mck_walk_also(void *context, uint32_t log, uint32_t index, uint32_t k, struct mck_pair *of);

// window-access.c: an event that is, or may be, an access to a window, or a lock.
void mck_walk_access(struct mck_walk *w, struct mck_point at, const struct mck_event *e);

// untrue-order.c: a lock, unlock or start is entered.
void mck_walk_assert(struct mck_walk *w, struct mck_point at, const struct mck_event *e);
void mck_untrue_report(struct mck_rma_run *run, struct mck_possible_order *possible);

// untrue-fence.c: once the operations are known
void mck_untrue_find_fences(struct mck_rma_run *run);

// missing-sync.c: an event is entered, or left
void mck_sync_enter(struct mck_walk *w, struct mck_point at, const struct mck_event *e);
void mck_sync_leave(struct mck_walk *w, struct mck_point at, const struct mck_event *e);
void mck_sync_close(struct mck_walk *w, struct mck_walk_log *l);
// Must MPI_Win_sync come between stores of others and this access?
bool mck_sync_is_asked(const struct mck_walk *w, const struct mck_access_class *b, uint32_t event);
// The access at hand is such a load, and comes after a store of another rank. Notes it if none comes between.
void mck_sync_check(struct mck_walk *w, const struct mck_rma_access *store, uint64_t low, uint64_t high);
void mck_sync_report(struct mck_walk *w);

// completed-before.c
// The access at hand, of this log, and one that the walk has come to before. NONE, POSSIBLE: that one may be under way.
enum mck_access_order mck_walk_order(const struct mck_walk *w, const struct mck_rma_access *earlier, uint32_t log);
uint32_t mck_walk_find_class(struct mck_walk *w, const struct mck_access_class *class);
// The access at hand touches these bytes of its owner. false: out of memory.
bool mck_walk_touch(struct mck_walk *w, uint64_t low, uint64_t high);
// In the separate model a store conflicts with an update of the window wherever both are: in a byte of no memory, one
// for each window.
void mck_walk_touch_window(struct mck_walk *w, uint32_t window);
