// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waiting logs: the logs that wait for the entry of another log's event, or for members of a meeting. It is for walks
// through all logs (walk.c, judge/buffering/synchronous-rerun.c). A log is in at most one list.
#pragma once
#include "order/meeting.h"

struct mck_waiting_log {
  uint32_t first, wake; // the logs that wait for this one: the first log + 1, and the lowest event that is waited for
  uint32_t next, wants; // in such a list: the next log + 1, and the event that this log waits for
  struct mck_pair of;   // that event or meeting, which owns the list
  bool is_meeting;
};
struct mck_waiting_logs {
  struct mck_meetings *meetings;
  struct mck_waiting_log *logs;
};

// Returns false when out of memory.
bool mck_waiting_logs_open(struct mck_waiting_logs *waits, struct mck_meetings *meetings, size_t n);
void mck_waiting_logs_close(struct mck_waiting_logs *waits);
void mck_waiting_logs_add(struct mck_waiting_logs *waits, uint32_t log, struct mck_pair of, bool is_meeting);
void mck_waiting_logs_drop(struct mck_waiting_logs *waits, uint32_t log);
// Takes the logs out of the list of this log whose events come before reached. They are linked by next (number + 1).
// looked: the number of visited logs is added.
uint32_t mck_waiting_logs_take(struct mck_waiting_logs *waits, uint32_t log, uint64_t reached, uint64_t *looked);
// The same for all logs that wait for this meeting.
uint32_t mck_waiting_logs_take_all(struct mck_meeting_item *item);
