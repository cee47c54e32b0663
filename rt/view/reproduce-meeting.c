// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls of all ranks are one collective.
#include <stdlib.h>
#include "order/meeting.h"
#include "view/reproduce-collective.h"

// The members by their ranks in the communicator.
static bool fill(const struct mck_view *view, const struct mck_meeting_series *series,
                 const struct mck_meeting_item *item, struct mck_reproduce_meeting *m) {
  *m = (struct mck_reproduce_meeting){.n = series->n};
  m->logs = calloc(m->n + 1, sizeof *m->logs), m->events = calloc(m->n + 1, sizeof *m->events);
  bool is_good = m->logs && m->events && item->arrived == series->n;
  for (size_t slot = 0; is_good && slot < series->n; slot++) {
    const struct mck_order_member *member = &series->members[slot];
    const struct mck_view_log *log = &view->logs[member->log];
    const struct mck_comm_def *c = mck_view_comm_def(log, log->reader.events[item->entries[slot]].coll.comm);
    is_good = c && !c->remote_size && c->size == m->n && member->rank < m->n;
    if (is_good) m->logs[member->rank] = member->log, m->events[member->rank] = item->entries[slot];
  }
  return is_good;
}

static bool find(const struct mck_view *view, struct mck_meetings *meetings, uint32_t log, uint32_t event,
                 struct mck_reproduce_meeting *m) {
  struct mck_pair found = {MCK_NONE, MCK_NONE};
  for (uint32_t i = 0; i < view->count; i++) {
    const struct mck_reader *r = &view->logs[i].reader;
    for (uint64_t k = 0; k < r->units; k += mck_event_units(&r->events[k])) {
      if (r->events[k].kind != MCK_EV_COLL) continue;
      struct mck_pair at = mck_meetings_arrive(meetings, (struct mck_point){i, (uint32_t)k, 0});
      if (i == log && k == event) found = at;
    }
  }
  if (found.log == MCK_NONE || meetings->is_short) return false;
  const struct mck_meeting_series *series = &meetings->series[found.log];
  return fill(view, series, &series->items[found.index], m);
}

bool mck_reproduce_meeting_find(const struct mck_view *view, uint32_t log, uint32_t event,
                                struct mck_reproduce_meeting *m) {
  struct mck_reader *logs = calloc(view->count + 1, sizeof *logs);
  struct mck_meetings meetings;
  *m = (struct mck_reproduce_meeting){0};
  for (size_t i = 0; logs && i < view->count; i++) logs[i] = view->logs[i].reader;
  bool is_good = logs && mck_meetings_open(&meetings, logs, view->count);
  if (is_good) {
    is_good = find(view, &meetings, log, event, m);
    mck_meetings_close(&meetings);
  }
  if (!is_good) mck_reproduce_meeting_free(m);
  free(logs);
  return is_good;
}

void mck_reproduce_meeting_free(struct mck_reproduce_meeting *m) {
  free(m->logs), free(m->events);
  *m = (struct mck_reproduce_meeting){0};
}
