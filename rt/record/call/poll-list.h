// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests and probes that find nothing leave no event: four million of them per second are not rare. The log's header
// (log.h) has a short list of what the rank has tested and probed for since its last event, and a counter. The list is
// written when something new is asked for; in a loop the cost is a load, two stores and two compares.
//
// Recompiled code says by a mark that a call is in a loop that nothing but MPI can end (abi.h, plugin/ClosedLoops.h). A
// call without a mark makes the loop an open one.
#pragma once
#include "abi.h"
#include "record/call/call.h"
#include "record/runtime.h"

enum { MCK_POLL_SITE_AFTER = 256 }; // tests and probes; then the place of the loop is looked up
struct mck_poll {
  const void *next; // of the log, when the list began
  uint32_t epoch;   // of the list: a request that is in the list has this number in r->polled
  uint64_t site_at; // value of the counter when the call stack is looked at
  int source, tag;  // the last probe
  const struct mck_comm *comm;
  uint32_t event; // of the MPI_Win_post that was last tested
  // Of a closed loop: its iteration at the last call that did not count, 0: none; from this one on its calls count.
  // Before that its iterations may differ.
  uint32_t iteration, settled;
};
extern struct mck_poll mck_poll;
extern uint64_t mck_closed; // the mark of the next call
// What nonblocking probes without wildcards, and MPI_Request_get_status, have found since the last event of another
// kind. When they are called again they find the same, and no event is written.
enum { MCK_FOUND = 16 };
struct mck_found {
  const void *next; // of the log
  unsigned n;       // ever
  struct mck_found_item {
    const struct mck_comm *comm;
    int64_t source;
    int tag;
  } items[MCK_FOUND]; // comm NULL: of the request whose event is source
};
extern struct mck_found mck_found;
static inline bool mck_found_again(const struct mck_comm *c, int64_t source, int tag) {
  if (mck_found.next != mck_rt.log.next) return false;
  for (unsigned i = 0; i < mck_found.n && i < MCK_FOUND; i++)
    if (mck_found.items[i].comm == c && mck_found.items[i].source == source && mck_found.items[i].tag == tag)
      return true;
  return false;
}
void mck_found_add(const void *next, const struct mck_comm *c, int64_t source,
                   int tag); // next: the log's, before the event was written
void mck_poll_add(const struct mck_request *r, uint32_t comm, int source,
                  int tag); // NULL and no communicator: it is unknown what is asked for
void mck_poll_add_event(uint32_t event);
void mck_poll_place(uint16_t fn, const void *pc, const void *frame);
void mck_poll_list(const struct mck_call *call, const MPI_Request *handles, const MPI_Request *variables, size_t step,
                   int n, bool is_all);
void mck_poll_forget(void); // something was found, or the log has changed

// Only one thread calls MPI, and the call is the program's own.
static inline bool mck_poll_is_worth(const struct mck_call *call) {
  return mck_depth == 1 && mck_rt.is_ready && !mck_rt.is_multiple && !call->nfindings;
}
static inline uint32_t mck_poll_iteration(uint64_t mark, bool is_null) {
  bool holds = (mark & ~MCK_CLOSED_NULLS) >> MCK_CLOSED_COUNT_SHIFT && (!is_null || mark & MCK_CLOSED_NULLS);
  return holds ? (uint32_t)mark : 0;
}
// is_null: a null request was tested (MPI-3.1 3.7.3).
static inline void mck_poll_count(uint16_t fn, const void *pc, const void *frame, bool is_null) {
  struct mck_log_header *h = mck_rt.log.header;
  uint64_t polls = atomic_load_explicit(&h->polls, memory_order_relaxed) + 1;
  atomic_store_explicit(&h->polls, polls, memory_order_relaxed);
  atomic_store_explicit(&h->calls, atomic_load_explicit(&mck_rt.calls, memory_order_relaxed), memory_order_relaxed);
  if (MCK_UNLIKELY(polls == mck_poll.site_at)) mck_poll_place(fn, pc, frame);
  uint64_t mark = mck_closed;
  uint32_t iteration = mck_poll_iteration(mark, is_null);
  if (MCK_UNLIKELY(iteration < mck_poll.settled)) { // an open loop, or a closed one that begins
    atomic_store_explicit(&h->poll_open, polls, memory_order_relaxed);
    if (iteration < mck_poll.iteration || !mck_poll.iteration)
      mck_poll.settled = iteration && iteration < UINT32_MAX - MCK_CLOSED_SETTLED ? iteration + MCK_CLOSED_SETTLED
                                                                                  : UINT32_MAX;
    mck_poll.iteration = iteration;
  }
  mck_closed = iteration ? mark - (UINT64_C(1) << MCK_CLOSED_COUNT_SHIFT) : 0;
}
static inline void mck_poll_request(struct mck_request *r, uint16_t fn, const void *pc, const void *frame) {
  if (MCK_UNLIKELY(mck_poll.next != mck_rt.log.next || !r || r->polled != mck_poll.epoch)) {
    mck_poll_add(r, MCK_NONE, 0, 0);
    if (r) r->polled = mck_poll.epoch;
  }
  mck_poll_count(fn, pc, frame, false);
}
// A test for the end of the exposure epoch of that MPI_Win_post. MCK_NONE: unknown which.
static inline void mck_poll_event(uint32_t event, uint16_t fn, const void *pc, const void *frame) {
  if (mck_poll.next != mck_rt.log.next || event == MCK_NONE || event != mck_poll.event) {
    mck_poll_add_event(event);
    mck_poll.event = event;
  }
  mck_poll_count(fn, pc, frame, false);
}
static inline void mck_poll_probe(const struct mck_comm *c, int source, int tag, uint16_t fn, const void *pc,
                                  const void *frame) {
  if (MCK_UNLIKELY(mck_poll.next != mck_rt.log.next || c != mck_poll.comm || source != mck_poll.source ||
                   tag != mck_poll.tag)) {
    mck_poll_add(NULL, c && c->is_logged ? c->object.id : MCK_NONE, source, tag);
    mck_poll.comm = c, mck_poll.source = source, mck_poll.tag = tag;
  }
  mck_poll_count(fn, pc, frame, false);
}
