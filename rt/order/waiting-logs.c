// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lists of logs that wait (waiting-logs.h).
#include "order/waiting-logs.h"
#include <stdlib.h>

bool mck_waiting_logs_open(struct mck_waiting_logs *waits, struct mck_meetings *meetings, size_t n) {
  *waits = (struct mck_waiting_logs){meetings, calloc(n + 1, sizeof *waits->logs)};
  for (size_t i = 0; waits->logs && i < n; i++) waits->logs[i].wake = MCK_NONE;
  return waits->logs != NULL;
}

void mck_waiting_logs_close(struct mck_waiting_logs *waits) { free(waits->logs); }

static uint32_t *list_of(struct mck_waiting_logs *w, const struct mck_waiting_log *log) {
  return log->is_meeting ? &w->meetings->series[log->of.log].items[log->of.index].waiting : &w->logs[log->of.log].first;
}

void mck_waiting_logs_add(struct mck_waiting_logs *w, uint32_t number, struct mck_pair of, bool is_meeting) {
  struct mck_waiting_log *log = &w->logs[number];
  log->of = of;
  log->is_meeting = is_meeting;
  log->wants = of.index;
  uint32_t *list = list_of(w, log);
  log->next = *list;
  *list = number + 1;
  if (!is_meeting && of.index < w->logs[of.log].wake) w->logs[of.log].wake = of.index;
}

void mck_waiting_logs_drop(struct mck_waiting_logs *w, uint32_t number) {
  uint32_t *at = list_of(w, &w->logs[number]);
  while (*at && *at != number + 1) at = &w->logs[*at - 1].next;
  if (*at) *at = w->logs[number].next;
}

uint32_t mck_waiting_logs_take(struct mck_waiting_logs *w, uint32_t number, uint64_t reached, uint64_t *looked) {
  struct mck_waiting_log *log = &w->logs[number];
  uint32_t waiting = log->first, taken = 0, *end = &taken;
  log->first = 0;
  log->wake = MCK_NONE;
  for (uint32_t next; waiting; waiting = next) {
    struct mck_waiting_log *other = &w->logs[waiting - 1];
    next = other->next;
    ++*looked;
    if (other->wants < reached) {
      *end = waiting;
      other->next = 0;
      end = &other->next;
      continue;
    }
    other->next = log->first;
    log->first = waiting;
    if (other->wants < log->wake) log->wake = other->wants;
  }
  return taken;
}

uint32_t mck_waiting_logs_take_all(struct mck_meeting_item *item) {
  uint32_t waiting = item->waiting;
  item->waiting = 0;
  return waiting;
}
