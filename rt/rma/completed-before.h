// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the walk leaves for the report: pairs of accesses that no clock orders.
#pragma once
#include "rma/possible-order.h"

struct mck_rma_occurrence {  // of a pair: two accesses
  uint32_t event_a, event_b; // b came later in the walk
  uint32_t done_log_a, done_a, done_log_b, done_b;
  uint32_t known;      // b's rank knew of the log where a is complete: its events before this one
  uint32_t known_of_a; // ... of a's own log
  uint64_t low, high;
};
enum { MCK_RMA_OCCURRENCES = 8 };
struct mck_rma_pair {   // of access classes
  uint32_t a, b, owner; // owner: log of whose memory
  uint32_t count, noccurrences;
  enum mck_conflict conflict;
  struct mck_rma_occurrence occurrences[MCK_RMA_OCCURRENCES];
};
struct mck_rma_beyond { // operations that touch bytes which their target does not have
  uint32_t class, event, owner, count;
  uint32_t known; // the last event of the owner's log that its rank knew of
  uint64_t low, high;
};
struct mck_rma_freed {           // operations that touch memory which their target freed before
  uint32_t a, b, owner;          // classes: of the memory's end, and of the operation
  uint32_t count, event_a, last; // last: the operation that was counted last
  uint64_t low, high;
};
struct mck_rma_unsynced { // loads behind stores of another rank without MPI_Win_sync between them (missing-sync.c)
  uint32_t a, b, owner;   // classes: of the store, and of the load
  uint32_t count, last;   // last: the load that was counted last
  uint32_t event_a, event_b;
  uint32_t sync_b;          // the load's rank synchronized the window last with this event
  bool is_stored, is_heard; // the store's rank synchronized it behind the store, the load's rank before the load
  uint64_t low, high;
};
struct mck_rma_found {
  struct mck_access_class *classes;
  size_t nclasses, classes_capacity;
  struct mck_rma_pair *pairs;
  size_t npairs, pairs_capacity;
  struct mck_rma_beyond *beyond;
  size_t nbeyond, beyond_capacity;
  struct mck_rma_freed *freed;
  size_t nfreed, freed_capacity;
  struct mck_rma_unsynced *unsynced;
  size_t nunsynced, unsynced_capacity;
};
struct mck_walk;
struct mck_rma_access;
// For the judge of files, for the tests (the paper's figures, test-rma-paper), and for mpicc-check explain.
struct mck_rma_observer {
  void *context;
  // The clock of a log behind one of its events; component: by log, MCK_NONE: none.
  void (*left)(void *context, uint32_t log, uint32_t index, const struct mck_clock *clock, const uint32_t *component);
  // Behind event to it is known that whatever came before event from (or that one, too) is over.
  void (*learned)(void *context, uint32_t log, uint32_t from, bool is_included, uint32_t to_log, uint32_t to);
  void (*scanned)(void *context, const struct mck_rma_run *run); // last: where operations are complete
  // For the judge of files (rt/io): logs with accesses to files have a component, and collectives over files count as
  // barriers.
  bool is_of_files;
  bool has_weak_files; // ... but nobody learns anything from them: what is known is certain
  // For the judge of contents (rt/flow): an access of a log to bytes of its owner's memory, instead of all that is said
  // of races, and a look at a window (WINDOW_BYTES), of which walk->at is a load. Windows with fences only, too.
  void (*touched)(void *context, struct mck_walk *walk, uint32_t log, uint64_t low, uint64_t high);
  void (*looked)(void *context, struct mck_walk *walk, uint32_t log, const struct mck_event *e);
};
bool mck_rma_observe(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs,
                     const struct mck_rma_observer *observer);
// fence-epoch.c: does the sweep leave these two accesses of a window with fences only to the walk?
bool mck_epoch_is_left(const struct mck_rma_run *run, const struct mck_access_class *a,
                       const struct mck_access_class *b, const struct mck_rma_occurrence *occurrence);
// freed-memory.c
// b ends what is said of freed memory: it is attached again, or detached.
static inline bool mck_freed_is_over(const struct mck_access_class *a, const struct mck_access_class *b) {
  return b->is_change && !b->end && a->what.process == b->what.process && a->what.window == b->what.window;
}
// The access at hand comes after the end of memory that is on record. Notes it, if it is an operation of another rank.
void mck_freed_touch(struct mck_walk *w, const struct mck_rma_access *end, uint64_t low, uint64_t high);
void mck_freed_report(struct mck_rma_run *run, const struct mck_rma_found *found);
// race-explanation.c
const struct mck_win_def *mck_rma_window_at(const struct mck_rma_run *run, uint32_t window, uint32_t owner);
// The attachment that bytes from low on belonged to at event at of the owner; MCK_NONE: at any time. NULL: none.
const struct mck_attachment *mck_rma_attachment_at(struct mck_rma_run *run, uint32_t owner,
                                                   const struct mck_win_def *win, uint64_t low, uint32_t at);
void mck_rma_report(struct mck_rma_run *run, const struct mck_rma_found *found, struct mck_possible_order *possible);
