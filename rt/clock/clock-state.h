// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the walk leaves of the clocks (clock.c), for who asks afterwards (late-message.c).
#pragma once
#include "base/hash-table.h"
#include "clock/clock.h"

struct mck_clock_pending { // receives that were pending when a wildcard was posted; n MCK_NONE: too many
  uint32_t first, n;       // in the pool
};
struct mck_clock_witness {
  uint32_t component, value, next;
};
struct mck_clock_log {
  uint32_t component; // MCK_NONE: none
  uint32_t *clock;    // ncomponents; as it is now
  uint32_t latest;    // its stamp, MCK_NONE: it has changed since
  uint32_t *stamps;   // [index]: the clock when this call was entered; of receives only if keeps_receives
  uint32_t *heard;    // [other log]: its stamps below this number bring nothing new; NULL: too many logs
  // Of owners of wildcards only.
  bool is_owner, is_full;            // is_full: MPI_ANY_TAG
  bool is_undecided;                 // a wildcard receive that never got its match
  uint32_t *values;                  // Lamport: [index of a receive]: the clock when it was complete
  bool *is_complete;                 // is_full: [index of a receive]
  uint64_t oldest_pending;           // all before it is complete, or no receive
  uint32_t *matched;                 // is_full: [index of a receive]: the stamp of its match
  struct mck_clock_pending *pending; // is_full: [number of a wildcard]
  bool is_mixed;                     // wildcards differ in communicator, source or tag, or are probes
  const struct mck_event *first;     // of the wildcards
  struct mck_clock_wild *wilds;
  // [number of a wildcard] The highest of the values up to this one; NULL: not asked for yet (wildcard-result.c). The
  // first of its witnesses, senders of synchronous messages that are complete (Cypher and Leu, type D clocks): it has
  // matched before a clock that is above one of theirs; MCK_NONE, or NULL for all: none.
  uint32_t *highest, *witness;
  size_t nwilds, wilds_capacity;
  uint32_t cut; // mck_order_cut
};
struct mck_clock {
  const struct mck_reader *logs;
  size_t n;
  const struct mck_pairs *pairs;
  enum mck_clock_kind kind;
  const struct mck_clock_sink *sink;
  struct mck_clock_counts *counts;
  uint32_t ncomponents;
  struct mck_clock_log *by_log;
  void *large;      // stamps and wildcards of all logs
  uint32_t *stamps; // ncomponents each
  size_t nstamps, stamps_capacity;
  struct mck_clock_witness *witnesses;
  size_t nwitnesses, witnesses_capacity;
  uint32_t *pool;
  size_t npool, pool_capacity;
  bool keeps_receives;       // somebody will ask for the stamps of receives
  struct mck_table meetings; // stamps of meetings that wait for all
  struct {
    uint64_t id;
    uint32_t stamp;
  } *meeting_stamps;
  size_t nmeetings, meetings_capacity;
  uint32_t *scratch; // ncomponents
  bool is_short;
};

static inline const uint32_t *mck_clock_stamp(const struct mck_clock *c, uint32_t stamp) {
  return c->stamps + (size_t)stamp * c->ncomponents;
}
static inline uint32_t mck_clock_witness_of(const struct mck_clock_log *log, size_t wild) {
  return log->witness ? log->witness[wild] : MCK_NONE;
}
struct mck_clock_wild *mck_clock_find_wild(const struct mck_clock_log *log, uint32_t index); // NULL: none
void mck_clock_post(struct mck_clock *c, uint32_t log, uint32_t index); // a receive or probe of an owner is entered
void mck_clock_complete_meeting(struct mck_clock *c, uint32_t log, const struct mck_order_done *done);
// blocking-stretch.c: what is simple, on the walk (order/order.h).
void mck_clock_stretch(void *clock, struct mck_order_stretch *stretch);
// wildcard-result.c, after the walk.
bool mck_clock_find_highest(struct mck_clock_log *log); // false: out of memory
void mck_clock_tell_wilds(struct mck_clock *c);
// late-message.c, after the walk.
void mck_clock_tell_late(struct mck_clock *c);
