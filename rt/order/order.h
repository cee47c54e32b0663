// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order: a walk through the logs of all ranks that respects every order that must hold: the order of each log, a send
// before the completion of its receive, the entries into a collective before the exits that need their data. It is a
// function over an array of readers, and knows neither MPI nor findings. The rooms view (time line) and clock (lazy
// clocks) use it, and the other judges of a whole run (judge/whole/whole.h).
//
// A log has no time stamps: to read a clock for each message would cost too much. So each event gets a Lamport time
// (Lamport 1978) from the events that must come before it. Differences of times mean nothing.
//
// Each log is walked as far as possible. A log that waits for an event of another log is resumed when that is reached.
// The work is linear in the events. The event that a log waits for may never come: in a log that is not whole, when
// threads make calls in an order that the log does not have, or when the sink makes sends wait for receives that come
// too late. Then the earliest log goes on without it, and totals.left_out counts the missing edge. A judge that must
// not be wrong then says nothing.
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
  uint64_t id; // it is unique in the walk
  const struct mck_order_member *members;
  const uint32_t *entries;
  size_t n;
};

// An operation that is complete at this point of its own log, and what follows from it.
struct mck_order_done {
  uint32_t op;          // the event that started it; the current event if it blocks
  struct mck_pair with; // SEND, RECV, MPROBE, PROBE: the other side, which has been entered; log MCK_NONE: none, or
                        // unknown
  // RECV, MPROBE, PROBE, and SEND that waited for its receive: receives of the receiving log that must have matched
  // earlier (non-overtaking.h). They were posted before this receive, and were not known to be complete then. Their
  // sends have been entered. Nearest first.
  const uint32_t *before;
  size_t nbefore;
  const struct mck_meeting *meeting; // COLL, FENCE: or NULL
  enum mck_std_needs needs;
  struct mck_meetings *meetings; // of the walk, for mck_order_is_needed
  uint32_t log;
};
// Must the entry of the member in this place of done->meeting have come before? False for the log itself.
bool mck_order_is_needed(const struct mck_order_done *done, size_t member);
// What a log waits for, when no log can go on.
struct mck_order_wait {
  uint32_t log, at, op; // log: its number; at: its current event; op: the operation that it waits to complete
  bool is_meeting;
  struct mck_pair of; // the event of another log that was not reached; the number of a meeting
};

// A stretch: sends, and blocking receives, with nothing else pending. It is most of most logs. A sink with clocks of
// its own goes over a stretch by itself, without a call for each event.
struct mck_order_stretch {
  uint32_t log;
  uint64_t at, end;     // from this event up to that one; the sink moves at on to the first event that is not done
  uint64_t *reached;    // [log]: events before it have been entered; the sink moves its own on with at
  bool is_entered;      // the current event was entered, but its message was not sent yet
  struct mck_pair with; // the message that it waits for
};
// Does the event belong to a stretch? The message of a receive must be known.
static inline bool mck_order_is_simple(const struct mck_event *e) {
  if (e->kind == MCK_EV_SEND) return !(e->flags & MCK_FLAG_PART) && (e->flags & MCK_MODE_MASK) != MCK_FLAG_SYNC;
  return e->kind == MCK_EV_RECV && !(e->flags & (MCK_FLAG_NONBLOCKING | MCK_FLAG_PART | MCK_FLAG_CANCELLED));
}

// The functions are called in the order of each log, and the times of one log never decrease. Only enter and leave are
// required.
struct mck_order_sink {
  void *context;
  void (*enter)(void *context, struct mck_point at);
  // For drawing: one call per message, and one per member of a collective. It comes after enter and before leave of to,
  // and from.time < to.time.
  void (*arrow)(void *context, enum mck_arrow kind, struct mck_point from, struct mck_point to);
  void (*leave)(void *context, struct mck_point at, bool is_finished); // false: the log ends within this call
  // It is called before leave for each operation that is complete then. With this function, the non-overtaking relation
  // is followed, too.
  void (*complete)(void *context, struct mck_point at, const struct mck_order_done *done);
  // Does this send wait for its receive? NULL: only synchronous sends do (MPI-3.1 3.4).
  bool (*is_synchronous)(void *context, uint32_t log, uint32_t index);
  // The k-th event of another log that the end of a SYNC event waits for. NULL: there is none.
  bool (*also)(void *context, uint32_t log, uint32_t index, uint32_t k, struct mck_pair *of);
  // Times and arrow are not used. It needs complete, and no is_synchronous.
  bool is_plain;
  // With is_plain, or NULL: goes over a stretch as far as possible. Then neither enter nor complete is called, and
  // nothing is counted.
  void (*stretch)(void *context, struct mck_order_stretch *stretch);
  // Collectives of which the standard does not say whom they wait for count as barriers, which each may be
  // (MPI-3.1 5.12, 11.5.1, 13.6.4): a program that is right when they do not wait is right when they do.
  bool has_barriers;
  // No log can go on. waits: those of each log that is not at its end. false: the walk stops. NULL: it goes on without
  // them.
  bool (*stuck)(void *context, const struct mck_order_wait *waits, size_t n);
};
// What the walk cannot know. Threads: several threads called MPI, and nothing orders some of their calls. Unseen: some
// messages were not recorded. Incomplete: a log is missing or damaged, or recording stopped. Undecided: matches behind
// a wildcard receive that never got its own. Recycled: events before the last cut are missing (judge/cut/cut.h).
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
// pairs: made of the same logs (mck_pairs_make). Returns false when out of memory.
bool mck_order_walk(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs,
                    const struct mck_order_sink *sink, struct mck_order_totals *totals);
unsigned mck_order_doubts(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs);
// Does the walk call enter and leave for this event?
static inline bool mck_order_is_call(const struct mck_event *e) {
  return (e->kind > MCK_EV_PAD && e->kind <= MCK_EV_CALL) || e->kind == MCK_EV_RETURN || e->kind == MCK_EV_WAIT ||
         e->kind == MCK_EV_DONE || e->kind == MCK_EV_ATTACH;
}
// The communicator, or file, that the call at this index made: it is defined behind it. MCK_NONE: none is.
uint32_t mck_order_made_by(const struct mck_reader *log, uint64_t index);
// The last event of a recycled log that is older than its last cut; MCK_NONE: the log was not recycled. It is a CALL,
// the same on all ranks: all ranks had entered it before any rank went on (judge/cut/cut.h).
uint32_t mck_order_cut(const struct mck_reader *log);
