// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One-sided communication: what the window memory of each process must hold, byte by byte, along the walk of room rma.
// Private to the room.
//
//   window-flow.c     the walk: accesses and looks, with what is known of their bytes
//   window-state.c    what a byte must hold: the last known value, and the operations on it that nothing orders
//   window-value.c    the value that accumulates make, and what they may fetch
//   window-finding.c  what differed
#pragma once
#include "flow/flow-run.h"
#include "flow/operation.h"
#include "rma/rma-walk.h"

enum mck_window_kind {
  MCK_WINDOW_PUT,   // bytes that are known, or not (taken NULL)
  MCK_WINDOW_ADD,   // an accumulate whose operation can be computed
  MCK_WINDOW_SWAP,  // MPI_Compare_and_swap
  MCK_WINDOW_STORE, // bytes that are not known
  MCK_WINDOW_READ,  // a get, or an accumulate with MPI_NO_OP
  MCK_WINDOW_LOOK,  // the owner's own look at the window
};
// An access that the bytes have had and that no later one is known to follow.
struct mck_window_record {
  uint32_t next, log;
  enum mck_window_kind kind;
  struct mck_rma_access at;
  // Of a byte at an address: taken[address + shift] is what the operation brought to it, brought[...] what it fetched.
  // NULL: not known.
  const uint8_t *taken, *brought, *compared;
  uint64_t shift;
  uint64_t begin; // of the piece
  struct mck_flow_operation op;
  bool is_sealed; // of an accumulate: a later one has to follow it
};
// Of an interval. is_known: the bytes hold the value of the base, with all records of kind ADD done to it.
struct mck_window_state {
  uint32_t first;
  bool is_known;
};
struct mck_window_part { // of a window, in the memory of one process
  uint32_t log, win;
  bool is_off;    // nothing is said of it
  bool is_looked; // the owner has looked at it
  uint64_t low, size;
  uint8_t *base, *seen; // as far as known; at the last look
  struct mck_intervals intervals;
  struct mck_window_range {
    uint64_t low, high;
  } *dirty; // written since the last look
  size_t ndirty, dirty_capacity;
};
struct mck_window_suspect { // bytes that were read, and are not what was written last
  uint32_t part;
  uint64_t low, high;
  struct mck_window_record read, writer;
  uint64_t found; // what was brought is at this address instead; 0: it is not
  bool is_over;   // something else may have written there meanwhile
  bool is_said;
  bool is_value; // the text has values, not bytes
  char expected[96], came[96];
};
struct mck_window_flow {
  struct mck_flow_run *run;
  struct mck_walk *walk;
  struct mck_window_part *parts;
  size_t nparts, parts_capacity;
  struct mck_window_state *states;
  size_t nstates, states_capacity;
  struct mck_window_record *records;
  size_t nrecords, records_capacity;
  uint32_t free_record; // list of free ones; MCK_NONE: none
  struct mck_window_suspect *suspects;
  size_t nsuspects, suspects_capacity;
  // The access at hand.
  uint32_t part;
  struct mck_window_record now;
  uint64_t packed, length; // of its bytes so far; of what it took or brought
};

// window-state.c: the access at hand touches [low, high) of its part. false: out of memory.
bool mck_window_touch(struct mck_window_flow *f, uint64_t low, uint64_t high);
// window-value.c: the records of a state, all of them in order before now.
bool mck_window_holds(struct mck_window_flow *f, const struct mck_window_state *s, uint64_t low, uint64_t high,
                      const uint8_t *bytes, struct mck_window_suspect *text);
// The values become the base; false: there is not one value.
bool mck_window_fold(struct mck_window_flow *f, const struct mck_window_state *s, uint64_t low, uint64_t high);
// Have the operations fetched values that some order of them makes? Else the record that has not.
uint32_t mck_window_misfetched(struct mck_window_flow *f, const struct mck_window_state *s, uint64_t low, uint64_t high,
                               const uint8_t *bytes, struct mck_window_suspect *text);
// window-finding.c
void mck_window_suspect(struct mck_window_flow *f, const struct mck_window_suspect *suspect);
void mck_window_report(struct mck_window_flow *f);

static inline struct mck_window_part *mck_window_part(struct mck_window_flow *f) { return &f->parts[f->part]; }
static inline uint8_t *mck_window_base(struct mck_window_flow *f, uint64_t address) {
  return mck_window_part(f)->base + (address - mck_window_part(f)->low);
}
