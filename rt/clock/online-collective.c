// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives of the online clocks (LLCP R5): a clock record to each process that waits for this one's entry, and the
// clocks of the processes that this one waits for.
#include <stdlib.h>
#include <string.h>
#include "clock/online-clock.h"
#include "order/meeting.h"

void mck_online_take_over_all(struct mck_online *o) {
  for (uint32_t i = 0; i < o->size; i++) mck_online_take_over(o, o->transport->clock_of(o->transport->context, i));
}

static bool has_count(struct mck_online *o, uint32_t comm) {
  if (comm < o->nentered) return true;
  size_t n = 2 * ((size_t)comm + 1);
  uint64_t *grown = realloc(o->entered, n * sizeof *grown);
  if (!grown) return mck_online_lose(o, MCK_ONLINE_ROOM), false;
  memset(grown + o->nentered, 0, (n - o->nentered) * sizeof *grown);
  o->entered = grown, o->nentered = n;
  return true;
}

void mck_online_enter_collective(struct mck_online *o, uint32_t index) {
  const struct mck_event *e = &o->log->events[index];
  const struct mck_comm_def *comm = mck_online_comm(o, e->coll.comm);
  if (!comm) return;
  if (!has_count(o, e->coll.comm)) return;
  struct mck_online_collective new = {index, o->entered[e->coll.comm]++};
  if (!MCK_PUSH(o->collectives, o->ncollectives, o->collectives_capacity, new)) mck_online_lose(o, MCK_ONLINE_ROOM);
  enum mck_std_gives gives = mck_std_gives(e->fn, mck_std_is_root(e->coll.root, comm->rank, comm->remote_size));
  struct mck_clock_record record = {
      .comm = comm->body->key, .bytes = new.nth, .clock = o->clock, .kind = MCK_CLOCK_RECORD_COLLECTIVE};
  for (uint32_t i = 0; gives != MCK_STD_GIVES_NOBODY && i < comm->size; i++)
    if (i != comm->rank && (gives == MCK_STD_GIVES_ALL || (int32_t)i == e->coll.root))
      mck_online_put(o, mck_comm_world_rank(comm, (int)i, false), &record);
}

// R5, by the flow of the data. The processes that this one waits for have put their records before.
void mck_online_complete_collective(struct mck_online *o, uint32_t event, uint64_t nth) {
  const struct mck_event *e = &o->log->events[event];
  const struct mck_comm_def *comm = mck_online_comm(o, e->coll.comm);
  if (!comm) return;
  if (comm->remote_size) {
    mck_online_take_over_all(o);
    return;
  }
  // The functions of a walk through all logs are used here with this log only.
  struct mck_meetings meetings = {.logs = o->log, .nlogs = 1};
  enum mck_std_needs needs = mck_meetings_needs(&meetings, 0, event, MCK_STD_GENEROUS);
  for (uint32_t i = 0; i < comm->size; i++) {
    struct mck_order_member member = {1, i};
    struct mck_meeting_series series = {.members = &member, .n = 1};
    if (i == comm->rank) continue;
    uint32_t clock;
    bool is_there = mck_online_find_collective(o, comm->body->key, (uint32_t)mck_comm_world_rank(comm, (int)i, false),
                                               nth, &clock);
    if (!mck_meetings_is_needed(&meetings, 0, event, needs, &series, 0)) continue;
    if (is_there) mck_online_take_over(o, clock);
    else mck_online_lose(o, MCK_ONLINE_UNRECORDED);
  }
  free(meetings.blocks.runs);
  if (meetings.is_short) mck_online_lose(o, MCK_ONLINE_ROOM);
}
