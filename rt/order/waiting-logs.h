// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits: which logs wait for an event of another one to be entered, or for members of a meeting. For whoever goes
// through all logs at once (walk.c, judge/buffering/synchronous-rerun.c). A log is in one list at most.
#pragma once
#include "order/meeting.h"

struct mck_wait {
  uint32_t first, wake; // of those that wait for events of this log: the first one + 1, and the lowest event waited for
  uint32_t next, wants; // in such a list: the next one + 1, and the event that this log waits for
  struct mck_pair of;   // that event, or the meeting: whose list it is
  bool is_meeting;
};
struct mck_waits {
  struct mck_meet *meet;
  struct mck_wait *logs;
};

bool mck_waits_open(struct mck_waits *waits, struct mck_meet *meet, size_t n); // false: out of memory
void mck_waits_close(struct mck_waits *waits);
void mck_waits_add(struct mck_waits *waits, uint32_t log, struct mck_pair of, bool is_meeting);
void mck_waits_drop(struct mck_waits *waits, uint32_t log);
// Of those that wait for an event of this log the ones whose events come before reached: numbers + 1, by next; they are
// in no list now. looked: how many were looked at is added.
uint32_t mck_waits_take(struct mck_waits *waits, uint32_t log, uint64_t reached, uint64_t *looked);
// All that wait for this meeting, the same way.
uint32_t mck_waits_take_all(struct mck_meet_item *item);
