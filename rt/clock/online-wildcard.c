// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wildcards of the online clocks, their values, and the late messages (definition 4.1, theorem 4.3) that could have
// come to them. What the theorem leaves open is decided as over logs (late-message.c): of several messages of one
// sender only the first can match.
#include <stdlib.h>
#include <string.h>
#include "clock/online-clock.h"
#include "log/signature.h"

static struct mck_online_wildcard *at(const struct mck_online *o, uint64_t number) {
  return &o->wildcards[number % MCK_ONLINE_WILDCARDS];
}

static uint32_t place_of(struct mck_online *o, const struct mck_event *e) {
  uint32_t slot, id;
  uint64_t hash = mck_table_mix(e->site, e->fn);
  MCK_TABLE_EACH (&o->place_table, hash, slot, id)
    if (o->places[id].site == e->site && o->places[id].fn == e->fn) return id;
  struct mck_online_place new = {.site = e->site, .fn = e->fn, .kind = e->kind};
  if (!MCK_PUSH(o->places, o->nplaces, o->places_capacity, new) ||
      !mck_table_add(&o->place_table, hash, (uint32_t)o->nplaces - 1))
    return mck_online_lose(o, MCK_ONLINE_ROOM), MCK_NONE;
  return (uint32_t)o->nplaces - 1;
}

static enum mck_online_difference compare(const struct mck_online_wildcard *w) {
  if (w->other.bytes > w->room) return MCK_ONLINE_TOO_LARGE;
  if (w->other.bytes != w->got.bytes) return MCK_ONLINE_OTHER_SIZE;
  return w->other.tag != w->got.tag ? MCK_ONLINE_OTHER_TAG : MCK_ONLINE_EQUAL;
}

// Adds the results of a wildcard to its place. A wildcard that never got a message is not reported.
static void sum_up(struct mck_online *o, uint64_t number) {
  const struct mck_online_wildcard *w = at(o, number);
  struct mck_online_place *p = &o->places[w->place];
  if (!w->open || !w->has_got) return;
  enum mck_online_difference difference = compare(w);
  if (!p->open++ || difference > p->difference)
    p->difference = difference, p->number = (uint32_t)number, p->got = w->got, p->other = w->other;
  if (p->senders <= w->open) p->senders = w->open + 1;
}

void mck_online_end_wildcards(struct mck_online *o) {
  for (; o->first_wildcard <= o->nwildcards_ever; o->first_wildcard++) sum_up(o, o->first_wildcard);
}

uint64_t mck_online_add_wildcard(struct mck_online *o, const struct mck_online_posted *p, const struct mck_event *e) {
  uint32_t place = place_of(o, e);
  uint64_t bytes = mck_online_bytes(o, e);
  if (place == MCK_NONE) return 0;
  o->places[place].receives++;
  if (o->nwildcards_ever - o->first_wildcard + 1 >= MCK_ONLINE_WILDCARDS) {
    sum_up(o, o->first_wildcard);
    if (o->nsettled < ++o->first_wildcard) o->nsettled = o->first_wildcard;
    o->forgotten++;
  }
  struct mck_online_wildcard new = {.number = p->number,
                                    .comm = p->comm,
                                    .value = MCK_NONE,
                                    .from = p->from,
                                    .tag = p->tag,
                                    .place = place,
                                    .room = e->kind == MCK_EV_RECV && bytes != UINT64_MAX ? bytes : UINT64_MAX};
  // (d) of late-message.c: a pending receive that accepts the same message must be able to match before. If it accepts
  // exactly the same messages, that follows from the other conditions, as it does with one tag. Otherwise, with
  // MPI_ANY_TAG, nothing is said.
  for (size_t i = 0; o->has_any_tag && i < o->nposted; i++) {
    const struct mck_online_posted *other = &o->posted[i];
    if (other->number < p->number && !other->is_settled && other->comm == p->comm &&
        !mck_std_is_same_pattern(mck_online_pattern(other), mck_online_pattern(p)))
      new.is_closed = true;
  }
  *at(o, ++o->nwildcards_ever) = new;
  return o->nwildcards_ever;
}

// R4. If the sender of a synchronous message may know of the match already (C9'), the value is not above the clock that
// this process showed when the receive was posted: that sender went on with a higher clock than the one shown.
void mck_online_give_value(struct mck_online *o, const struct mck_online_posted *p) {
  if (!p->wild) return;
  bool is_there = p->wild >= o->first_wildcard;
  struct mck_online_wildcard *w = at(o, p->wild);
  if (is_there && w->value != MCK_NONE) return;
  if (is_there) w->value = o->nsynchronous && p->shown < o->clock ? p->shown : o->clock;
  if (o->clock < MCK_ONLINE_LOST - 1) o->clock++;
  else mck_online_lose(o, MCK_ONLINE_ROOM);
  for (; o->nsettled <= o->nwildcards_ever && at(o, o->nsettled)->value != MCK_NONE; o->nsettled++) {
    uint32_t before = o->nsettled > o->first_wildcard ? at(o, o->nsettled - 1)->highest : 0;
    struct mck_online_wildcard *next = at(o, o->nsettled);
    next->highest = next->value > before ? next->value : before;
  }
}

static struct mck_online_message message_of(const struct mck_online_posted *p, int32_t source) {
  return (struct mck_online_message){(uint32_t)p->got_from, p->record.site,  source,
                                     p->record.tag,         p->record.bytes, p->record.fn};
}

void mck_online_matched(struct mck_online *o, const struct mck_online_posted *p, int32_t source) {
  if (!p->wild || p->wild < o->first_wildcard) return;
  struct mck_online_wildcard *w = at(o, p->wild);
  w->has_got = true;
  w->got = message_of(p, source);
  w->got_sequence = p->sequence;
}

void mck_online_close_wildcard(struct mck_online *o, uint64_t wild) {
  if (wild && wild >= o->first_wildcard) at(o, wild)->is_closed = true;
}

static void report(struct mck_online *o, struct mck_online_wildcard *w, uint64_t number,
                   const struct mck_online_posted *p, int32_t source) {
  struct mck_online_message was = w->other;
  enum mck_online_difference difference = w->has_got && w->has_other ? compare(w) : MCK_ONLINE_EQUAL;
  w->other = message_of(p, source);
  if (w->has_other && (!w->has_got || compare(w) <= difference)) w->other = was;
  w->has_other = true;
  w->open++;
  o->alternatives++;
  if (o->report) o->report(o->report_context, number, (uint32_t)p->got_from, p->sequence);
}

// p took its message: which earlier wildcards could have got it?
void mck_online_look_for_late(struct mck_online *o, const struct mck_online_posted *p, int32_t source) {
  uint32_t clock = p->record.clock;
  if (clock >= p->value) return; // theorem 4.3: m.LC < r'.LC
  for (uint64_t number = o->nwildcards_ever; number >= o->first_wildcard && number; number--) {
    struct mck_online_wildcard *w = at(o, number);
    if (p->previous != MCK_NONE && w->number <= p->previous) return; // the previous message of its channel comes first
    if (number < o->nsettled && clock > w->highest) return;
    if (w->number >= p->number || w->is_closed || w->value == MCK_NONE || clock > w->value) continue;
    if (!mck_std_accepts(mck_std_pattern(w->comm, w->from, w->tag), mck_online_got(p))) continue;
    if (w->has_got && w->got.from == (uint32_t)p->got_from && w->got_sequence == p->sequence)
      continue; // the probe found this very message
    // (e): each earlier message of its sender has been taken by then.
    if (w->tag < 0 && (!p->is_first || (p->before != MCK_NONE && p->before >= w->number))) continue;
    report(o, w, number, p, source);
  }
}
