// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sequences of events that are repeated (repeated-events.h).
#include "record/rma/repeated-events.h"
#include <string.h>
#include "record/access/range-flush.h"
#include "record/call/poll-list.h"
#include "record/call/strand-event.h"
#include "standard/epoch-call.h"

enum { LOADS = 8 }; // in a loop over MPI_Win_sync

struct mck_repeated mck_repeated = {.syncs = {1, 1}, .anchor = 1};

static bool is_same(const struct mck_event *a, const struct mck_event *b) { return memcmp(a, b, sizeof *a) == 0; }

bool mck_repeated_may_be(uint16_t fn) {
  enum mck_std_epoch_call call = mck_std_epoch_call(fn);
  return call == MCK_STD_CALL_LOCK || call == MCK_STD_CALL_UNLOCK || call == MCK_STD_CALL_FLUSH ||
         fn == MCK_FN_MPI_Win_sync;
}

// It orders nothing by a known edge, and is one unit.
static bool is_local(const struct mck_event *e) {
  switch (e->kind) {
  case MCK_EV_ACCESS: return e->flags < MCK_ACCESS_FREED;
  case MCK_EV_PUT:
  case MCK_EV_GET:
  case MCK_EV_ACC: return true;
  case MCK_EV_SYNC: return !e->flags && mck_repeated_may_be(e->fn);
  default: return false;
  }
}
static bool is_load(const struct mck_event *e) {
  return e->kind == MCK_EV_ACCESS && !(e->flags & ~(unsigned)MCK_ACCESS_VOLATILE);
}

// The log ends with a sequence. While that is repeated the log stays as it is, which does not mean that the rank only
// tests and probes: the list of these (poll-list.h) begins again with the next one, and ends the sequence.
static void begin(uint32_t length) {
  struct mck_repeated *r = &mck_repeated;
  if (mck_rt.is_multiple || mck_rt.is_online || mck_strand_is_on || mck_thread_is_parallel) return;
  uint32_t next = (uint32_t)(mck_rt.log.next - mck_rt.log.first);
  r->is_on = true, r->first = next - length, r->length = length, r->position = 0;
  mck_ntouched |= MCK_TOUCHED_REPEATED;
  mck_poll.next = NULL;
}

// Whether the log's last events are equal to as many before them, and may be repeated. The last ones are the first to
// differ where nothing is.
static bool is_second(uint32_t length) {
  const struct mck_event *next = mck_rt.log.next;
  if (!length || length > MCK_REPEATED_LONGEST || 2 * (size_t)length > (size_t)(next - mck_rt.log.first)) return false;
  for (const struct mck_event *e = next; e-- > next - length;)
    if (!is_local(e) || !is_same(e, e - length)) return false;
  return true;
}

// The event at the log's next place: it is the next one of the sequence, or equal to two of it right before that.
static bool is_repeated(uint32_t *index) {
  struct mck_repeated *r = &mck_repeated;
  const struct mck_event *e = mck_rt.log.next, *at = &mck_rt.log.first[r->first + r->position];
  if (is_same(e, at)) r->position = r->position + 1 == r->length ? 0 : r->position + 1;
  else if (r->position >= 2 && is_same(e, at - 1) && is_same(e, at - 2)) at--;
  else return false;
  *index = (uint32_t)(at - mck_rt.log.first);
  r->is_left_out = true;
  r->count++;
  return true;
}

// Publishes the event behind what of the sequence was left out before it.
static uint32_t publish(void) {
  struct mck_event event = *mck_rt.log.next;
  mck_repeated_end();
  struct mck_event *e = mck_log_reserve(&mck_rt.log, 1);
  if (!e) return MCK_NONE;
  *e = event;
  mck_repeated.is_left_out = false;
  return mck_log_commit(&mck_rt.log, 1);
}

uint32_t mck_repeated_next(void) {
  uint32_t index;
  if (mck_repeated.is_on && is_repeated(&index)) return index;
  index = publish();
  if (index != MCK_NONE && is_second(1)) begin(1);
  return index;
}

uint32_t mck_repeated_next_sync(void) {
  struct mck_repeated *r = &mck_repeated;
  uint32_t index, loads = 1;
  if (r->is_on && is_repeated(&index)) return index;
  index = publish();
  if (index == MCK_NONE) return index;
  const struct mck_event *e = &mck_rt.log.first[index];
  uint32_t before[3] = {index - r->syncs[0], index - r->syncs[1], index - r->anchor};
  mck_repeated_note_sync(index);
  while (loads < LOADS && loads <= index && is_load(e - loads)) loads++;
  if (e->fn == MCK_FN_MPI_Win_sync && is_local(e)) begin(loads);
  for (uint32_t k = 0; k < 3 && !r->is_on; k++)
    if (is_second(before[k])) begin(before[k]);
  return index;
}

uint32_t mck_repeated_put_expected(struct mck_unit unit, bool is_sync) {
  struct mck_log *log = &mck_rt.log;
  const struct mck_event *cursor = log->repeat.cursor;
  if (log->repeat.matched >= log->repeat.after) return mck_log_repeat_take(log, 1);
  log->repeat.cursor = NULL; // nothing is over
  struct mck_event *e = mck_log_reserve(log, 1);
  if (!e) return MCK_NONE;
  memcpy(e, &unit, sizeof unit);
  uint32_t index = is_sync ? mck_repeated_commit_sync() : mck_repeated_commit();
  bool is_written = log->next == &log->first[index] + 1 && !mck_repeated.is_on;
  if (is_written) log->repeat.cursor = cursor + 1, log->repeat.matched++;
  return index;
}

void mck_repeated_end(void) {
  struct mck_repeated *r = &mck_repeated;
  if (!r->is_on) return;
  r->is_on = false;
  mck_ntouched &= ~MCK_TOUCHED_REPEATED;
  struct mck_event *e = r->position ? mck_log_reserve(&mck_rt.log, r->position) : NULL;
  if (!e) return;
  memcpy(e, &mck_rt.log.first[r->first], r->position * sizeof *e);
  mck_log_commit(&mck_rt.log, r->position);
}

void mck_repeated_restart(void) {
  mck_repeated = (struct mck_repeated){.syncs = {1, 1}, .anchor = 1, .count = mck_repeated.count};
}

// A sequence whose event is taken back is none. One that was left out stays so: it did not take place, and what it
// would have done the same one before it did.
bool mck_repeated_unmake(uint32_t event) {
  if (mck_repeated_is_out()) return false;
  mck_repeated_end();
  struct mck_event *e = mck_log_event(&mck_rt.log, event);
  if (e) mck_event_unmake(e);
  return true;
}
