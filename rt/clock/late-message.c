// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Late messages (LLCP definition 4.1, theorems 4.3 and 4.5): a message came to a rank after a wildcard receive that
// would have taken it; could it have been on its way already? The theorems look at one message of one tag, and leave
// the rest to the rerun of the program. That rest is decided here: of several messages of one sender only the first can
// match, and only a receive that has no earlier pending receive for it. docs/design/clocks.md has the proof's outline.
//
//   (a) the receive accepts the message by its arguments, and got another one
//   (b) no earlier receive took the message
//   (c) late: the receive's match does not come before the send
//   (d) each earlier receive that accepts the message can have matched by then
//   (e) each earlier message of its sender that the receive accepts can have been taken by then
#include <stdlib.h>
#include <string.h>
#include "base/worker-threads.h"
#include "clock/clock-state.h"
#include "order/non-overtaking.h"

enum { RECENT = 32 };

// A channel to this log, and its last receive.
struct channel {
  uint32_t comm, last;
  int32_t peer, tag;
  size_t low; // wildcards before this one cannot have got the next message (look_at_in_order)
};
struct late {
  struct mck_clock *c;
  uint32_t number; // the number of the receiving log
  struct mck_clock_log *log;
  uint32_t **taken_before; // [sending log][index of a send]: the last receive that took an earlier message from its
                           // sender to its destination; MCK_NONE: one of them was not taken; for MPI_ANY_TAG only
  struct mck_table table;  // of channels
  struct channel *channels;
  size_t nchannels, capacity;
  uint32_t recent[RECENT]; // a cache of channels
  uint64_t alternatives;
  bool is_short;
};

// Does the event with this stamp come after the match of the wildcard?
static bool knows(const struct mck_clock *c, const struct mck_clock_log *log, size_t wild, uint32_t stamp) {
  const uint32_t *clock = mck_clock_stamp(c, stamp);
  if (clock[log->component] > log->wildcards[wild].value) return true;
  for (uint32_t i = mck_clock_witness_of(log, wild); i != MCK_NONE; i = c->witnesses[i].next)
    if (clock[c->witnesses[i].component] > c->witnesses[i].value) return true;
  return false;
}

// The calls that order events before a cut are not in the log any more. A receive that was complete there is older than
// all that is sent behind it, and was judged with the part before.
static inline bool is_settled(const struct mck_clock_log *log, const struct mck_clock_wildcard *w) {
  return log->cut != MCK_NONE && w->index < log->cut && (w->value == UINT32_MAX || w->value < log->cut_value);
}

// Reports that the wildcards first to first + n - 1 of this log could have got the message.
static void report(struct late *l, size_t first, size_t n, struct mck_pair send) {
  const struct mck_clock_sink *sink = l->c->sink;
  l->alternatives += n;
  if (sink->range) sink->range(sink->context, l->number, l->log->wildcards, (uint32_t)first, (uint32_t)n, send);
  else
    for (size_t k = first + n; k-- > first;)
      sink->alternative(sink->context, (struct mck_pair){l->number, l->log->wildcards[k].index}, send);
}

static struct mck_pair send_of(const struct late *l, uint32_t receive) { return l->c->pairs->of[l->number][receive]; }

// Does a receive of this log accept the message, by its arguments? sender: its rank in the communicator.
static bool accepts(const struct mck_event *receive, uint32_t comm, int32_t sender, int32_t tag) {
  return MCK_STD_ACCEPTS(receive->msg.comm, comm, mck_event_any_source(receive), receive->msg.peer, sender,
                         mck_event_any_tag(receive), receive->msg.tag, tag);
}

// (d) and (e): no earlier receive or message has to wait for this very match. Receives that were complete when the
// wildcard was posted do not wait.
static bool is_free(const struct late *l, size_t wild, struct mck_pair send, int32_t sender, int32_t tag) {
  const struct mck_clock_wildcard *w = &l->log->wildcards[wild];
  const struct mck_event *events = l->c->logs[l->number].events, *receive = &events[w->index];
  if (!l->log->has_any_tag) return true;
  const struct mck_clock_pending *pending = &l->log->pending[wild];
  if (pending->n == MCK_NONE || !l->taken_before) return false;
  if (mck_event_any_tag(receive)) {
    uint32_t taken_before = l->taken_before[send.log][send.index];
    if (taken_before == MCK_NONE || taken_before >= w->index) return false;
  }
  for (uint32_t i = 0; i < pending->n; i++) {
    uint32_t other = l->c->pool[pending->first + i];
    struct mck_pair its = send_of(l, other);
    bool stands = accepts(&events[other], receive->msg.comm, sender, tag) ||
                  (its.log == send.log && its.index < send.index && mck_event_accepts(receive, &events[other]));
    if (!stands) continue;
    if (its.log == MCK_NONE || l->log->matched[other] == MCK_NONE) return false;
    if (knows(l->c, l->log, wild, l->log->matched[other])) return false;
  }
  return true;
}

// Finds the wildcards that could have got the message, among the first `low` of this rank and posted after the receive
// `from` (MCK_NONE: all).
static void look(struct late *l, struct mck_pair send, int32_t sender, int32_t tag, uint32_t comm, uint32_t from,
                 size_t low) {
  struct mck_clock *c = l->c;
  const struct mck_event *events = c->logs[l->number].events;
  uint32_t stamp = c->by_log[send.log].stamps[send.index];
  uint32_t own = mck_clock_stamp(c, stamp)[l->log->component];
  while (low-- > 0) {
    const struct mck_clock_wildcard *w = &l->log->wildcards[low];
    if ((from != MCK_NONE && w->index <= from) || own > l->log->highest[low]) return;
    if (is_settled(l->log, w)) continue;
    struct mck_pair mine = send_of(l, w->index);
    if (!accepts(&events[w->index], comm, sender, tag) || mine.log == MCK_NONE) continue;
    if ((mine.log == send.log && mine.index == send.index) || knows(c, l->log, low, stamp)) continue;
    if (!is_free(l, low, send, sender, tag)) continue;
    report(l, low, 1, send);
  }
}

static bool is_message(const struct mck_event *e) {
  return (e->kind == MCK_EV_RECV || e->kind == MCK_EV_MPROBE) && mck_event_is_known(e);
}

// Theorem 4.3 demands also that the message's clock is below that of the receive that took it. With vector clocks that
// is so whenever the message is late.
static bool is_below(const struct late *l, struct mck_pair send, uint32_t receive) {
  if (l->c->kind != MCK_CLOCK_LAMPORT) return true;
  uint32_t clock = mck_clock_stamp(l->c, l->c->by_log[send.log].stamps[send.index])[0];
  const struct mck_clock_wildcard *w = mck_clock_find_wildcard(l->log, receive);
  uint32_t value = w ? w->value : l->log->values[receive];
  return value != UINT32_MAX && clock < value;
}

// A channel from one log to another, and the last receive that took a message of it.
struct lost_channel {
  uint64_t key;
  int32_t tag;
  uint32_t last; // MCK_NONE: none
  bool has_lost; // its first unreceived message was found
};
struct lost_channels {
  struct mck_table table;
  struct lost_channel *items;
  size_t n, capacity;
};

// Returns NULL when out of memory.
static struct lost_channel *find_lost_channel(struct lost_channels *channels, uint64_t key, int32_t tag) {
  uint64_t hash = mck_table_mix(key, (uint32_t)tag);
  uint32_t at, id;
  MCK_TABLE_EACH (&channels->table, hash, at, id)
    if (channels->items[id].key == key && channels->items[id].tag == tag) return &channels->items[id];
  struct lost_channel new = {.key = key, .tag = tag, .last = MCK_NONE};
  if (!MCK_PUSH(channels->items, channels->n, channels->capacity, new) ||
      !mck_table_add(&channels->table, hash, (uint32_t)channels->n - 1))
    return NULL;
  return &channels->items[channels->n - 1];
}

// send: an unreceived message to this rank.
static void look_at_lost_message(struct late *l, struct mck_pair send, const struct mck_comm_def *comm, int32_t tag,
                                 uint32_t last) {
  const struct mck_reader *here = &l->c->logs[l->number];
  for (uint32_t own = 0; own < here->ncomms; own++) // the communicator's number in the receiver's log
    if (here->comms[own].body && here->comms[own].body->key == comm->body->key)
      look(l, send, (int32_t)comm->rank, tag, own, last, l->log->nwildcards);
}

// The unreceived messages from this log to this rank: the first of each channel.
static void look_at_lost_of(struct late *l, uint32_t sender) {
  struct mck_clock *c = l->c;
  const struct mck_reader *r = &c->logs[sender];
  struct lost_channels channels = {0};
  for (uint64_t k = 0; k < r->units && !l->is_short; k += mck_event_units(&r->events[k])) {
    const struct mck_event *e = &r->events[k];
    if (e->kind != MCK_EV_SEND || !mck_event_is_sent(e)) continue;
    const struct mck_comm_def *comm = mck_order_comm(r, e->msg.comm);
    if (!comm || mck_order_peer(r, e) != (int)c->logs[l->number].header->rank) continue;
    struct lost_channel *channel = find_lost_channel(&channels, comm->body->key, e->msg.tag);
    if (!channel) {
      l->is_short = true;
      break;
    }
    struct mck_pair to = c->pairs->of[sender][k];
    if (to.log != MCK_NONE) channel->last = to.index;
    if (to.log != MCK_NONE || channel->has_lost) continue;
    channel->has_lost = true;
    look_at_lost_message(l, (struct mck_pair){sender, (uint32_t)k}, comm, e->msg.tag, channel->last);
  }
  free(channels.items);
  mck_table_free(&channels.table);
}

// The unreceived messages to this rank, if the matches of all its receives are known.
static void look_at_lost(struct late *l) {
  const struct mck_clock *c = l->c;
  if (l->log->is_undecided || c->counts->doubts & (MCK_DOUBT_INCOMPLETE | MCK_DOUBT_UNDECIDED)) return;
  for (size_t i = 0; i < c->n && !l->is_short; i++) {
    if (!c->pairs->facts[i].nalone) continue;
    if (mck_clock_find_highest(l->log)) look_at_lost_of(l, (uint32_t)i);
    else l->is_short = true;
  }
}

static inline bool is_channel(const struct channel *c, const struct mck_event *e) {
  return mck_std_is_same_envelope((struct mck_std_envelope){c->comm, c->peer, c->tag}, mck_event_envelope(e));
}

static struct channel *search_channel(struct late *l, const struct mck_event *e) {
  uint64_t hash = mck_std_hash_end(mck_event_end(e, false));
  uint32_t at, id;
  MCK_TABLE_EACH (&l->table, hash, at, id)
    if (is_channel(&l->channels[id], e)) return &l->channels[id];
  struct channel new = {e->msg.comm, MCK_NONE, e->msg.peer, e->msg.tag, 0};
  if (!MCK_PUSH(l->channels, l->nchannels, l->capacity, new) ||
      !mck_table_add(&l->table, hash, (uint32_t)l->nchannels - 1))
    return l->is_short = true, NULL;
  return &l->channels[l->nchannels - 1];
}

static inline struct channel *find_channel(struct late *l, const struct mck_event *e) {
  uint32_t *recent = &l->recent[(uint32_t)e->msg.peer % RECENT];
  struct channel *channel = *recent < l->nchannels ? &l->channels[*recent] : NULL;
  if (MCK_LIKELY(channel && is_channel(channel, e))) return channel;
  channel = search_channel(l, e);
  if (channel) *recent = (uint32_t)(channel - l->channels);
  return channel;
}

// All wildcards are equal, have one tag, and their values grow in posted order. So those that could have got a message
// are one range, and its beginning only moves forward with the messages of a channel. Then no wildcard is looked at
// twice for one channel.
static bool is_in_order(const struct late *l) {
  const struct mck_clock_log *log = l->log;
  if (l->c->kind != MCK_CLOCK_VECTOR || log->has_any_tag || log->is_mixed || log->witness) return false;
  for (size_t k = 1; k < log->nwildcards; k++)
    if (log->wildcards[k].value < log->wildcards[k - 1].value) return false;
  return true;
}

static void look_at_in_order(struct late *l) {
  const struct mck_clock *c = l->c;
  const struct mck_reader *r = &c->logs[l->number];
  const struct mck_clock_wildcard *wildcards = l->log->wildcards;
  const struct mck_pair *pairs = c->pairs->of[l->number];
  size_t nwildcards = l->log->nwildcards, before = 0; // wildcards posted before the current event
  uint32_t component = l->log->component;
  for (uint64_t i = 0; i < r->units; i += mck_event_units(&r->events[i])) {
    const struct mck_event *e = &r->events[i];
    __builtin_prefetch(e + MCK_LOG_AHEAD);
    if (!is_message(e) || !mck_clock_is_alike(l->log, e)) continue;
    while (before < nwildcards && wildcards[before].index < i) before++;
    struct mck_pair send = pairs[i];
    if (send.log == MCK_NONE) continue;
    struct channel *channel = find_channel(l, e);
    if (!channel) return;
    uint32_t own = mck_clock_stamp(c, c->by_log[send.log].stamps[send.index])[component];
    size_t low = channel->low;
    while (low < before && (wildcards[low].value < own || is_settled(l->log, &wildcards[low]))) low++;
    if (low < before) report(l, low, before - low, send);
    channel->low = before + (before < nwildcards && wildcards[before].index == i);
    channel->last = (uint32_t)i;
  }
}

static void look_at(struct late *l) {
  const struct mck_reader *r = &l->c->logs[l->number];
  const struct mck_clock_log *log = l->log;
  size_t before = 0;
  if (!mck_clock_find_highest(l->log)) {
    l->is_short = true;
    return;
  }
  for (uint64_t i = 0; i < r->units; i += mck_event_units(&r->events[i])) {
    const struct mck_event *e = &r->events[i];
    if (!is_message(e)) continue;
    while (before < log->nwildcards && log->wildcards[before].index < i) before++;
    struct mck_pair send = l->c->pairs->of[l->number][i];
    if (send.log == MCK_NONE) continue;
    struct channel *channel = find_channel(l, e);
    if (!channel) return;
    if (is_below(l, send, (uint32_t)i)) look(l, send, e->msg.peer, e->msg.tag, e->msg.comm, channel->last, before);
    channel->last = (uint32_t)i;
  }
}

// --- for MPI_ANY_TAG ---
static bool fill_taken_before(const struct mck_clock *c, uint32_t number, uint32_t *taken_before) {
  struct {
    uint64_t key;
    int32_t peer;
    uint32_t last;
  } *channels = NULL;
  size_t nchannels = 0, capacity = 0;
  struct mck_table table = {0};
  const struct mck_reader *r = &c->logs[number];
  bool is_good = true;
  for (uint64_t k = 0; is_good && k < r->units; k += mck_event_units(&r->events[k])) {
    const struct mck_event *e = &r->events[k];
    const struct mck_comm_def *comm = e->kind == MCK_EV_SEND ? mck_order_comm(r, e->msg.comm) : NULL;
    if (!comm || !mck_event_is_sent(e)) continue;
    uint32_t at, id = 0;
    uint64_t hash = mck_table_mix(comm->body->key, (uint32_t)e->msg.peer);
    bool is_known = false;
    MCK_TABLE_EACH (&table, hash, at, id)
      if (channels[id].key == comm->body->key && channels[id].peer == e->msg.peer) {
        is_known = true;
        break;
      }
    if (!is_known) {
      id = (uint32_t)nchannels;
      is_good = mck_base_grow((void **)&channels, &capacity, nchannels + 1, sizeof *channels) &&
                mck_table_add(&table, hash, id);
      if (!is_good) break;
      channels[nchannels].key = comm->body->key, channels[nchannels].peer = e->msg.peer, channels[nchannels++].last = 0;
    }
    taken_before[k] = channels[id].last;
    uint32_t taken = c->pairs->of[number][k].index; // MCK_NONE: it was not taken
    if (taken > channels[id].last) channels[id].last = taken;
  }
  free(channels);
  mck_table_free(&table);
  return is_good;
}

static void look_at_log(void *context, uint32_t number) {
  struct late *l = (struct late *)context + number;
  if (l->log->is_owner && l->log->nwildcards) {
    if (is_in_order(l)) look_at_in_order(l);
    else look_at(l);
    look_at_lost(l);
  }
  free(l->channels);
  mck_table_free(&l->table);
}

void mck_clock_find_late(struct mck_clock *c) {
  uint32_t **taken_before = NULL;
  bool has_any_tag = false, is_good = true;
  uint64_t units = 0;
  for (size_t i = 0; i < c->n; i++) has_any_tag |= c->by_log[i].has_any_tag, units += c->logs[i].units;
  if (has_any_tag) taken_before = calloc(c->n + 1, sizeof *taken_before);
  for (size_t i = 0; taken_before && is_good && i < c->n; i++) {
    taken_before[i] = calloc(c->logs[i].units + 1, sizeof **taken_before);
    is_good = taken_before[i] && fill_taken_before(c, (uint32_t)i, taken_before[i]);
  }
  struct late *lates = calloc(c->n + 1, sizeof *lates);
  if ((has_any_tag && !taken_before) || !is_good || !lates) c->is_short = true;
  for (size_t i = 0; lates && i < c->n; i++)
    lates[i] = (struct late){.c = c, .number = (uint32_t)i, .log = &c->by_log[i], .taken_before = taken_before};
  uint32_t nworkers = c->sink->is_parallel ? mck_workers_size(units) : 1;
  if (!c->is_short) mck_workers_run((uint32_t)c->n, nworkers, look_at_log, lates);
  for (size_t i = 0; lates && i < c->n; i++) {
    if (lates[i].log->is_owner) c->counts->wildcards += lates[i].log->nwildcards;
    c->counts->alternatives += lates[i].alternatives;
    c->is_short |= lates[i].is_short;
  }
  for (size_t i = 0; taken_before && i < c->n; i++) free(taken_before[i]);
  free(taken_before);
  free(lates);
}
