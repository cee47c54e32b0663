// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The online clock of one process along its own log: posting, completion (R2, R4), and synchronous sends (C9').
#include "clock/online-clock.h"
#include <stdlib.h>
#include <string.h>
#include "base/worker-threads.h"
#include "log/signature.h"
#include "standard/collective.h"

bool mck_online_open(struct mck_online *o, uint32_t rank, uint32_t size, const struct mck_online_transport *transport) {
  *o = (struct mck_online){.rank = rank, .size = size, .transport = transport, .first_wildcard = 1, .nsettled = 1};
  return (o->wildcards = mck_base_alloc_large(MCK_ONLINE_WILDCARDS * sizeof *o->wildcards)) != NULL;
}

void mck_online_close(struct mck_online *o) {
  for (size_t i = 0; i < o->nchannels; i++) free(o->channels[i].records);
  free(o->posted), free(o->channels), free(o->streams), free(o->collectives), free(o->entered), free(o->wildcards);
  free(o->places), free(o->open);
  mck_table_free(&o->channel_table);
  mck_table_free(&o->stream_table);
  mck_table_free(&o->place_table);
}

// A lost process says so by its clock: its messages are late for no receive, and a process that takes over this clock
// is lost, too.
void mck_online_lose(struct mck_online *o, enum mck_online_reason reason) {
  if (o->lost) return;
  o->lost = reason;
  o->clock = MCK_ONLINE_LOST;
}

static int32_t world_of(const struct mck_online *o, const struct mck_event *e) {
  const struct mck_comm_def *comm = mck_online_comm(o, e->msg.comm);
  return comm ? mck_comm_world_rank(comm, e->msg.peer, comm->remote_size > 0) : -1;
}

uint64_t mck_online_bytes(const struct mck_online *o, const struct mck_event *e) {
  uint32_t type = e->msg.type;
  if (type < MCK_TYPE_USER) return e->msg.count * mck_basic_bytes(type);
  type -= MCK_TYPE_USER;
  return type < o->log->ntypes && o->log->types[type].body ? e->msg.count * o->log->types[type].body->size : UINT64_MAX;
}

// --- receives ---
static struct mck_online_posted *find_posted(struct mck_online *o, uint32_t event) {
  size_t low = 0, high = o->nposted;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (o->posted[middle].event < event) low = middle + 1;
    else high = middle;
  }
  return low < o->nposted && o->posted[low].event == event ? &o->posted[low] : NULL;
}

// R2: a receive or probe is posted.
static void post(struct mck_online *o, uint32_t index) {
  const struct mck_event *e = &o->log->events[index];
  if (!mck_online_comm(o, e->msg.comm)) return;
  bool any_source = mck_event_any_source(e), any_tag = mck_event_any_tag(e);
  struct mck_online_posted new = {.event = index,
                                  .comm = e->msg.comm,
                                  .number = o->nposted_ever++,
                                  .shown = o->shown,
                                  .from = any_source ? -1 : world_of(o, e),
                                  .tag = any_tag ? -1 : e->msg.tag,
                                  .is_probe = e->kind == MCK_EV_PROBE};
  o->has_any_tag |= any_tag;
  if (any_source || any_tag) new.wild = mck_online_add_wildcard(o, &new, e);
  if (!MCK_PUSH(o->posted, o->nposted, o->posted_capacity, new)) mck_online_lose(o, MCK_ONLINE_ROOM);
}

// Reads its match, as MPI reported it. Returns false if it has none and will never get one.
static bool read_match(struct mck_online *o, struct mck_online_posted *p) {
  const struct mck_event *e = &o->log->events[p->event];
  uint8_t flags = mck_event_flags(e);
  if (mck_event_message(e, flags).cancel == MCK_STD_CANCELLED) return false;
  if (!mck_event_flags_are_known(flags)) return true;
  p->got_from = world_of(o, e);
  p->got_tag = e->msg.tag;
  p->is_known = p->got_from >= 0;
  return true;
}

// Must p's match, if it ever comes, have come before that of later, which was posted after p (R_m of paper 5; C4)? What
// p will get is still unknown; where that matters, the answer is yes. A value that is given too early is never wrong.
static bool is_before(const struct mck_online *o, const struct mck_online_posted *p,
                      const struct mck_online_posted *later) {
  if (later->is_known) {
    if (mck_online_accepts(p, mck_online_got(later))) return true;
    struct mck_std_pattern of_any_tag = mck_online_pattern(p); // p may get an earlier message of that sender
    of_any_tag.is_any_tag = true;
    return mck_online_pattern(later).is_any_tag && mck_std_accepts(of_any_tag, mck_online_got(later));
  }
  return o->has_any_tag && mck_std_overlaps(mck_online_pattern(p), mck_online_pattern(later));
}

static void merge(struct mck_online *o, size_t index) {
  const struct mck_online_posted *p = &o->posted[index];
  mck_online_take_over(o, p->is_paired ? p->record.clock : mck_online_bound(o, index));
}

static int32_t source_of(const struct mck_online *o, const struct mck_online_posted *p) {
  return o->log->events[p->event].msg.peer;
}

// Everything about a message and its receive is known now.
static void report(struct mck_online *o, struct mck_online_posted *p) {
  p->is_reported = true;
  o->nsynchronous -= p->record.kind == MCK_CLOCK_RECORD_SYNCHRONOUS && !p->is_probe;
  mck_online_matched(o, p, source_of(o, p));
  if (!p->is_probe) mck_online_look_for_late(o, p, source_of(o, p));
}

// R4: CompleteNow in the order of posting, then the receive itself, then the clocks of their messages.
static void settle(struct mck_online *o, struct mck_online_posted *p) {
  size_t index = (size_t)(p - o->posted), nbefore = 0;
  uint64_t *before = o->open;
  for (size_t i = index; i-- > 0;) {
    const struct mck_online_posted *other = &o->posted[i];
    if (other->is_settled || other->is_probe) continue;
    bool is_now = is_before(o, other, p);
    for (size_t k = 0; o->has_any_tag && k < nbefore && !is_now; k++)
      is_now = is_before(o, other, &o->posted[before[k]]);
    if (!is_now || (!o->has_any_tag && !other->wild)) continue;
    if (!mck_base_grow((void **)&o->open, &o->open_capacity, nbefore + 1, sizeof *o->open))
      mck_online_lose(o, MCK_ONLINE_ROOM);
    else before = o->open, before[nbefore++] = i;
  }
  // A sender of a synchronous message may know of these matches already, so all records that arrived are needed.
  if ((nbefore || p->wild) && o->transport->has_synchronous(o->transport->context)) mck_online_read_all_records(o);
  for (size_t i = nbefore; i-- > 0;) mck_online_give_value(o, &o->posted[before[i]]);
  mck_online_give_value(o, p);
  p->value = p->wild >= o->first_wildcard && p->wild ? o->wildcards[p->wild % MCK_ONLINE_WILDCARDS].value : o->clock;
  p->is_settled = true;
  merge(o, index);
  for (size_t i = 0; i < nbefore; i++) merge(o, before[i]);
  if (o->lost) return;
  if (p->is_paired) report(o, p);
  else if (p->is_probe) mck_online_close_wildcard(o, p->wild);
}

static void forget_posted(struct mck_online *o) {
  size_t kept = 0;
  for (size_t i = 0; i < o->nposted; i++) {
    const struct mck_online_posted *p = &o->posted[i];
    if (!p->is_settled || !(p->is_reported || p->is_probe)) o->posted[kept++] = *p;
  }
  o->nposted = kept;
}

static void remove_posted(struct mck_online *o, struct mck_online_posted *p) {
  size_t index = (size_t)(p - o->posted);
  memmove(p, p + 1, (--o->nposted - index) * sizeof *p);
}

// n operations complete at once.
static void complete(struct mck_online *o, const struct mck_event *wait, const uint32_t *one, uint32_t n) {
  bool is_any = false;
  for (uint32_t i = 0; i < n; i++) {
    struct mck_online_posted *p = find_posted(o, one ? *one : mck_wait_request(wait, i));
    if (!p || p->is_known) continue;
    if (!read_match(o, p)) remove_posted(o, p);
    else is_any = true;
  }
  if (!is_any) return;
  mck_online_pair(o);
  for (uint32_t i = 0; i < n && !o->lost; i++) {
    struct mck_online_posted *p = find_posted(o, one ? *one : mck_wait_request(wait, i));
    if (p && p->is_known && !p->is_settled) settle(o, p);
  }
  // Those that were not decided before.
  for (size_t i = 0; i < o->nposted && !o->lost; i++) {
    struct mck_online_posted *p = &o->posted[i];
    if (p->is_paired && p->is_settled && !p->is_reported) report(o, p);
  }
  forget_posted(o);
}

// --- other ends ---
// C9': a process that has completed a synchronous send goes on above the value that its receive has or will get.
static void complete_send(struct mck_online *o, const struct mck_event *e) {
  uint8_t flags = mck_event_flags(e);
  int32_t to = world_of(o, e);
  if ((flags & MCK_MODE_MASK) != MCK_FLAG_SYNC || flags & (MCK_FLAG_LOCAL | MCK_FLAG_CANCELLED) || to < 0) return;
  uint32_t clock = o->transport->clock_of(o->transport->context, (uint32_t)to);
  mck_online_take_over(o, clock < MCK_ONLINE_LOST - 1 ? clock + 1 : clock);
}

static bool is_of_group(const struct mck_event *e) {
  switch (e->kind) {
  case MCK_EV_FENCE: return true;
  case MCK_EV_SYNC: return mck_std_waits_for_partners(e->fn);
  case MCK_EV_CALL: return mck_std_is_beside_communicators(e->fn);
  default: return false;
  }
}

static bool is_of_worlds(const struct mck_event *e) {
  return (e->kind == MCK_EV_COLL || e->kind == MCK_EV_CALL) && mck_std_opens_world(e->fn);
}

static void complete_op(struct mck_online *o, uint32_t event) {
  if (event >= o->end) return;
  const struct mck_event *e = &o->log->events[event];
  if (e->kind == MCK_EV_SEND) complete_send(o, e);
  for (size_t i = 0; e->kind == MCK_EV_COLL && i < o->ncollectives; i++) {
    if (o->collectives[i].event != event) continue;
    mck_online_complete_collective(o, event, o->collectives[i].nth);
    o->collectives[i] = o->collectives[--o->ncollectives];
    return;
  }
}

// --- along the log ---
void mck_online_enter(struct mck_online *o, struct mck_reader *log, uint32_t index) {
  o->log = log;
  const struct mck_event *e = &log->events[index];
  for (uint64_t i = o->at; i < index && mck_log_reach(log, i); i += mck_event_units(&log->events[i])) {} // definitions
  if (e->kind == MCK_EV_COLL) mck_online_enter_collective(o, index);
  const struct mck_comm_def *comm = e->kind == MCK_EV_SEND ? mck_online_comm(o, e->msg.comm) : NULL;
  if (!comm) return;
  bool is_synchronous = (e->flags & MCK_MODE_MASK) == MCK_FLAG_SYNC;
  struct mck_clock_record record = {.comm = comm->body->key,
                                    .bytes = mck_online_bytes(o, e),
                                    .clock = o->clock,
                                    .site = e->site,
                                    .tag = e->msg.tag,
                                    .fn = e->fn,
                                    .kind = is_synchronous ? MCK_CLOCK_RECORD_SYNCHRONOUS : MCK_CLOCK_RECORD_MESSAGE};
  if (is_synchronous) o->transport->announce_synchronous(o->transport->context);
  mck_online_put(o, world_of(o, e), &record);
}

static void look_at(struct mck_online *o, uint32_t index) {
  const struct mck_event *e = &o->log->events[index];
  switch (e->kind) {
  case MCK_EV_RECV:
  case MCK_EV_MPROBE:
  case MCK_EV_PROBE:
    post(o, index);
    if (e->kind != MCK_EV_RECV || !(e->flags & MCK_FLAG_NONBLOCKING)) complete(o, NULL, &index, 1);
    break;
  case MCK_EV_SEND:
  case MCK_EV_COLL:
    if (!(e->flags & MCK_FLAG_NONBLOCKING)) complete_op(o, index);
    break;
  case MCK_EV_WAIT:
    if (e->flags != MCK_WAIT_ALL) break; // a DONE event says which operations completed
    /* fallthrough */
  case MCK_EV_DONE:
    complete(o, e, NULL, e->wait.count);
    for (uint32_t i = 0; i < e->wait.count; i++) complete_op(o, mck_wait_request(e, i));
    break;
  default:
    if (is_of_group(e)) mck_online_take_over_all(o);
  }
  if (is_of_worlds(e)) mck_online_lose(o, MCK_ONLINE_WORLDS);
}

void mck_online_step(struct mck_online *o, struct mck_reader *log) {
  enum { READ_EVERY = 1024 };
  o->log = log;
  o->end = log->units;
  for (; mck_log_reach(log, o->at); o->at += mck_event_units(&log->events[o->at])) {
    if (!o->lost) look_at(o, (uint32_t)o->at);
    else if (o->at % READ_EVERY == 0) mck_online_read_all_records(o);
  }
  if (o->shown == o->clock) return;
  o->shown = o->clock;
  o->transport->show(o->transport->context, o->shown);
}

void mck_online_visit(struct mck_online *o, void (*visit)(uint32_t *event)) {
  for (size_t i = 0; i < o->nposted; i++) visit(&o->posted[i].event);
  for (size_t i = 0; i < o->ncollectives; i++) visit(&o->collectives[i].event);
}

void mck_online_moved(struct mck_online *o, uint64_t units) { o->at = units; }

static int32_t source_in(const struct mck_comm_def *comm, int32_t world) {
  bool is_remote = comm->remote_size > 0;
  for (uint32_t i = 0; i < (is_remote ? comm->remote_size : comm->size); i++)
    if (mck_comm_world_rank(comm, (int)i, is_remote) == world) return (int32_t)i;
  return -1;
}

static bool is_open_for(const struct mck_online *o, struct mck_std_envelope message) {
  for (size_t i = 0; i < o->nposted; i++)
    if (!o->posted[i].is_paired && !o->posted[i].is_probe && mck_online_accepts(&o->posted[i], message)) return true;
  return false;
}

// Unreceived messages could have come, too: the first of each channel, if no open receive may have taken one.
static void look_at_lost(struct mck_online *o) {
  for (size_t i = 0; i < o->nchannels; i++) {
    const struct mck_online_channel *c = &o->channels[i];
    if (c->kind != MCK_CLOCK_RECORD_MESSAGE || c->first == c->count) continue;
    uint32_t comm = 0;
    while (comm < o->log->ncomms && !(o->log->comms[comm].body && o->log->comms[comm].body->key == c->comm)) comm++;
    if (comm == o->log->ncomms) continue;
    if (is_open_for(o, (struct mck_std_envelope){comm, (int32_t)c->from, c->tag})) continue;
    struct mck_online_posted p = {.comm = comm,
                                  .number = MCK_NONE,
                                  .got_from = (int32_t)c->from,
                                  .got_tag = c->tag,
                                  .previous = c->last,
                                  .record = c->records[c->first].record,
                                  .sequence = c->records[c->first].sequence,
                                  .value = MCK_ONLINE_LOST};
    mck_online_find_predecessors(o, &p);
    mck_online_look_for_late(o, &p, source_in(&o->log->comms[comm], p.got_from));
  }
}

bool mck_online_end(struct mck_online *o) {
  // taken: receives that took a record each. open: receives that may have taken one each, since the program has not
  // waited for them.
  uint64_t taken = 0, open = 0;
  mck_online_read_all_records(o);
  for (size_t i = 0; i < o->nposted; i++) {
    const struct mck_online_posted *p = &o->posted[i];
    if (!p->is_paired && !p->is_probe) *(p->is_known ? &taken : &open) += 1;
  }
  uint64_t left = mck_online_left(o);
  if (left && !o->lost) look_at_lost(o);
  mck_online_end_wildcards(o);
  return o->lost || (left >= taken && left <= taken + open);
}
