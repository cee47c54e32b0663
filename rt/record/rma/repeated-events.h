// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that wait for a flag in a window look at it some million times a second: a load and MPI_Win_sync, a get and
// a flush, or a lock, an atomic operation and an unlock. Such a sequence of events that is repeated as it is, with no
// other event between, is logged twice; loads and MPI_Win_sync are logged once. What follows is left out until an
// event differs. Equal operations right behind each other are treated alike. A sequence may have 256 events: a loop
// that asks all ranks in turn, or goes through the slots of a table, is one as well.
//
// Why no verdict changes: nothing in the sequence orders this rank against others by an edge that is known. So all of
// its repetitions know the same of other ranks, and others learn of all of them at once. Where the turns of a lock, or
// an atomic operation, possibly order two accesses by way of this rank, the order comes in with one repetition and
// leaves with the same or a later one: two of them are enough. All functions are called under the lock.
#pragma once
#include <string.h>
#include "log/log-repeat.h"
#include "record/call/wait-mark.h"
#include "record/runtime.h"

enum { MCK_REPEATED_LONGEST = 256 }; // events

struct mck_repeated {
  bool is_on;             // the log ends with the sequence, perhaps behind it definitions
  bool is_left_out;       // the last event was
  uint32_t first, length; // its last repetition in the log
  uint32_t position;      // events of the next repetition that were left out so far
  uint32_t syncs[2];      // the last two synchronizations, the last one first
  uint32_t anchor;        // one further back: a long sequence comes to it again
  uint64_t count;         // events that were left out, ever
};
extern struct mck_repeated mck_repeated;

// These publish the event of one unit that was written at the log's next place, or leave it out. They return the index
// of the event, or of the equal one in the log; MCK_NONE: recording has stopped.
uint32_t mck_repeated_next(void);
uint32_t mck_repeated_next_sync(void);
static inline uint32_t mck_repeated_commit(void) { // an operation, or an access
  const struct mck_event *e = mck_rt.log.next;
  if (MCK_LIKELY(!mck_repeated.is_on && (e->rma.disp != e[-1].rma.disp || e->site != e[-1].site)))
    return mck_log_commit(&mck_rt.log, 1);
  return mck_repeated_next();
}
static inline void mck_repeated_note_sync(uint32_t index) {
  struct mck_repeated *r = &mck_repeated;
  r->syncs[1] = r->syncs[0], r->syncs[0] = index;
  if (index - r->anchor > MCK_REPEATED_LONGEST) r->anchor = index;
}
// A synchronization: it may end a sequence, where what is right before it equals what is before an earlier one.
static inline uint32_t mck_repeated_commit_sync(void) {
  struct mck_repeated *r = &mck_repeated;
  const struct mck_event *first = mck_rt.log.first, *e = mck_rt.log.next;
  bool is_new = e[-1].rma.disp != first[r->syncs[0] - 1].rma.disp &&
                e[-1].rma.disp != first[r->syncs[1] - 1].rma.disp && e[-1].rma.disp != first[r->anchor - 1].rma.disp;
  if (MCK_UNLIKELY(!is_new || r->is_on)) return mck_repeated_next_sync();
  mck_repeated_note_sync((uint32_t)(e - first));
  return mck_log_commit(&mck_rt.log, 1);
}

// The same for an event that is not written yet. While the log leaves out what repeats (log/log-repeat.h), it has been
// seen that no sequence is there; until then each event is looked at.
uint32_t mck_repeated_put_expected(struct mck_unit unit, bool is_sync);
static inline uint32_t mck_repeated_put(struct mck_unit unit, bool is_sync) {
  struct mck_log *log = &mck_rt.log;
  struct mck_repeated *r = &mck_repeated;
  if (r->is_on && mck_unit_is(unit, &log->first[r->first + r->position])) {
    uint32_t index = r->first + r->position;
    r->position = r->position + 1 == r->length ? 0 : r->position + 1;
    r->is_left_out = true;
    r->count++;
    return index;
  }
  if (MCK_LIKELY(log->repeat.cursor && mck_unit_is(unit, log->repeat.cursor)))
    return MCK_LIKELY(log->repeat.run) ? mck_log_repeat_take(log, 1) : mck_repeated_put_expected(unit, is_sync);
  struct mck_event *e = mck_log_reserve(log, 1);
  if (MCK_UNLIKELY(!e)) return MCK_NONE;
  memcpy(e, &unit, sizeof unit);
  uint32_t index = is_sync ? mck_repeated_commit_sync() : mck_repeated_commit();
  e = &log->first[index];
  if (log->next == e + 1) mck_log_repeat_look(log, e, 1);
  return index;
}
static inline struct mck_unit mck_operation_unit(uint8_t kind, uint8_t op, uint16_t fn, uint32_t site, uint32_t win,
                                                 int target, uint64_t disp, uint32_t count, uint32_t type) {
  return (struct mck_unit){
      {mck_unit_begin(kind, op, fn, site), mck_unit_pair(win, (uint32_t)target), disp, mck_unit_pair(count, type)}};
}
static inline struct mck_unit mck_access_unit(uint8_t flags, uint16_t owner, uint32_t site, uint32_t win, uint32_t size,
                                              uint64_t offset, uint32_t n, int32_t stride) {
  return (struct mck_unit){{mck_unit_begin(MCK_EV_ACCESS, flags, owner, site), mck_unit_pair(win, size), offset,
                            mck_unit_pair(n, (uint32_t)stride)}};
}
static inline struct mck_unit mck_sync_unit(uint8_t kind, uint8_t flags, uint16_t fn, uint32_t site, uint32_t win,
                                            int rank, uint32_t assertion, uint32_t lock_type) {
  return (struct mck_unit){{mck_unit_begin(kind, flags, fn, site), mck_unit_pair(win, (uint32_t)rank),
                            mck_unit_pair(assertion, lock_type), 0}};
}
bool mck_repeated_may_be(uint16_t fn); // a synchronization that may be in such a sequence
void mck_repeated_end(void);           // an event of another kind follows
void mck_repeated_restart(void);       // the log begins again

// Of a call whose event has just been published: the event of one that was left out is another call's.
static inline bool mck_repeated_is_out(void) { return MCK_UNLIKELY(mck_repeated.is_on) && mck_repeated.is_left_out; }
static inline void mck_repeated_wait_begin(uint32_t event) { mck_wait_begin(mck_repeated_is_out() ? MCK_NONE : event); }
bool mck_repeated_unmake(uint32_t event); // the call has failed; false: its event is not in the log
