// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step one: a pass over each log links its sends of each channel into lists, and its receives into one list, in the
// order of the log. Step two: each receiver's list is walked, and each receive takes the next send of its channel. The
// links are kept in the memory of the result, so nothing else is allocated per event, and both steps go through memory
// in order. Both are done log by log, by several threads where that is worth it: in step two a list of sends belongs to
// its only receiver.
#include "order/pairs.h"
#include <stdlib.h>
#include "base/worker-threads.h"
#include "base/hash-table.h"

struct list {
  uint32_t first, last;
};
struct channel {
  struct mck_std_end end; // peers are world ranks
  bool is_undecided;      // receives: from here on their matches are unknown
  bool is_unordered;      // nothing orders two of its sends, or two of its receives
  uint32_t piece;         // of the strands, in which the last one of them is
  bool has_one;           // ... and there is one
  // Sends:
  struct list list;
  uint8_t look;    // of the last send
  bool is_met;     // the receiver's log was found
  uint64_t nalone; // ... and has no receive for so many of them
};
enum {
  UNDECIDED_MAX = 256, // each one is compared with all channels
  WAYS = 64,           // a cache of channels, by a few bits of their names
};
static const uint32_t PROBE = 1u << 31; // a bit in a list of receives, beside the channel's number

struct side { // the facts of one log
  struct mck_pairs *pairs;
  const struct mck_reader *log;
  struct mck_pair *of;
  uint8_t *looks;
  uint32_t seen[MCK_LOOKS]; // a send of each kind (look)
  size_t nseen;
  struct mck_table look_table;
  struct list receives; // .log: the channel of each
  struct channel *channels;
  size_t nchannels, capacity;
  struct mck_table table;
  struct mck_std_pattern undecided[UNDECIDED_MAX]; // what receives without a known match accept
  size_t nundecided;
  uint64_t matched, lost, left_open;
  bool is_all_undecided, is_short;
  bool is_unordered;          // its log is not in the order of its calls
  struct mck_strands strands; // ... but in the order of these
  uint32_t piece;             // of them: that of the last event that was asked for
  struct {
    uint64_t name;
    int64_t tag;
    uint32_t id;
  } ways[WAYS];
};
struct making {
  struct side *sides;      // [log]
  struct mck_table log_of; // by world rank
};

static bool accepts(const struct mck_std_pattern *p, const struct channel *c) {
  return !c->end.is_send && mck_std_accepts(*p, mck_std_envelope_at(c->end));
}

static struct channel *look_up(const struct side *s, struct mck_std_end end) {
  uint32_t at, id;
  MCK_TABLE_EACH (&s->table, mck_std_hash_end(end), at, id)
    if (mck_std_is_same_end(s->channels[id].end, end)) return &s->channels[id];
  return NULL;
}

// The rare case: a channel that is not in the cache.
static struct channel *search(struct side *s, const struct mck_event *e, bool is_send) {
  const struct mck_comm_def *comm = mck_order_comm(s->log, e->msg.comm);
  int peer = mck_order_peer(s->log, e);
  if (!comm || peer < 0) return NULL;
  struct mck_std_end end = {comm->body->key, peer, e->msg.tag, is_send};
  struct channel *c = look_up(s, end);
  if (c) return c;
  struct channel new = {.end = end, .list = {MCK_NONE, MCK_NONE}, .is_undecided = s->is_all_undecided};
  if (s->nchannels >= PROBE || !MCK_PUSH(s->channels, s->nchannels, s->capacity, new) ||
      !mck_table_add(&s->table, mck_std_hash_end(end), (uint32_t)s->nchannels - 1))
    return s->is_short = true, NULL;
  c = &s->channels[s->nchannels - 1];
  // An earlier undecided receive may accept messages of the new channel.
  for (size_t i = 0; i < s->nundecided; i++)
    if (accepts(&s->undecided[i], c)) c->is_undecided = true;
  return c;
}

static inline struct channel *find_channel(struct side *s, const struct mck_event *e, bool is_send) {
  uint64_t name = (uint64_t)e->msg.comm << 32 | (uint32_t)e->msg.peer;
  int64_t tag = (int64_t)e->msg.tag * 4 + 2 + is_send; // never 0
  uint32_t way = ((uint32_t)e->msg.peer * 2 + is_send + (uint32_t)e->msg.tag * 7 + e->msg.comm * 13) % WAYS;
  if (MCK_LIKELY(s->ways[way].name == name && s->ways[way].tag == tag)) return &s->channels[s->ways[way].id];
  struct channel *c = search(s, e, is_send);
  if (c) s->ways[way].name = name, s->ways[way].tag = tag, s->ways[way].id = (uint32_t)(c - s->channels);
  return c;
}

static bool looks_like(const struct mck_event *a, const struct mck_event *b) {
  return a->site == b->site && a->msg.type == b->msg.type && a->msg.tag == b->msg.tag && a->msg.count == b->msg.count;
}

static uint8_t search_look(struct side *s, const struct mck_event *e, uint32_t index) {
  uint64_t hash = mck_table_mix(mck_table_mix(e->site, (uint64_t)e->msg.type << 32 | (uint32_t)e->msg.tag),
                                e->msg.count);
  uint32_t at, id;
  MCK_TABLE_EACH (&s->look_table, hash, at, id)
    if (looks_like(&s->log->events[s->seen[id]], e)) return (uint8_t)id;
  if (s->nseen == MCK_LOOKS) return MCK_LOOKS;
  s->seen[s->nseen] = index;
  if (!mck_table_add(&s->look_table, hash, (uint32_t)s->nseen)) s->is_short = true;
  return (uint8_t)s->nseen++;
}

// The messages of a channel are in the order of the log if each is ordered before the next one.
static inline void look_at_order(struct side *s, struct channel *c, uint32_t index) {
  if (MCK_LIKELY(!s->strands.npieces)) return;
  s->piece = mck_strands_next_piece(&s->strands, s->piece, index);
  c->is_unordered |= c->has_one && !mck_strands_piece_is_before(&s->strands, c->piece, s->piece);
  c->piece = s->piece, c->has_one = true;
}

// The link of the last element is MCK_NONE.
static inline void append_send(struct side *s, struct channel *c, const struct mck_event *e, uint32_t index) {
  uint32_t last = c->list.last;
  if (last == MCK_NONE) c->list.first = index;
  else s->of[last].index = index;
  if (last == MCK_NONE || !looks_like(&s->log->events[last], e)) c->look = search_look(s, e, index);
  s->looks[index] = c->look;
  look_at_order(s, c, index);
  c->list.last = index;
}

static inline void append_receive(struct side *s, uint32_t channel, uint32_t index) {
  s->of[index].log = channel;
  if (s->receives.last == MCK_NONE) s->receives.first = index;
  else s->of[s->receives.last].index = index;
  s->receives.last = index;
}

static void add_undecided(struct side *s, const struct mck_event *e) {
  const struct mck_comm_def *comm = mck_order_comm(s->log, e->msg.comm);
  if (!comm || s->is_all_undecided) return;
  int source = e->msg.peer >= 0 ? mck_order_peer(s->log, e) : MCK_ANY_SOURCE;
  struct mck_std_pattern p = mck_std_pattern(comm->body->key, source, e->msg.tag);
  for (size_t i = 0; i < s->nundecided; i++)
    if (mck_std_is_same_pattern(s->undecided[i], p)) return;
  s->is_all_undecided = s->nundecided == UNDECIDED_MAX;
  for (size_t i = 0; i < s->nchannels; i++)
    if (s->is_all_undecided || accepts(&p, &s->channels[i])) s->channels[i].is_undecided = true;
  if (!s->is_all_undecided) s->undecided[s->nundecided++] = p;
}

static inline void add_known(struct side *s, const struct mck_event *e, uint32_t index) {
  struct channel *c = find_channel(s, e, false);
  if (!c) return;
  look_at_order(s, c, index);
  if (!c->is_undecided) append_receive(s, (uint32_t)(c - s->channels) | (e->kind == MCK_EV_PROBE ? PROBE : 0), index);
  else s->left_open++;
}

// A receive or probe.
static inline void add_receive(struct side *s, struct mck_pairs_facts *facts, const struct mck_event *e,
                               uint32_t index) {
  bool is_any_tag = mck_event_any_tag(e);
  facts->nwilds += is_any_tag || mck_event_any_source(e);
  facts->has_any_tag |= is_any_tag;
  if (MCK_LIKELY(mck_event_is_known(e))) { // it takes or finds the next message of its channel
    add_known(s, e, index);
    return;
  }
  if (mck_event_place(e) != MCK_STD_UNDECIDED) return;
  facts->is_undecided |= e->kind == MCK_EV_RECV;
  add_undecided(s, e);
}

static void pass_over(void *context, uint32_t number) {
  struct side *s = &((struct making *)context)->sides[number];
  const struct mck_pair none = {MCK_NONE, MCK_NONE};
  const struct mck_reader *r = s->log;
  struct mck_pairs_facts facts = {0};
  for (uint64_t i = 0; i < r->units && !s->is_short; i++) {
    const struct mck_event *e = &r->events[i];
    __builtin_prefetch(e + MCK_LOG_AHEAD);
    s->of[i] = none;
    switch (e->kind) {
    case MCK_EV_SEND:
      facts.has_synchronous |= (e->flags & MCK_MODE_MASK) == MCK_FLAG_SYNC;
      if (!mck_event_is_sent(e)) break;
      struct channel *c = find_channel(s, e, true);
      if (c) append_send(s, c, e, (uint32_t)i);
      break;
    case MCK_EV_PROBE:
    case MCK_EV_RECV:
    case MCK_EV_MPROBE: add_receive(s, &facts, e, (uint32_t)i); break;
    default:
      for (uint64_t left = mck_event_units(e); --left;) s->of[++i] = none;
    }
  }
  s->pairs->facts[number] = facts;
}

static uint32_t find_log(const struct making *m, uint32_t rank) {
  uint32_t at, id;
  MCK_TABLE_EACH (&m->log_of, mck_table_mix(rank, 0), at, id)
    if (m->sides[id].log->header->rank == rank) return id;
  return MCK_NONE;
}

// The sends that the receives of a channel take, from another log.
struct source {
  struct side *other; // NULL: there is none
  struct channel *sends;
  uint32_t from, next;
  bool is_known;
};

static struct source source_of(const struct making *m, const struct side *to, const struct channel *c) {
  struct source none = {.next = MCK_NONE};
  uint32_t from = find_log(m, (uint32_t)c->end.peer);
  struct mck_std_end end = mck_std_other_end(c->end, (int32_t)to->log->header->rank);
  struct channel *sends = from == MCK_NONE ? NULL : look_up(&m->sides[from], end);
  if (!sends || sends->is_met) return none;
  sends->is_met = true;
  return (struct source){&m->sides[from], sends, from, sends->list.first,
                         !to->is_unordered && !m->sides[from].is_unordered && !c->is_unordered && !sends->is_unordered};
}

// Sends behind the last receive.
static void leave_alone(struct side *to, struct source *s) {
  for (uint32_t i = s->next, next; i != MCK_NONE; i = next) {
    next = s->other->of[i].index;
    s->other->of[i].index = MCK_NONE;
    to->lost++;
    s->sends->nalone++;
  }
}

static void match_all(void *context, uint32_t number) {
  const struct making *m = context;
  struct side *to = &m->sides[number];
  const struct mck_pair none = {MCK_NONE, MCK_NONE};
  bool is_one = find_log(m, to->log->header->rank) == number; // it is not a second log of the same rank
  struct source *sources = calloc(to->nchannels + 1, sizeof *sources);
  if (!sources) {
    to->is_short = true;
    return;
  }
  for (size_t i = 0; i < to->nchannels; i++) {
    sources[i].next = MCK_NONE;
    if (is_one && !to->channels[i].end.is_send) sources[i] = source_of(m, to, &to->channels[i]);
  }
  for (uint32_t i = to->receives.first, next; i != MCK_NONE; i = next) {
    struct source *s = &sources[to->of[i].log & ~PROBE];
    bool is_probe = to->of[i].log & PROBE; // a probe leaves the message
    uint32_t taken = s->next;
    next = to->of[i].index;
    to->of[i] = taken != MCK_NONE && s->is_known ? (struct mck_pair){s->from, taken} : none;
    if (taken == MCK_NONE || is_probe) continue;
    struct mck_pair *send = &s->other->of[taken];
    s->next = send->index;
    *send = s->is_known ? (struct mck_pair){number, i} : none;
    to->matched += s->is_known;
    s->sends->nalone += !s->is_known;
  }
  for (size_t i = 0; i < to->nchannels; i++) leave_alone(to, &sources[i]);
  free(sources);
}

static void drop(struct side *s, const struct channel *c) {
  for (uint32_t i = c->list.first, next; i != MCK_NONE; i = next) {
    next = s->of[i].index;
    s->of[i].index = MCK_NONE;
  }
}

// Sends that no log has a receive for.
static void lose(struct side *s, size_t number) {
  for (size_t i = 0; i < s->nchannels; i++) {
    const struct channel *c = &s->channels[i];
    if (!c->end.is_send) continue;
    uint64_t n = c->nalone;
    for (uint32_t at = c->is_met ? MCK_NONE : c->list.first; at != MCK_NONE; at = s->of[at].index) n++, s->lost++;
    if (!c->is_met) drop(s, c);
    s->pairs->facts[number].nalone += n;
  }
}

static bool open_sides(struct making *m, struct mck_pairs *pairs, const struct mck_reader *logs, bool is_strict) {
  struct mck_slices slices = {0};
  size_t bytes = 0;
  for (size_t i = 0; i < pairs->nlogs; i++)
    bytes += mck_slice_size(logs[i].units * sizeof(struct mck_pair)) + mck_slice_size(logs[i].units);
  m->sides = calloc(pairs->nlogs + 1, sizeof *m->sides);
  if (!m->sides || !mck_slices_open(&slices, bytes)) return false;
  pairs->memory = slices.memory;
  for (size_t i = 0; i < pairs->nlogs; i++) {
    struct side *s = &m->sides[i];
    uint32_t rank = logs[i].header->rank;
    s->pairs = pairs, s->log = &logs[i];
    s->of = pairs->of[i] = mck_slices_take(&slices, logs[i].units * sizeof *s->of);
    s->looks = pairs->looks[i] = mck_slices_take(&slices, logs[i].units);
    s->receives = (struct list){MCK_NONE, MCK_NONE};
    bool is_lost;
    if (!mck_strands_read(&pairs->strands[i], &logs[i], &is_lost)) return false;
    if (is_strict) s->strands = pairs->strands[i];
    s->is_unordered = is_strict &&
                      (is_lost || (atomic_load(&logs[i].header->is_multiple) & MCK_LOG_THREADS && !s->strands.npieces));
    if (find_log(m, rank) == MCK_NONE && !mck_table_add(&m->log_of, mck_table_mix(rank, 0), (uint32_t)i)) return false;
  }
  return true;
}

bool mck_pairs_make(struct mck_pairs *pairs, const struct mck_reader *logs, size_t n, bool is_strict) {
  *pairs = (struct mck_pairs){.nlogs = n,
                              .strands = calloc(n + 1, sizeof *pairs->strands),
                              .of = calloc(n + 1, sizeof *pairs->of),
                              .looks = calloc(n + 1, sizeof *pairs->looks),
                              .facts = calloc(n + 1, sizeof *pairs->facts)};
  struct making m = {0};
  uint64_t units = 0;
  for (size_t i = 0; i < n; i++) units += logs[i].units;
  bool is_good = pairs->strands && pairs->of && pairs->looks && pairs->facts && open_sides(&m, pairs, logs, is_strict);
  unsigned nthreads = mck_workers_size(units);
  if (is_good) mck_workers_run((uint32_t)n, nthreads, pass_over, &m);
  for (size_t i = 0; is_good && i < n; i++) is_good = !m.sides[i].is_short;
  if (is_good) mck_workers_run((uint32_t)n, nthreads, match_all, &m);
  for (size_t i = 0; m.sides && i < n; i++) {
    struct side *s = &m.sides[i];
    if (is_good) lose(s, i);
    pairs->matched += s->matched, pairs->lost += s->lost, pairs->undecided += s->left_open;
    free(s->channels);
    is_good = is_good && !s->is_short;
    mck_table_free(&s->table);
    mck_table_free(&s->look_table);
  }
  free(m.sides);
  mck_table_free(&m.log_of);
  return is_good;
}

void mck_pairs_free(struct mck_pairs *pairs) {
  for (size_t i = 0; pairs->strands && i < pairs->nlogs; i++) mck_strands_free(&pairs->strands[i]);
  free(pairs->strands);
  free(pairs->memory);
  free(pairs->of);
  free(pairs->looks);
  free(pairs->facts);
  *pairs = (struct mck_pairs){0};
}
