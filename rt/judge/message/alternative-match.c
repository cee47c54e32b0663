// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums up the alternative matches of wildcard receives by place (alternative-match.h).
#include "judge/message/alternative-match.h"
#include <stdlib.h>
#include <string.h>
#include "base/worker-threads.h"
#include "judge/message/message-match.h"
#include "judge/message/probe-receive.h"

static const struct mck_event *event_of(const struct mck_alternatives *l, struct mck_pair at) {
  return &l->whole->logs[at.log].events[at.index];
}

struct mck_signature mck_alternatives_signature(const struct mck_whole *whole, const struct mck_signatures *types,
                                                struct mck_pair at) {
  const struct mck_event *e = &whole->logs[at.log].events[at.index];
  return mck_signature_of(&types[at.log], e->msg.type, e->msg.count);
}

static struct mck_signature signature_of(const struct mck_alternatives *l, struct mck_pair at) {
  return mck_alternatives_signature(l->whole, l->types, at);
}

struct mck_pair mck_alternatives_room(const struct mck_whole *whole, struct mck_pair receive) {
  const struct mck_pair none = {MCK_NONE, MCK_NONE};
  const struct mck_reader *log = &whole->logs[receive.log];
  const struct mck_event *e = &log->events[receive.index];
  if (e->kind == MCK_EV_RECV) return receive;
  if (e->kind != MCK_EV_PROBE || mck_told_of(log, e) & (MCK_TOLD_COUNT | MCK_TOLD_TAG)) return none;
  uint32_t room = mck_told_receive(log, receive.index);
  return room == MCK_NONE ? none : (struct mck_pair){receive.log, room};
}

static struct mck_typed typed_of(const struct mck_alternatives *l, struct mck_pair at) {
  const struct mck_event *e = event_of(l, at);
  return (struct mck_typed){&l->types[at.log], e->msg.type, e->msg.count};
}

// Would it be wrong in this receive, while the message that came is right?
static bool is_wrong(const struct mck_alternatives *l, struct mck_pair receive, struct mck_pair got,
                     struct mck_pair other) {
  struct mck_typed room = typed_of(l, receive);
  return mck_messages_is_mismatch(typed_of(l, other), room) && !mck_messages_is_mismatch(typed_of(l, got), room);
}

static enum mck_alternative_difference compare(const struct mck_alternatives *l, struct mck_pair receive,
                                               struct mck_pair got, struct mck_pair other) {
  const struct mck_event *a = event_of(l, got), *b = event_of(l, other);
  struct mck_signature one = signature_of(l, got), two = signature_of(l, other);
  struct mck_pair taker = mck_alternatives_room(l->whole, receive);
  if (taker.log != MCK_NONE) {
    struct mck_signature room = signature_of(l, taker);
    if (mck_signature_is_known(room) && mck_signature_is_known(two) && two.bytes > room.bytes)
      return MCK_ALTERNATIVE_TOO_LARGE;
    if (is_wrong(l, taker, got, other)) return MCK_ALTERNATIVE_WRONG_TYPE;
  }
  if (mck_signature_is_known(one) && mck_signature_is_known(two)) {
    if (one.bytes != two.bytes) return MCK_ALTERNATIVE_OTHER_SIZE;
    if (!mck_signature_is_equal(one, two)) return MCK_ALTERNATIVE_OTHER_TYPE;
  }
  if (a->msg.tag != b->msg.tag) return MCK_ALTERNATIVE_OTHER_TAG;
  // Site numbers of two logs are unrelated. Equal innermost frames are the same call site.
  const struct mck_reader *la = &l->whole->logs[got.log], *lb = &l->whole->logs[other.log];
  if (a->site < la->nstacks && b->site < lb->nstacks && la->stacks[a->site].depth && lb->stacks[b->site].depth &&
      (la->stacks[a->site].frames[0] & 0xffffffffffff) != (lb->stacks[b->site].frames[0] & 0xffffffffffff))
    return MCK_ALTERNATIVE_OTHER_CALL;
  return MCK_ALTERNATIVE_LIKE;
}

// The probe that this receive seems to follow, if it saw another message than the one that could come. Then the program
// has asked for the size or the sender of that message (MPI-3.1 3.8.1).
static struct mck_pair find_probe(const struct mck_alternatives *l, struct mck_pair receive, struct mck_pair other) {
  const struct mck_reader *log = &l->whole->logs[receive.log];
  const struct mck_event *e = &log->events[receive.index];
  for (uint32_t i = receive.index, left = 8; e->kind == MCK_EV_RECV && i-- > 0 && left--;) {
    const struct mck_event *p = &log->events[i];
    // The units before it may be the inside of a longer event. Only a probe has a match here.
    struct mck_pair seen = l->whole->pairs->of[receive.log][i];
    if (seen.log == MCK_NONE) continue;
    bool is_probe = p->kind == MCK_EV_PROBE && mck_event_is_wild(p) && p->msg.comm == e->msg.comm;
    if (is_probe && (seen.log != other.log || seen.index != other.index)) return (struct mck_pair){receive.log, i};
    if (p->kind == MCK_EV_RECV) break;
  }
  return (struct mck_pair){MCK_NONE, MCK_NONE};
}

// --- places, classes, shapes ---
static uint32_t place_of(struct mck_alternatives *l, const struct mck_event *e) {
  if (l->latest < l->nplaces && l->places[l->latest].site == e->site && l->places[l->latest].fn == e->fn)
    return l->latest;
  uint32_t at, id;
  uint64_t hash = mck_table_mix(e->site, e->fn);
  MCK_TABLE_EACH (&l->place_table, hash, at, id)
    if (l->places[id].site == e->site && l->places[id].fn == e->fn) return l->latest = id;
  struct mck_alternative_place new = {.log = l->number, .site = e->site, .fn = e->fn, .probe = {MCK_NONE, MCK_NONE}};
  if (!MCK_PUSH(l->places, l->nplaces, l->places_capacity, new) ||
      !mck_table_add(&l->place_table, hash, (uint32_t)l->nplaces - 1))
    return l->is_short = true, MCK_NONE;
  return l->latest = (uint32_t)l->nplaces - 1;
}

static struct mck_alternative_shape shape_of(uint32_t log, const struct mck_event *e) {
  return (struct mck_alternative_shape){log, e->site, e->msg.type, (uint32_t)e->msg.tag, e->msg.count};
}

static bool is_like(const struct mck_alternative_shape *a, const struct mck_alternative_shape *b) {
  return a->log == b->log && a->site == b->site && a->type == b->type && a->tag == b->tag && a->count == b->count;
}

static uint64_t hash_of(const struct mck_alternative_shape *s) {
  return mck_table_mix(mck_table_mix((uint64_t)s->log << 32 | s->site, (uint64_t)s->type << 32 | s->tag), s->count);
}

// 0: the send has no kind of its own.
static uint32_t look_of(const struct mck_alternatives *l, struct mck_pair send) {
  return (l->whole->pairs->looks[send.log][send.index] + 1u) % (MCK_LOOKS + 1);
}

static bool is_same(const struct mck_alternative_class *a, const struct mck_alternative_class *b) {
  return a->place == b->place && a->type == b->type && a->count == b->count && is_like(&a->got, &b->got);
}

static void add_room(struct mck_alternatives *l, const struct mck_event *e) {
  struct mck_signature room = mck_signature_of(&l->types[l->number], e->msg.type, e->msg.count);
  if (e->kind == MCK_EV_RECV && (!l->has_room || room.bytes < l->least)) l->least = room.bytes, l->has_room = true;
}

// From MCK_ALTERNATIVE_CLASSES on the number contains only the place, and the receives are compared each time.
static uint32_t class_of(struct mck_alternatives *l, uint32_t place, const struct mck_event *e, struct mck_pair got) {
  struct mck_alternative_class new = {place, e->msg.type, e->msg.count, shape_of(got.log, event_of(l, got))};
  uint64_t hash = mck_table_mix(mck_table_mix(hash_of(&new.got), (uint64_t)place << 32 | new.type), new.count);
  uint32_t at, id;
  MCK_TABLE_EACH (&l->class_table, hash, at, id)
    if (is_same(&l->classes[id], &new)) return id;
  if (l->nclasses == MCK_ALTERNATIVE_CLASSES) return MCK_ALTERNATIVE_CLASSES + place;
  if (!MCK_PUSH(l->classes, l->nclasses, l->classes_capacity, new) ||
      !mck_table_add(&l->class_table, hash, (uint32_t)l->nclasses - 1))
    l->is_short = true;
  return (uint32_t)l->nclasses - 1;
}

// The same as class_of, with a cache of the last answers.
static uint32_t class_of_receive(struct mck_alternatives *l, uint32_t place, const struct mck_event *e,
                                 struct mck_pair got) {
  uint32_t look = look_of(l, got), way = got.log % 16;
  bool is_same = look && l->recent[way].look == look && l->recent[way].log == got.log &&
                 l->recent[way].place == place && l->recent[way].type == e->msg.type &&
                 l->recent[way].count == e->msg.count;
  if (MCK_LIKELY(is_same)) return l->recent[way].class;
  uint32_t class = class_of(l, place, e, got);
  add_room(l, e);
  l->recent[way].log = got.log, l->recent[way].look = look, l->recent[way].place = place;
  l->recent[way].type = e->msg.type, l->recent[way].count = e->msg.count, l->recent[way].class = class;
  return class;
}

static struct mck_alternative_place *place_at(const struct mck_alternatives *l, uint32_t class) {
  return &l->places[class < MCK_ALTERNATIVE_CLASSES ? l->classes[class].place : class - MCK_ALTERNATIVE_CLASSES];
}

// MCK_NONE: there are too many shapes.
static uint32_t search_shape(struct mck_alternatives *l, struct mck_pair send) {
  struct mck_alternative_shape new = shape_of(send.log, event_of(l, send));
  uint64_t hash = hash_of(&new);
  uint32_t at, id;
  MCK_TABLE_EACH (&l->shape_table, hash, at, id)
    if (is_like(&l->shapes[id], &new)) return id;
  if (l->nshapes == MCK_ALTERNATIVE_CLASSES) return MCK_NONE;
  if (!MCK_PUSH(l->shapes, l->nshapes, l->shapes_capacity, new) ||
      !mck_table_add(&l->shape_table, hash, (uint32_t)l->nshapes - 1))
    return l->is_short = true, MCK_NONE;
  return (uint32_t)l->nshapes - 1;
}

static uint32_t shape_of_send(struct mck_alternatives *l, struct mck_pair send) {
  uint32_t look = look_of(l, send), way = send.log % 16;
  if (MCK_LIKELY(look && l->recent_shapes[way].look == look && l->recent_shapes[way].log == send.log))
    return l->recent_shapes[way].shape;
  uint32_t shape = search_shape(l, send);
  l->recent_shapes[way].log = send.log, l->recent_shapes[way].look = look, l->recent_shapes[way].shape = shape;
  return shape;
}

// --- the pass over the log ---
static size_t count_of(const struct mck_alternatives *l) { return l->whole->pairs->facts[l->number].nwilds; }

size_t mck_alternatives_size(const struct mck_alternatives *l) {
  size_t n = count_of(l);
  return n ? mck_slice_size(n * sizeof *l->class_of) + mck_slice_size((n + 1) * sizeof *l->more) : 0;
}

bool mck_alternatives_reserve(struct mck_alternatives *l, struct mck_slices *slices) {
  size_t n = count_of(l);
  if (!n) return true;
  l->class_of = mck_slices_take(slices, n * sizeof *l->class_of);
  l->more = mck_slices_take(slices, (n + 1) * sizeof *l->more);
  l->is_compared = calloc(MCK_ALTERNATIVE_CLASSES, MCK_ALTERNATIVE_CLASSES);
  return l->class_of && l->more && l->is_compared;
}

void mck_alternatives_open(struct mck_alternatives *l) {
  size_t n = count_of(l);
  if (!n) return;
  memset(l->more, 0, (n + 1) * sizeof *l->more);
  l->steps = MCK_ALTERNATIVE_LATER_STEPS;
  const struct mck_reader *r = &l->whole->logs[l->number];
  const struct mck_pair *pairs = l->whole->pairs->of[l->number];
  for (uint64_t i = 0; i < r->units && !l->is_short; i += mck_event_units(&r->events[i])) {
    const struct mck_event *e = &r->events[i];
    __builtin_prefetch(e + MCK_LOG_AHEAD);
    if (!mck_event_is_wild(e)) continue;
    uint32_t place = place_of(l, e);
    if (place == MCK_NONE) return;
    l->places[place].receives++;
    struct mck_pair got = pairs[i];
    if (!mck_event_is_known(e) || got.log == MCK_NONE) continue;
    l->class_of[l->nwilds++] = class_of_receive(l, place, e, got);
  }
}

// May what this receive leaves not fit a later one?
static bool may_be_later(const struct mck_alternatives *l, enum mck_alternative_difference difference,
                         struct mck_pair got) {
  if (!l->steps || !l->whole->pairs || l->whole->needs & (MCK_WHOLE_WORLDS | MCK_WHOLE_RMA)) return false;
  if (difference == MCK_ALTERNATIVE_OTHER_TYPE) return true;
  return difference == MCK_ALTERNATIVE_OTHER_SIZE && l->has_room && signature_of(l, got).bytes > l->least;
}

static enum mck_alternative_difference look_at_pair(struct mck_alternatives *l, struct mck_alternative_place *p,
                                                    struct mck_pair receive, struct mck_pair got,
                                                    struct mck_pair send) {
  enum mck_alternative_difference difference = compare(l, receive, got, send);
  bool is_first = p->other.index == 0; // no send has index 0: a definition has
  if (p->difference < MCK_ALTERNATIVE_LATER && may_be_later(l, difference, got)) {
    struct mck_later later = mck_later_find(l->whole, l->types, receive, got, send, &l->steps);
    if (later.receive.log != MCK_NONE) difference = MCK_ALTERNATIVE_LATER, p->later = later;
  }
  if (is_first || difference > p->difference)
    p->difference = difference, p->receive = receive, p->got = got, p->other = send;
  return difference;
}

// shape MCK_NONE: a shape that is compared each time.
static void look_at(struct mck_alternatives *l, uint32_t class, uint32_t index, struct mck_pair send, uint32_t shape) {
  bool is_known = shape != MCK_NONE && class < MCK_ALTERNATIVE_CLASSES;
  struct mck_alternative_place *p = place_at(l, class);
  struct mck_pair receive = {l->number, index};
  struct mck_pair got = l->whole->pairs->of[l->number][index];
  enum mck_alternative_difference difference = look_at_pair(l, p, receive, got, send);
  if (difference == MCK_ALTERNATIVE_TOO_LARGE && p->probe.log == MCK_NONE) p->probe = find_probe(l, receive, send);
  // Which probe stands before the receive, and which receives behind it, depends on more than the shape and the class.
  bool is_settled = difference == MCK_ALTERNATIVE_TOO_LARGE
                        ? p->probe.log != MCK_NONE
                        : p->difference >= MCK_ALTERNATIVE_LATER || !may_be_later(l, difference, got);
  if (is_known) l->is_compared[(size_t)shape * MCK_ALTERNATIVE_CLASSES + class] = is_settled;
}

void mck_alternatives_add(struct mck_alternatives *l, const struct mck_clock_wildcard *wilds, uint32_t first,
                          uint32_t n, struct mck_pair send) {
  if (l->is_short) return;
  uint32_t shape = shape_of_send(l, send), end = first + n;
  const uint8_t *row = shape == MCK_NONE ? NULL : l->is_compared + (size_t)shape * MCK_ALTERNATIVE_CLASSES;
  const uint32_t *class_of = l->class_of;
  l->more[first]++, l->more[end]--;
  for (uint32_t k = end; k-- > first;)
    if (!row || class_of[k] >= MCK_ALTERNATIVE_CLASSES || !row[class_of[k]])
      look_at(l, class_of[k], wilds[k].index, send, shape);
}

void mck_alternatives_sum(struct mck_alternatives *l) {
  int32_t others = 0;
  for (size_t k = 0; k < l->nwilds && !l->is_short; k++) {
    others += l->more[k];
    if (!others) continue;
    struct mck_alternative_place *p = place_at(l, l->class_of[k]);
    p->open++;
    if ((uint32_t)others + 1 > p->senders) p->senders = (uint32_t)others + 1;
  }
}

// --- plain runs ---
void mck_alternatives_add_kind(struct mck_alternatives *l, const struct mck_event *e) {
  add_room(l, e);
  if (!MCK_PUSH(l->place_of, l->nkinds, l->kinds_capacity, place_of(l, e))) l->is_short = true;
}

void mck_alternatives_compare_kind(struct mck_alternatives *l, uint32_t kind, struct mck_pair receive,
                                   struct mck_pair got, struct mck_pair send) {
  if (l->is_short) return;
  enum mck_alternative_difference d = look_at_pair(l, &l->places[l->place_of[kind]], receive, got, send);
  l->is_too_large |= d == MCK_ALTERNATIVE_TOO_LARGE;
  uint64_t left = d == MCK_ALTERNATIVE_OTHER_SIZE ? signature_of(l, got).bytes : 0;
  if (left > l->left) l->left = left;
  l->has_types |= d == MCK_ALTERNATIVE_OTHER_TYPE && !mck_messages_is_mismatch(typed_of(l, got), typed_of(l, receive));
}

void mck_alternatives_count_kind(struct mck_alternatives *l, uint32_t kind, uint64_t n, uint64_t open,
                                 uint32_t others) {
  if (l->is_short) return;
  struct mck_alternative_place *p = &l->places[l->place_of[kind]];
  p->receives += n;
  p->open += open;
  if (others && others + 1 > p->senders) p->senders = others + 1;
}

void mck_alternatives_close(struct mck_alternatives *l) {
  free(l->places), free(l->classes), free(l->shapes), free(l->is_compared), free(l->place_of);
  mck_table_free(&l->place_table);
  mck_table_free(&l->class_table);
  mck_table_free(&l->shape_table);
}
