// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Meetings: the collectives of all logs, call by call, and what each member waits for by the flow of its data.
#pragma once
#include "base/hash-table.h"
#include "log/blocks.h"
#include "order/order.h"

struct mck_meeting_item {      // the k-th collective of a communicator, or fence of a window
  uint32_t arrived, waiting;   // waiting: the first log that waits for it, + 1 (walk.c)
  bool is_eager;               // some log waits for some members only: each arrival may be the last one
  uint32_t *entries;           // by slot
  struct mck_point last, root; // the entries of the last member and of the root
  bool has_root;
};
struct mck_meeting_series {
  uint64_t key;
  struct mck_order_member *members;
  size_t n, members_capacity;
  struct mck_meeting_item *items;
  size_t count, capacity;
  uint32_t *nth; // of a group: the number of meetings so far, by slot
};
struct mck_meeting_log {        // by id of communicators, and of windows
  uint32_t *comms, *wins;       // series + 1
  uint32_t *nth_comm, *nth_win; // the number of meetings so far
  uint32_t *comm_slots, *win_slots;
  uint32_t cut; // mck_order_cut
};
struct mck_meetings {
  const struct mck_reader *logs;
  size_t nlogs;
  struct mck_meeting_log *by_log;
  struct mck_meeting_series *series;
  size_t nseries, capacity;
  struct mck_table table;
  struct mck_blocks blocks; // of the last event that was asked about
  const struct mck_event *blocks_of;
  bool has_barriers; // mck_order_sink
  bool is_short;
};

bool mck_meetings_open(struct mck_meetings *meetings, const struct mck_reader *logs, size_t n);
void mck_meetings_close(struct mck_meetings *meetings);
// Does this event enter a meeting? (The last event of a cut is a meeting of all ranks.)
bool mck_meetings_has(const struct mck_meetings *meetings, uint32_t log, uint32_t index);
// Enters it. Returns series and number; log MCK_NONE: the event is in no meeting.
struct mck_pair mck_meetings_arrive(struct mck_meetings *meetings, struct mck_point at);
enum mck_std_needs mck_meetings_needs(struct mck_meetings *meetings, uint32_t log, uint32_t index,
                                      enum mck_std_bound bound);
// Does the event wait for the member in this slot?
bool mck_meetings_is_needed(struct mck_meetings *meetings, uint32_t log, uint32_t index, enum mck_std_needs needs,
                            const struct mck_meeting_series *series, size_t slot);
