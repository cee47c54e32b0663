// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of the clocks: the walk (clock.c) fills it, and late-message.c and wildcard-result.c read it afterwards.
#pragma once
#include "base/hash-table.h"
#include "clock/clock.h"

struct mck_clock_pending { // the receives that were pending when a wildcard was posted; n MCK_NONE: too many
  uint32_t first, n;       // a range of the pool
};
struct mck_clock_witness {
  uint32_t component, value, next;
};
struct mck_clock_log {
  uint32_t component; // MCK_NONE: none
  uint32_t *clock;    // the current clock; ncomponents
  uint32_t latest;    // the stamp of clock; MCK_NONE: it has changed since the last stamp
  uint32_t *stamps;   // [index]: the stamp when this call was entered; for receives only if keeps_receives
  uint32_t *merged;   // [other log]: its stamps below this number bring nothing new; NULL: too many logs
  // The following is for owners of wildcards only.
  bool is_owner, has_any_tag;        // has_any_tag: some receive uses MPI_ANY_TAG
  bool is_undecided;                 // some wildcard receive never got its match
  uint32_t *values;                  // Lamport: [index of a receive]: the clock when it completed
  bool *is_complete;                 // has_any_tag: [index of a receive]
  uint64_t oldest_pending;           // all receives before this event are complete
  uint32_t *matched;                 // has_any_tag: [index of a receive]: the stamp of its match
  struct mck_clock_pending *pending; // has_any_tag: [number of a wildcard]
  bool is_mixed;                     // the wildcards are not all receives from any source with one communicator and tag
  const struct mck_event *first;     // the first wildcard
  struct mck_clock_wildcard *wildcards;
  // [number of a wildcard] highest: the highest of the values up to this one; NULL: not computed yet
  // (wildcard-result.c). witness: the first of its witnesses, which are senders of completed synchronous messages
  // (Cypher and Leu, type D clocks). The wildcard's match comes before any clock that is above one of its witnesses.
  // MCK_NONE, or NULL for all: it has none.
  uint32_t *highest, *witness;
  size_t nwildcards, wildcards_capacity;
  uint32_t cut;       // mck_order_cut
  uint32_t cut_value; // the own component of the clock there
};
// Did it get a message that the first wildcard accepts, if that has any source and one tag?
static inline bool mck_clock_is_alike(const struct mck_clock_log *log, const struct mck_event *e) {
  return MCK_STD_ACCEPTS(log->first->msg.comm, e->msg.comm, true, 0, 0, false, log->first->msg.tag, e->msg.tag);
}
struct mck_clock {
  const struct mck_reader *logs;
  size_t n;
  const struct mck_pairs *pairs;
  enum mck_clock_kind kind;
  const struct mck_clock_sink *sink;
  struct mck_clock_counts *counts;
  uint32_t ncomponents;
  struct mck_clock_log *by_log;
  void *large;      // the memory of the stamps and wildcards of all logs
  uint32_t *stamps; // ncomponents each
  size_t nstamps, stamps_capacity;
  struct mck_clock_witness *witnesses;
  size_t nwitnesses, witnesses_capacity;
  uint32_t *pool;
  size_t npool, pool_capacity;
  bool keeps_receives;       // the stamps of receives are needed
  struct mck_table meetings; // the stamps of the collectives that wait for all members
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
struct mck_clock_wildcard *mck_clock_find_wildcard(const struct mck_clock_log *log, uint32_t index); // NULL: none
void mck_clock_post(struct mck_clock *c, uint32_t log, uint32_t index); // an owner enters a receive or probe
void mck_clock_complete_meeting(struct mck_clock *c, uint32_t log, const struct mck_order_done *done);
// blocking-stretch.c: walks along a stretch (order/order.h).
void mck_clock_stretch(void *clock, struct mck_order_stretch *stretch);
// wildcard-result.c, after the walk.
bool mck_clock_find_highest(struct mck_clock_log *log); // false: out of memory
void mck_clock_report_wildcards(struct mck_clock *c);
// late-message.c, after the walk.
void mck_clock_find_late(struct mck_clock *c);
