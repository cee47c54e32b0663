// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order: one walk through the logs of all ranks that respects everything that must come before something else: the
// order of a log, a send before what its receive's completion tells, the entry of others into a collective before what
// its data flow makes wait for them. A function over an array of readers; knows no MPI, no findings. Used by view (time
// line), clock (lazy clocks) and the other judges of a whole run (judge/whole/whole.h).
//
// The log has no clock, and must not: nothing on the way of a message may read one. So each event gets a Lamport time
// (Lamport 1978) from what must come before it. Lengths mean nothing.
//
// Each log is walked as far as it goes; what waits for another log's event is resumed when that is reached. Linear in
// events. What an event waits for may never come: in a log that is not whole, when threads make calls in an order that
// the log does not have, or when the sink says that sends wait for receives that come too late. Then the earliest log
// is let go without it, and totals.left_out counts the edge that is missing: who must not be wrong says nothing then.
#pragma once
#include "order/pairs.h"
#include "standard/collective.h"

struct mck_point {
  uint32_t log, index;
  uint64_t time;
};
enum mck_arrow { MCK_ARROW_MESSAGE, MCK_ARROW_COLLECTIVE };

struct mck_order_member {
  uint32_t log, rank; // rank: in its own group
};
// The n-th collective of a communicator, or fence of a window. entries: by member, MCK_NONE: not entered.
struct mck_meeting {
  uint64_t id; // unique in the walk
  const struct mck_order_member *members;
  const uint32_t *entries;
  size_t n;
};

// An operation that is complete at this point of its own log, and what that tells.
struct mck_order_done {
  uint32_t op;          // the event that started it; the one at hand if it blocks
  struct mck_pair with; // SEND, RECV, MPROBE, PROBE: the other side, which has been entered; log MCK_NONE: none, or not
                        // known
  // RECV, MPROBE, PROBE, and SEND that waited for its receive: receives of the receiving log, posted before the one of
  // this message and not known to be complete when it was posted, that have their match before it had
  // (non-overtaking.h). Their sends have been entered. Nearest first.
  const uint32_t *before;
  size_t nbefore;
  const struct mck_meeting *meeting; // COLL, FENCE: or NULL
  enum mck_std_needs needs;
  struct mck_meet *meet; // the walk's, for mck_order_is_needed
  uint32_t log;
};
// Is the member in this place of done->meeting one whose entry must have come before? Never the log itself.
bool mck_order_is_needed(const struct mck_order_done *done, size_t member);
// What a log waits for, when nobody can go on.
struct mck_order_wait {
  uint32_t log, at, op; // log: number; at: the event at hand; op: what it waits to complete
  bool is_meeting;
  struct mck_pair of; // the event of another log that was not reached; of a meeting: its number
};

// Messages that are sent, or received by blocking calls, with nothing else pending: most of most logs. A sink with
// clocks of its own goes over them by itself, without being told of each.
struct mck_order_stretch {
  uint32_t log;
  uint64_t at, end;     // from this event on, up to that one; at: to be moved on to the first that is not done
  uint64_t *reached;    // [log]: what is before has been entered; the sink's own is moved on with at
  bool is_entered;      // the event at hand is entered, and was left since its message was not sent yet
  struct mck_pair with; // that message
};
// Is it one of them? Its message must be known, if it is received.
static inline bool mck_order_is_simple(const struct mck_event *e) {
  if (e->kind == MCK_EV_SEND) return !(e->flags & MCK_FLAG_PART) && (e->flags & MCK_MODE_MASK) != MCK_FLAG_SYNC;
  return e->kind == MCK_EV_RECV && !(e->flags & (MCK_FLAG_NONBLOCKING | MCK_FLAG_PART | MCK_FLAG_CANCELLED));
}

// Called log by log in the order of each log, times never going back within one. Only enter and leave must be there.
struct mck_order_sink {
  void *context;
  void (*enter)(void *context, struct mck_point at);
  // For drawing. After enter and before leave of to, from.time < to.time; one per message, and one per member of a
  // collective.
  void (*arrow)(void *context, enum mck_arrow kind, struct mck_point from, struct mck_point to);
  void (*leave)(void *context, struct mck_point at, bool is_finished); // false: the log ends within this call
  // Before leave: each operation that is complete then. With this, receives that overtake are followed, too.
  void (*complete)(void *context, struct mck_point at, const struct mck_order_done *done);
  // Does this send wait for its receive? NULL: synchronous ones do (MPI-3.1 3.4).
  bool (*is_synchronous)(void *context, uint32_t log, uint32_t index);
  // What the end of a SYNC event waits for beside its own log: the k-th event of another one. NULL: nothing.
  bool (*also)(void *context, uint32_t log, uint32_t index, uint32_t k, struct mck_pair *of);
  // Nothing is asked of times, nor arrow. With complete, and without is_synchronous.
  bool is_plain;
  // With is_plain, or NULL: as far as it goes; neither enter nor complete is called then, and nothing is counted.
  void (*stretch)(void *context, struct mck_order_stretch *stretch);
  // Nobody can go on; waits: of each log that is not at its end. false: stop here. NULL: go on without.
  bool (*stuck)(void *context, const struct mck_order_wait *waits, size_t n);
};
// What the walk cannot know. Threads: several called MPI. Unseen: messages passed us by. Incomplete: a log is missing,
// damaged, or recording stopped. Undecided: matches behind a wildcard receive that never got its own. Recycled: what
// came before the last cut is not there (judge/cut/cut.h).
enum mck_order_doubt {
  MCK_DOUBT_THREADS = 1,
  MCK_DOUBT_UNSEEN = 2,
  MCK_DOUBT_INCOMPLETE = 4,
  MCK_DOUBT_UNDECIDED = 8,
  MCK_DOUBT_RECYCLED = 16,
};
struct mck_order_totals {
  uint64_t events, messages, collectives, left_out;
  unsigned doubts;
  bool is_stopped;
};
// pairs: made of the same logs (mck_pairs_make). false: out of memory.
bool mck_order_walk(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs,
                    const struct mck_order_sink *sink, struct mck_order_totals *totals);
unsigned mck_order_doubts(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs);
// Does the walk give this event an enter and a leave?
static inline bool mck_order_is_call(const struct mck_event *e) {
  return (e->kind > MCK_EV_PAD && e->kind <= MCK_EV_CALL) || e->kind == MCK_EV_WAIT || e->kind == MCK_EV_DONE ||
         e->kind == MCK_EV_ATTACH;
}
// The last event of a recycled log that is older than its last cut, MCK_NONE: not recycled. It is a CALL, the same on
// all ranks: everybody had entered it before anybody went on (judge/cut/cut.h).
uint32_t mck_order_cut(const struct mck_reader *log);
