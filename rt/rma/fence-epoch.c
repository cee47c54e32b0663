// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which pairs of accesses in fence epochs messages may have ordered (fence-epoch.h). Asked for findings only.
#include "rma/fence-epoch.h"
#include "rma/completed-before.h"

static bool is_fence_of(const struct mck_rma_run *run, uint32_t log, const struct mck_event *e, uint32_t window) {
  return e->kind == MCK_EV_FENCE && e->sync.win < run->readers[log].nwins &&
         run->logs[log].window_of[e->sync.win] == window;
}

// From the load or store to the fence that closes its epoch.
static bool tells_behind(const struct mck_rma_run *run, uint32_t log, uint32_t at, uint32_t window) {
  const struct mck_reader *r = &run->readers[log];
  for (uint64_t i = at + mck_event_units(&r->events[at]); i < r->units; i += mck_event_units(&r->events[i])) {
    if (is_fence_of(run, log, &r->events[i], window)) return false;
    if (mck_epoch_tells(&r->events[i])) return true;
  }
  return false;
}

// From the fence that opened the operation's epoch to the operation.
static bool learns_before(const struct mck_rma_run *run, uint32_t log, uint32_t at, uint32_t window) {
  const struct mck_reader *r = &run->readers[log];
  bool has_learned = false;
  for (uint64_t i = 0; i < at; i += mck_event_units(&r->events[i])) {
    if (is_fence_of(run, log, &r->events[i], window)) has_learned = false;
    else if (mck_epoch_learns(&r->events[i])) has_learned = true;
  }
  return has_learned;
}

bool mck_epoch_is_left(const struct mck_rma_run *run, const struct mck_access_class *a,
                       const struct mck_access_class *b, const struct mck_rma_occurrence *o) {
  uint32_t event_a = o->event_a, event_b = o->event_b;
  if (mck_access_is_local(b)) {
    const struct mck_access_class *other = a;
    a = b, b = other;
    event_a = o->event_b, event_b = o->event_a;
  }
  return mck_access_is_local(a) && !mck_access_is_local(b) && a->what.process != b->what.process &&
         tells_behind(run, a->what.process, event_a, a->what.window) &&
         learns_before(run, b->what.process, event_b, b->what.window);
}
