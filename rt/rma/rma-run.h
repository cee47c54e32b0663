// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of this room share: windows of all ranks, operations with the place of their completion.
#pragma once
#include "base/hash-table.h"
#include "rma/attachment.h"
#include "rma/basic-type.h"
#include "rma/rma.h"

enum mck_rma_lock { MCK_RMA_UNLOCKED, MCK_RMA_EXCLUSIVE, MCK_RMA_SHARED }; // as MPI_LOCK_*, in Open MPI 1 and 2

struct mck_rma_op { // an operation, in the order of its log
  uint32_t event;
  uint32_t over;           // complete at its origin with this event of its log; MCK_NONE: never
  uint32_t done_log, done; // complete at its target with this event of that log; done MCK_NONE: never
  uint8_t lock;            // enum mck_rma_lock: of the target
  bool is_exposed;         // ... with the target's wait
};
struct mck_rma_member {
  uint32_t log, win;
}; // log MCK_NONE: no such log
struct mck_rma_window {
  uint64_t key;
  bool is_judged;   // by this room
  bool is_doubtful; // a call did not fit its epochs: nothing is said of it
  uint32_t size;
  struct mck_rma_member *members; // by rank in the window's group
};
struct mck_rma_link {
  uint32_t at, log, index;
}; // the event at waits for that one of another log
// Something that takes part in an order which no log tells (possible-order.c): a lock epoch, or an atomic operation.
struct mck_rma_turn {
  uint64_t thing;            // what it is about: equal where one may come before the other
  uint32_t log, owner;       // owner: log of whose memory it is
  uint32_t enter, begin;     // events: it is entered; behind it we have heard of those who came before
  uint32_t end, told;        // it is over; what we did before this one is what others may hear
  bool is_giving, is_taking; // others may hear of us; we of others
  bool is_exclusive, is_lock;
};
struct mck_rma_log {
  const struct mck_reader *reader;
  uint32_t *window_of; // by the log's id of the window: number, MCK_NONE: unknown
  struct mck_rma_op *ops;
  size_t nops, ops_capacity;
  struct mck_rma_link *links;
  size_t nlinks, links_capacity; // by at
  struct mck_spells *spells;     // by the log's id of the window: what was attached; made when it is asked for
};
struct mck_rma_run {
  const struct mck_reader *readers;
  size_t nlogs;
  const struct mck_pairs *pairs;
  unsigned doubts;
  bool is_cut;      // the run goes on: what is not complete is judged when it is
  uint32_t *log_of; // by world rank
  uint32_t nranks;
  struct mck_rma_log *logs;
  struct mck_rma_window *windows;
  size_t nwindows, windows_capacity;
  struct mck_table window_table;
  struct mck_rma_turn *turns;
  size_t nturns, turns_capacity; // by log and enter, once scanned
  bool *is_coarse;               // by log: atomic operations on its memory are told apart by nothing
  struct mck_findings *findings;
  bool has_polling; // some loads or stores are made to meet others (mck_rma_is_polling)
  bool is_short;    // out of memory
  // open-operations.c: of one log, the synchronizations that opened what is still open at its end; is_exposed: a start
  // or a post is among them.
  bool is_asking, is_exposed;
  uint32_t *open;
  size_t nopen, open_capacity;
};

// window-table.c
void mck_rma_find_windows(struct mck_rma_run *run, uint32_t log);
// operation-completion.c
bool mck_rma_scan(struct mck_rma_run *run); // false: out of memory
void mck_rma_run_free(struct mck_rma_run *run);
static inline const struct mck_win_def *mck_rma_win(const struct mck_reader *r, uint32_t id) {
  return id < r->nwins && r->wins[id].body ? &r->wins[id] : NULL;
}
// The window of an event of a log that is judged here, NULL: none.
struct mck_rma_window *mck_rma_window_of(const struct mck_rma_run *run, uint32_t log, uint32_t id);
// Its owner's definition of the window, NULL: not there. owner: number of its log.
const struct mck_win_def *mck_rma_target(const struct mck_rma_run *run, const struct mck_rma_window *w, int32_t rank,
                                         uint32_t *owner);
bool mck_rma_is_fetching(const struct mck_event *e); // it brings something back from the target
// The operation that an ACCESS is a buffer of, NULL: none. first: of the log's operations, the first that is not before
// the ACCESS.
const struct mck_rma_op *mck_rma_lender(const struct mck_rma_log *log, uint32_t index, size_t first);
// The rank in the window's group whose memory an ACCESS is about, -1: not known.
int32_t mck_rma_owner(const struct mck_rma_run *run, uint32_t log, const struct mck_event *e);
// A load or store (ACCESS) that is made to meet what others do: atomic, volatile, or a load in a loop over
// MPI_Win_sync.
bool mck_rma_is_polling(const struct mck_reader *r, uint64_t index);
// Of a dynamic window's part in a log; empty: nothing was attached, or out of memory (is_short).
const struct mck_spells *mck_rma_spells(struct mck_rma_run *run, uint32_t log, uint32_t win);
bool mck_rma_is_update(const struct mck_event *e); // it changes the target

// exposure.c: which post a start meets, which complete a wait (MPI-3.1 11.5.2)
struct mck_rma_exposure {
  uint32_t window, log, open, close, first, n;
  bool is_post;
}; // ranks[first, first + n)
struct mck_rma_exposures {
  struct mck_rma_exposure *items;
  size_t count, capacity;
  int32_t *ranks;
  size_t nranks, ranks_capacity;
};
bool mck_rma_link(struct mck_rma_run *run, const struct mck_rma_exposures *exposures);

// footprint.c: the bytes of the owner's memory that an operation touches, piece by piece. false: not known, or too
// many.
typedef bool mck_rma_visit_piece(void *context, uint64_t low, uint64_t high);
bool mck_rma_footprint(const struct mck_reader *from, const struct mck_event *e, const struct mck_win_def *target,
                       mck_rma_visit_piece *visit, void *context);
static inline uint32_t mck_rma_basic(const struct mck_reader *from, uint32_t type) {
  return mck_rma_basic_of(from->types, from->ntypes, type);
}
