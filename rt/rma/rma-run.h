// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of this room share: the windows of all ranks, and operations with the place of their completion.
#pragma once
#include "base/hash-table.h"
#include "rma/access-class.h"
#include "rma/attachment.h"
#include "rma/basic-type.h"
#include "rma/rma.h"

// An operation, or a send, receive or collective with a buffer in window memory. The array is in the order of its log.
struct mck_rma_op {
  uint32_t event;
  uint32_t over;           // it is complete at its origin with this event of its log; MCK_NONE: never
  uint32_t done_log, done; // it is complete at its target with this event of that log; done MCK_NONE: never
  uint8_t lock;            // enum mck_conflict_lock: of the target
  bool is_exposed;         // it is complete with the target's MPI_Win_wait
  bool is_message;         // it is none of a window. over is its own event if nothing in its log completes it; its
                           // buffers are in use until done
};
struct mck_rma_member {
  uint32_t log, win; // log MCK_NONE: there is no such log
};
struct mck_rma_window {
  uint64_t key;
  bool is_judged;   // by the walk
  bool is_fenced;   // synchronized by fences only: judged as far as the sweep leaves it to the walk (fence-epoch.h)
  bool is_doubtful; // a call did not fit its epochs: nothing is said of it
  bool has_unchecked, has_exclusive; // some lock has MPI_MODE_NOCHECK; some lock is exclusive
  uint32_t size;
  struct mck_rma_member *members; // by rank in the window's group
};
struct mck_rma_link { // the event at waits for that one of another log
  uint32_t at, log, index;
};
// A section: a lock epoch or an atomic operation. Sections about one object come one after another, in an order that no
// log has (possible-order.c).
struct mck_rma_section {
  uint64_t object;     // a lock, or the address of an element: equal numbers are the same
  uint32_t log, owner; // owner: log of whose memory it is
  uint32_t enter;      // event: it is entered
  uint32_t acquired;   // behind this event sections that came before are over
  uint32_t heard;      // behind this event the rank may have read what they wrote; MCK_NONE - 1: it reads nothing
  uint32_t end;        // event: it is over
  uint32_t released;   // what the rank did before this event is known to sections that come later
  uint32_t in, out;    // in a log with strands: events of the strand that acquires, and of the one that releases
  bool is_releasing, is_acquiring;
  bool is_exclusive, is_lock;
};
// An assertion that is not true (untrue-order.c): of one place, because of another one.
enum mck_rma_untrue_kind {
  MCK_UNTRUE_NOPUT, // of a post or fence: an operation that writes comes in the epoch that it opens
  MCK_UNTRUE_LONE,  // MPI_MODE_NOCHECK of a start or post: its partner does not give it
  MCK_UNTRUE_START, // of a start: nothing orders the post before it
  MCK_UNTRUE_LOCK   // of a lock: a conflicting one may be held at the same time
};
enum { MCK_RMA_UNTRUE_TIMES = 8 };
struct mck_rma_untrue {
  enum mck_rma_untrue_kind kind;
  uint32_t log, other_log, site, other_site;
  uint32_t count, ntimes, event[MCK_RMA_UNTRUE_TIMES], other[MCK_RMA_UNTRUE_TIMES]; // the first times
  uint32_t last; // the event that it was counted for last
};
// In a log with strands: event at, of another strand than the operation's (a number), completes it, too, if something
// orders the two.
struct mck_rma_unsure {
  uint32_t at, op;
  bool is_at_target;
};
struct mck_rma_log {
  const struct mck_reader *reader;
  uint32_t *window_of; // by the log's id of the window: its number, MCK_NONE: unknown
  struct mck_rma_op *ops;
  size_t nops, ops_capacity;
  struct mck_rma_link *links; // by at
  size_t nlinks, links_capacity;
  struct mck_rma_unsure *unsure; // by at; only in logs with strands
  size_t nunsure, unsure_capacity;
  bool ends_others;                    // something of another log is complete with an event of this one
  struct mck_attachments *attachments; // by the log's id of the window; made when they are asked for
};
struct mck_rma_run {
  const struct mck_reader *readers;
  size_t nlogs;
  const struct mck_pairs *pairs;
  unsigned doubts;
  bool is_cut;      // the run goes on: what is not complete is judged when it is
  bool has_fenced;  // windows with fences only are asked for, too
  uint32_t *log_of; // by world rank
  uint32_t nranks;
  struct mck_rma_log *logs;
  struct mck_rma_window *windows;
  size_t nwindows, windows_capacity;
  struct mck_table window_table;
  struct mck_rma_section *sections; // by log and enter, once scanned
  size_t nsections, sections_capacity;
  struct mck_rma_untrue *untrue;
  size_t nuntrue, untrue_capacity;
  bool *is_coarse; // by log: all atomic operations on its memory are about one object
  struct mck_findings *findings;
  bool has_polling; // some loads or stores are meant to be concurrent with others (mck_rma_is_polling)
  bool is_short;    // out of memory
  // open-operations.c: of one log, the synchronizations that opened what is still open at its end. is_exposed: a start
  // or a post is among them.
  bool is_asking, is_exposed;
  uint32_t *open;
  size_t nopen, open_capacity;
};

// window-table.c
void mck_rma_find_windows(struct mck_rma_run *run, uint32_t log);
// The window of an event of a log that is judged here; NULL: none.
struct mck_rma_window *mck_rma_window_of(const struct mck_rma_run *run, uint32_t log, uint32_t id);
// Its owner's definition of the window; NULL: it is not there. owner: number of its log.
const struct mck_win_def *mck_rma_target(const struct mck_rma_run *run, const struct mck_rma_window *w, int32_t rank,
                                         uint32_t *owner);
// The rank in the window's group whose memory an ACCESS is about; -1: it is not known.
int32_t mck_rma_owner(const struct mck_rma_run *run, uint32_t log, const struct mck_event *e);
// A load or store (ACCESS) that is meant to be concurrent with what others do: atomic, volatile, or a load in a loop
// over MPI_Win_sync.
bool mck_rma_is_polling(const struct mck_reader *r, uint64_t index);
// Of a dynamic window's part in a log. Empty: nothing was attached, or out of memory (is_short).
const struct mck_attachments *mck_rma_attachments(struct mck_rma_run *run, uint32_t log, uint32_t win);
// The strands of a log; NULL: it is one strand.
static inline const struct mck_strands *mck_rma_strands(const struct mck_rma_run *run, uint32_t log) {
  const struct mck_strands *s = run->pairs ? &run->pairs->strands[log] : NULL;
  return s && s->npieces ? s : NULL;
}
static inline const struct mck_win_def *mck_rma_win(const struct mck_reader *r, uint32_t id) {
  return id < r->nwins && r->wins[id].body ? &r->wins[id] : NULL;
}

// operation-completion.c
bool mck_rma_scan(struct mck_rma_run *run); // false: out of memory
void mck_rma_run_free(struct mck_rma_run *run);
// message-completion.c: what no call of its log completes
void mck_rma_end_messages(struct mck_rma_run *run);
bool mck_rma_is_fetching(const struct mck_event *e); // it brings something back from the target
bool mck_rma_is_update(const struct mck_event *e);   // it changes the target
// The operation that was started with this event; NULL: none.
struct mck_rma_op *mck_rma_op_at(const struct mck_rma_log *log, uint32_t event);
// The operation that an ACCESS is a buffer of; NULL: none. first: of the log's operations, the first that is not before
// the ACCESS.
const struct mck_rma_op *mck_rma_op_of_buffer(const struct mck_rma_log *log, uint32_t index, size_t first);

// exposure.c: which post belongs to a start, and which complete to a wait (MPI-3.1 11.5.2)
struct mck_rma_exposure {
  uint32_t window, log, open, close, first, n; // the group is ranks[first, first + n)
  bool is_post;
};
struct mck_rma_exposures {
  struct mck_rma_exposure *items;
  size_t count, capacity;
  int32_t *ranks;
  size_t nranks, ranks_capacity;
};
bool mck_rma_link(struct mck_rma_run *run, const struct mck_rma_exposures *exposures);

// untrue-order.c
void mck_untrue_add(struct mck_rma_run *run, enum mck_rma_untrue_kind kind, uint32_t log, uint32_t event,
                    uint32_t other_log, uint32_t other);

// footprint.c: the bytes of the owner's memory that an operation touches, piece by piece. false: they are not known, or
// too many.
typedef bool mck_rma_visit_piece(void *context, uint64_t low, uint64_t high);
bool mck_rma_footprint(const struct mck_reader *from, const struct mck_event *e, const struct mck_win_def *target,
                       mck_rma_visit_piece *visit, void *context);
static inline uint32_t mck_rma_basic(const struct mck_reader *from, uint32_t type) {
  return mck_rma_basic_of(from->types, from->ntypes, type);
}
