// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives: each part that a rank received with the part that its sender sent (MPI-3.1 5.4 to 5.8, 7.6). The calls
// belong together where all members entered the same function with the same root and operation; else the program is
// wrong, and other checks say so.
#include <stdlib.h>
#include "flow/flow-run.h"
#include "standard/collective.h"

// The calls of one meeting. members: by slot.
struct meeting {
  const struct mck_meeting_series *series;
  const struct mck_meeting_item *item;
};

static const struct mck_event *event_of(const struct mck_flow_run *run, const struct meeting *m, size_t slot) {
  return &run->logs[m->series->members[slot].log].events[m->item->entries[slot]];
}
static const struct mck_comm_def *comm_of(const struct mck_flow_run *run, const struct meeting *m, size_t slot) {
  return mck_order_comm(&run->logs[m->series->members[slot].log], event_of(run, m, slot)->coll.comm);
}

static bool is_sound(const struct mck_flow_run *run, const struct meeting *m) {
  if (m->item->arrived != m->series->n || !m->series->n) return false;
  for (size_t k = 0; k < m->series->n; k++) {
    const struct mck_reader *log = &run->logs[m->series->members[k].log];
    const struct mck_event *e = event_of(run, m, k), *first = event_of(run, m, 0);
    const struct mck_comm_def *comm = comm_of(run, m, k);
    if (e->kind != MCK_EV_COLL || e->fn != first->fn || !comm) return false;
    if (e->coll.op != first->coll.op) return false;
    if (!comm->remote_size && (e->coll.root != first->coll.root || m->series->n != comm->size)) return false;
    // Calls of several threads may belong together in another order.
    if (atomic_load(&log->header->is_multiple) & (MCK_LOG_THREADS | MCK_LOG_UNSEEN)) return false;
  }
  return true;
}

static size_t slot_of_world(const struct mck_flow_run *run, const struct meeting *m, int world) {
  for (size_t k = 0; world >= 0 && k < m->series->n; k++)
    if ((int)run->logs[m->series->members[k].log].header->rank == world) return k;
  return m->series->n;
}

static struct mck_flow_side side_of(const struct mck_flow_run *run, const struct meeting *m, size_t slot,
                                    bool is_received, int32_t peer) {
  return mck_flow_find(run, m->series->members[slot].log, m->item->entries[slot], is_received, peer);
}

static uint32_t count_of(const int32_t *ranks, uint32_t n, int32_t wanted, uint32_t *place) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < n; i++)
    if (ranks[i] == wanted && !found++) *place = i;
  return found;
}

// Of a neighborhood: peer is the place among the sources. Of several edges between two ranks it is not said which is
// which.
static void judge_neighbor(struct mck_flow_run *run, const struct meeting *m, size_t slot, int32_t peer) {
  const struct mck_comm_def *own = comm_of(run, m, slot);
  if (!own->neighbors || (uint32_t)peer >= own->nsources || own->neighbors[peer] < 0) return;
  int32_t source = own->neighbors[peer];
  size_t from = slot_of_world(run, m, mck_comm_world_rank(own, source, false));
  const struct mck_comm_def *other = from < m->series->n ? comm_of(run, m, from) : NULL;
  uint32_t place = 0, unused = 0;
  if (!other || !other->neighbors) return;
  struct mck_flow_side r = side_of(run, m, slot, true, peer), s = side_of(run, m, from, false, -1);
  if (!s.content) {
    if (count_of(other->neighbors + other->nsources, other->ndestinations, (int32_t)own->rank, &place) != 1 ||
        count_of(own->neighbors, own->nsources, source, &unused) != 1)
      return;
    s = side_of(run, m, from, false, (int32_t)place);
  }
  if (mck_flow_fits(run, s, r)) mck_flow_compare(run, s, r);
}

static void judge_part(struct mck_flow_run *run, const struct meeting *m, size_t slot, int32_t peer) {
  const struct mck_comm_def *own = comm_of(run, m, slot);
  if (peer < 0) return;
  if (mck_std(event_of(run, m, slot)->fn)->family == MCK_STD_FAMILY_NEIGHBORHOOD) {
    judge_neighbor(run, m, slot, peer);
    return;
  }
  size_t from = slot_of_world(run, m, mck_comm_world_rank(own, peer, own->remote_size > 0));
  if (from == m->series->n) return;
  struct mck_flow_side r = side_of(run, m, slot, true, peer), s = side_of(run, m, from, false, (int32_t)own->rank);
  if (!s.content) s = side_of(run, m, from, false, -1);
  if (mck_flow_fits(run, s, r)) mck_flow_compare(run, s, r);
}

static bool is_reduction(uint16_t fn) {
  switch (mck_std(fn)->flow) {
  case MCK_STD_FLOW_REDUCE:
  case MCK_STD_FLOW_REDUCE_ALL:
  case MCK_STD_FLOW_REDUCE_SCATTER:
  case MCK_STD_FLOW_SCAN:
  case MCK_STD_FLOW_EXSCAN: return true;
  default: return false;
  }
}

// The calls of one group, by rank. false: one is not in the meeting.
static bool find_group(const struct mck_flow_run *run, const struct meeting *m, bool is_remote,
                       struct mck_flow_group *group) {
  const struct mck_comm_def *comm = comm_of(run, m, 0);
  const struct mck_order_member *members = m->series->members;
  group->n = is_remote ? comm->remote_size : comm->size;
  group->members = group->n <= m->series->n ? calloc(group->n + 1, sizeof *group->members) : NULL;
  for (size_t k = 0; group->members && k < group->n; k++) {
    size_t slot = comm->remote_size ? slot_of_world(run, m, mck_comm_world_rank(comm, (int)k, is_remote)) : k;
    size_t rank = comm->remote_size ? k : members[k].rank;
    if (slot == m->series->n || rank >= group->n) return false;
    group->members[rank] = (struct mck_flow_side){members[slot].log, m->item->entries[slot], NULL};
  }
  return group->members;
}

static void judge_reduction(struct mck_flow_run *run, const struct meeting *m) {
  struct mck_flow_group own = {0}, other = {0};
  bool is_two = comm_of(run, m, 0)->remote_size;
  if (find_group(run, m, false, &own) && (!is_two || find_group(run, m, true, &other))) {
    mck_flow_reduction(run, own, is_two ? other : own);
    if (is_two) mck_flow_reduction(run, other, own);
  }
  free(own.members), free(other.members);
}

static void judge_meeting(struct mck_flow_run *run, const struct meeting *m) {
  if (!is_sound(run, m)) return;
  if (is_reduction(event_of(run, m, 0)->fn)) {
    judge_reduction(run, m);
    return;
  }
  for (size_t k = 0; k < m->series->n; k++) {
    const struct mck_flow_log *log = &run->of[m->series->members[k].log];
    uint32_t event = m->item->entries[k];
    size_t low = 0, high = log->nkeys;
    while (low < high) {
      size_t middle = (low + high) / 2;
      if (log->keys[middle].event < event) low = middle + 1;
      else high = middle;
    }
    for (; low < log->nkeys && log->keys[low].event == event; low++)
      if (log->keys[low].is_received) judge_part(run, m, k, log->keys[low].peer);
  }
}

void mck_flow_collectives(struct mck_flow_run *run) {
  struct mck_meetings meetings;
  bool is_good = mck_meetings_open(&meetings, run->logs, run->n);
  for (size_t i = 0; is_good && i < run->n; i++) {
    const struct mck_reader *r = &run->logs[i];
    for (uint64_t k = 0; k < r->units; k += mck_event_units(&r->events[k]))
      if (r->events[k].kind == MCK_EV_COLL)
        mck_meetings_arrive(&meetings, (struct mck_point){(uint32_t)i, (uint32_t)k, 0});
  }
  for (size_t s = 0; is_good && !meetings.is_short && s < meetings.nseries; s++)
    for (size_t k = 0; k < meetings.series[s].count; k++)
      judge_meeting(run, &(struct meeting){&meetings.series[s], &meetings.series[s].items[k]});
  mck_meetings_close(&meetings);
}
