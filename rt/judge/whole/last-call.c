// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a log ends (last-call.h).
#include "judge/whole/last-call.h"

static bool is_call(const struct mck_event *e) {
  return (e->kind >= MCK_EV_SEND && e->kind <= MCK_EV_CALL && e->kind != MCK_EV_ACCESS) || e->kind == MCK_EV_WAIT ||
         e->kind == MCK_EV_DONE;
}

const struct mck_event *mck_judge_last_call(const struct mck_reader *log) {
  const struct mck_event *last = NULL, *e;
  for (uint64_t i = 0; i < log->units; i += mck_event_units(e)) {
    e = &log->events[i];
    if (is_call(e)) last = e;
  }
  return last;
}

const struct mck_event *mck_judge_blocked_in(const struct mck_reader *log) {
  uint32_t wanted = mck_wait_event(atomic_load(&log->header->wait));
  if (wanted >= log->units) return NULL;
  const struct mck_event *e;
  for (uint64_t i = 0; i <= wanted; i += mck_event_units(e)) { // a forged mark may point into the middle of an event
    e = &log->events[i];
    if (i == wanted) return is_call(e) ? e : NULL;
  }
  return NULL;
}
