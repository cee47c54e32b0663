// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over each log threads its sends and its receives of each channel into lists; then each receiver's channels are
// walked together with their senders'. The lists' links are kept where the result will be, so nothing but it is allocated
// for an event. Both steps are made log by log, by several threads where that is worth it: in the second a list of sends
// belongs to its one receiver.
#include "order/pairs.h"
#include <stdlib.h>
#include "base/crew.h"
#include "base/table.h"

struct list {
  uint32_t first, last;
};
struct channel {
  uint64_t key;
  int32_t peer, tag;  // world rank
  struct list list;
  bool is_send;
  bool is_undecided;  // from here on receives are not known
  bool is_met;        // sends: the receiver's side was found
  uint64_t nalone;    // ... and has no receive for so many
};
// A wildcard receive of one log that never got its match. source -1: any.
struct wildcard {
  uint64_t key;
  int32_t source, tag;
  bool any_tag;
};

enum {
  WILDCARDS_MAX = 256,  // each looks at every channel
  WAYS = 64,            // channels found last, by a few bits of their names
};

struct side {  // of one log
  struct mck_pairs *pairs;
  const struct mck_reader *log;
  struct mck_pair *of;
  struct channel *channels;
  size_t nchannels, capacity;
  struct mck_table table;
  struct wildcard wildcards[WILDCARDS_MAX];
  size_t nwildcards;
  uint64_t matched, lost, undecided;
  bool is_all_undecided, is_short;
  bool is_unordered;  // it logs in another order than it calls
  struct { uint32_t comm; int32_t peer, tag; uint32_t id; uint8_t is_set; bool is_send; } ways[WAYS];
};
struct making {
  struct side *sides;  // [log]
  struct mck_table log_of;  // by world rank
};

static bool accepts(const struct wildcard *w, const struct channel *c) {
  return !c->is_send && w->key == c->key && (w->source < 0 || w->source == c->peer) && (w->any_tag || w->tag == c->tag);
}

static uint64_t hash_of(uint64_t key, int32_t peer, int32_t tag, bool is_send) {
  return mck_table_mix(mck_table_mix(key, (uint64_t)(uint32_t)peer << 1 | is_send), (uint32_t)tag);
}

static struct channel *look_up(const struct side *s, uint64_t key, int32_t peer, int32_t tag, bool is_send) {
  uint32_t at, id;
  MCK_TABLE_EACH(&s->table, hash_of(key, peer, tag, is_send), at, id) {
    struct channel *c = &s->channels[id];
    if (c->key == key && c->peer == peer && c->tag == tag && c->is_send == is_send) return c;
  }
  return NULL;
}

static struct channel *find_channel(struct side *s, const struct mck_event *e, bool is_send) {
  uint32_t way = ((uint32_t)e->msg.peer * 2 + is_send + (uint32_t)e->msg.tag * 7 + e->msg.comm * 13) % WAYS;
  if (s->ways[way].is_set && s->ways[way].comm == e->msg.comm && s->ways[way].peer == e->msg.peer &&
      s->ways[way].tag == e->msg.tag && s->ways[way].is_send == is_send)
    return &s->channels[s->ways[way].id];
  const struct mck_comm_def *comm = mck_order_comm(s->log, e->msg.comm);
  int peer = mck_order_peer(s->log, e);
  if (!comm || peer < 0) return NULL;
  struct channel *c = look_up(s, comm->body->key, peer, e->msg.tag, is_send);
  if (!c) {
    struct channel new = {comm->body->key, peer, e->msg.tag, {MCK_NONE, MCK_NONE}, is_send, s->is_all_undecided, false, 0};
    if (!MCK_PUSH(s->channels, s->nchannels, s->capacity, new) ||
        !mck_table_add(&s->table, hash_of(new.key, peer, new.tag, is_send), (uint32_t)s->nchannels - 1))
      return s->is_short = true, NULL;
    c = &s->channels[s->nchannels - 1];
    // What comes to be now may have been accepted by a wildcard before.
    for (size_t i = 0; i < s->nwildcards; i++)
      if (accepts(&s->wildcards[i], c)) c->is_undecided = true;
  }
  s->ways[way].comm = e->msg.comm, s->ways[way].peer = e->msg.peer, s->ways[way].tag = e->msg.tag;
  s->ways[way].id = (uint32_t)(c - s->channels), s->ways[way].is_send = is_send, s->ways[way].is_set = true;
  return c;
}

// The link of the last one is MCK_NONE, as all of it is when its event is reached.
static void append(struct side *s, struct channel *c, uint32_t index) {
  if (c->list.first == MCK_NONE) c->list.first = index;
  else s->of[c->list.last].index = index;
  c->list.last = index;
}

static void add_wildcard(struct side *s, const struct mck_event *e) {
  const struct mck_comm_def *comm = mck_order_comm(s->log, e->msg.comm);
  if (!comm || s->is_all_undecided) return;
  struct wildcard w = {comm->body->key, -1, e->msg.tag, e->msg.tag < 0};
  if (e->msg.peer >= 0) w.source = mck_order_peer(s->log, e);
  for (size_t i = 0; i < s->nwildcards; i++) {
    const struct wildcard *o = &s->wildcards[i];
    if (o->key == w.key && o->source == w.source && o->any_tag == w.any_tag && (w.any_tag || o->tag == w.tag)) return;
  }
  s->is_all_undecided = s->nwildcards == WILDCARDS_MAX;
  for (size_t i = 0; i < s->nchannels; i++)
    if (s->is_all_undecided || accepts(&w, &s->channels[i])) s->channels[i].is_undecided = true;
  if (!s->is_all_undecided) s->wildcards[s->nwildcards++] = w;
}

static void add_receive(struct side *s, const struct mck_event *e, uint32_t index) {
  bool is_wild = e->flags & (MCK_FLAG_ANY_SOURCE | MCK_FLAG_ANY_TAG) && !(e->flags & MCK_FLAG_MATCHED);
  if (e->flags & MCK_FLAG_CANCELLED) {  // takes no message (MPI-3.1 3.8.4), or nobody knows
    if (e->kind == MCK_EV_RECV && e->flags & MCK_FLAG_MATCHED) add_wildcard(s, e);
    return;
  }
  if (is_wild) {
    add_wildcard(s, e);
    return;
  }
  struct channel *c = find_channel(s, e, false);
  if (!c) return;
  if (!c->is_undecided) append(s, c, index);
  else s->undecided++;
}

static void note(struct mck_pairs_facts *f, const struct mck_event *e) {
  bool is_told = e->flags & MCK_FLAG_MATCHED, is_cancelled = e->flags & MCK_FLAG_CANCELLED;
  bool is_open = e->flags & (MCK_FLAG_ANY_SOURCE | MCK_FLAG_ANY_TAG) || is_cancelled;
  if (e->kind == MCK_EV_RECV && is_told == is_cancelled && is_open) f->is_undecided = true;
  if (!mck_order_is_wild(e)) return;
  f->nwilds++;
  f->has_any_tag |= mck_order_any_tag(e);
}

static void pass_over(void *context, uint32_t number) {
  struct side *s = &((struct making *)context)->sides[number];
  const struct mck_pair none = {MCK_NONE, MCK_NONE};
  const struct mck_reader *r = s->log;
  struct mck_pairs_facts facts = {0};
  for (uint64_t i = 0; i < r->units && !s->is_short; i++) {
    const struct mck_event *e = &r->events[i];
    s->of[i] = none;
    switch (e->kind) {
    case MCK_EV_SEND:
      facts.has_synchronous |= (e->flags & MCK_MODE_MASK) == MCK_FLAG_SYNC;
      if (e->flags & MCK_FLAG_CANCELLED) break;
      struct channel *c = find_channel(s, e, true);
      if (c) append(s, c, (uint32_t)i);
      break;
    case MCK_EV_PROBE:
      note(&facts, e);
      if (mck_order_is_known(e)) add_receive(s, e, (uint32_t)i);
      break;
    case MCK_EV_RECV:
    case MCK_EV_MPROBE:
      note(&facts, e);
      add_receive(s, e, (uint32_t)i);
      break;
    default:
      for (uint64_t left = mck_event_units(e); --left;) s->of[++i] = none;
    }
  }
  s->pairs->facts[number] = facts;
}

static void drop(struct side *s, const struct channel *c) {
  for (uint32_t i = c->list.first, next; i != MCK_NONE; i = next) {
    next = s->of[i].index;
    s->of[i].index = MCK_NONE;
  }
}

static uint32_t find_log(const struct making *m, uint32_t rank) {
  uint32_t at, id;
  MCK_TABLE_EACH(&m->log_of, mck_table_mix(rank, 0), at, id) if (m->sides[id].log->header->rank == rank) return id;
  return MCK_NONE;
}

// c: receives of log; they meet the sends that another log has of the channel.
static void match(const struct making *m, uint32_t number, const struct channel *c) {
  struct side *to = &m->sides[number];
  uint32_t from = find_log(m, (uint32_t)c->peer);
  struct side *other = from == MCK_NONE ? NULL : &m->sides[from];
  struct channel *sends = other ? look_up(other, c->key, (int32_t)to->log->header->rank, c->tag, true) : NULL;
  if (!sends || sends->is_met) {
    drop(to, c);
    return;
  }
  sends->is_met = true;
  bool is_known = !to->is_unordered && !other->is_unordered;
  uint32_t s = sends->list.first, r = c->list.first;
  while (s != MCK_NONE || r != MCK_NONE) {
    struct mck_pair *send = s == MCK_NONE ? NULL : &other->of[s], *receive = r == MCK_NONE ? NULL : &to->of[r];
    uint32_t next_send = send ? send->index : MCK_NONE, next_receive = receive ? receive->index : MCK_NONE;
    bool is_pair = send && receive && is_known;
    if (receive) *receive = is_pair ? (struct mck_pair){from, s} : (struct mck_pair){MCK_NONE, MCK_NONE};
    r = next_receive;
    if (receive && to->log->events[receive - to->of].kind == MCK_EV_PROBE) continue;  // leaves the message where it is
    if (send) *send = is_pair ? (struct mck_pair){number, (uint32_t)(receive - to->of)} : (struct mck_pair){MCK_NONE, MCK_NONE};
    if (send && receive) to->matched += is_known;
    else if (send) to->lost++;
    sends->nalone += send && !is_pair;
    s = next_send;
  }
}

static void match_all(void *context, uint32_t number) {
  const struct making *m = context;
  struct side *s = &m->sides[number];
  bool is_one = find_log(m, s->log->header->rank) == number;  // not a second log of the same rank
  for (size_t i = 0; i < s->nchannels; i++) {
    const struct channel *c = &s->channels[i];
    if (!c->is_send && is_one) match(m, number, c);
    else if (!c->is_send) drop(s, c);
  }
}

// Sends of which no log has a receive.
static void lose(struct side *s, size_t number) {
  for (size_t i = 0; i < s->nchannels; i++) {
    const struct channel *c = &s->channels[i];
    if (!c->is_send) continue;
    uint64_t n = c->nalone;
    for (uint32_t at = c->is_met ? MCK_NONE : c->list.first; at != MCK_NONE; at = s->of[at].index) n++, s->lost++;
    if (!c->is_met) drop(s, c);
    s->pairs->facts[number].nalone += n;
  }
}

static bool open_sides(struct making *m, struct mck_pairs *pairs, const struct mck_reader *logs, bool is_strict) {
  m->sides = calloc(pairs->nlogs + 1, sizeof *m->sides);
  if (!m->sides) return false;
  for (size_t i = 0; i < pairs->nlogs; i++) {
    struct side *s = &m->sides[i];
    uint32_t rank = logs[i].header->rank;
    s->pairs = pairs, s->log = &logs[i];
    s->of = pairs->of[i] = mck_base_alloc_large((logs[i].units + 1) * sizeof *s->of);
    s->is_unordered = is_strict && atomic_load(&logs[i].header->is_multiple) & MCK_LOG_THREADS;
    if (!s->of) return false;
    if (find_log(m, rank) == MCK_NONE && !mck_table_add(&m->log_of, mck_table_mix(rank, 0), (uint32_t)i)) return false;
  }
  return true;
}

bool mck_pairs_make(struct mck_pairs *pairs, const struct mck_reader *logs, size_t n, bool is_strict) {
  *pairs = (struct mck_pairs){.nlogs = n, .of = calloc(n + 1, sizeof *pairs->of), .facts = calloc(n + 1, sizeof *pairs->facts)};
  struct making m = {0};
  uint64_t units = 0;
  for (size_t i = 0; i < n; i++) units += logs[i].units;
  bool is_good = pairs->of && pairs->facts && open_sides(&m, pairs, logs, is_strict);
  unsigned nthreads = mck_crew_size(units);
  if (is_good) mck_crew_run((uint32_t)n, nthreads, pass_over, &m);
  for (size_t i = 0; is_good && i < n; i++) is_good = !m.sides[i].is_short;
  if (is_good) mck_crew_run((uint32_t)n, nthreads, match_all, &m);
  for (size_t i = 0; m.sides && i < n; i++) {
    struct side *s = &m.sides[i];
    if (is_good) lose(s, i);
    pairs->matched += s->matched, pairs->lost += s->lost, pairs->undecided += s->undecided;
    free(s->channels);
    mck_table_free(&s->table);
  }
  free(m.sides);
  mck_table_free(&m.log_of);
  return is_good;
}

void mck_pairs_free(struct mck_pairs *pairs) {
  for (size_t i = 0; pairs->of && i < pairs->nlogs; i++) free(pairs->of[i]);
  free(pairs->of);
  free(pairs->facts);
  *pairs = (struct mck_pairs){0};
}
