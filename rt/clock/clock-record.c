// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clock records that arrived, by channel, and which of them belongs to which receive.
#include <stdlib.h>
#include <string.h>
#include "clock/online-clock.h"

static bool is_message(uint32_t kind) { return kind != MCK_CLOCK_RECORD_COLLECTIVE; }

// --- channels and streams ---
static bool is_channel(const struct mck_online_channel *c, uint64_t comm, uint32_t from, uint32_t kind, int32_t tag) {
  struct mck_std_envelope a = {c->comm, (int32_t)c->from, c->tag}, b = {comm, (int32_t)from, tag};
  return c->kind == kind && mck_std_is_same_envelope(a, b);
}

static uint32_t channel_of(struct mck_online *o, uint64_t comm, uint32_t from, uint32_t kind, int32_t tag) {
  uint32_t at, id;
  if (o->last_channel < o->nchannels && is_channel(&o->channels[o->last_channel], comm, from, kind, tag))
    return o->last_channel;
  uint64_t hash = mck_table_mix(mck_table_mix(comm, (uint64_t)from << 32 | (uint32_t)tag), kind);
  MCK_TABLE_EACH (&o->channel_table, hash, at, id)
    if (is_channel(&o->channels[id], comm, from, kind, tag)) return o->last_channel = id;
  struct mck_online_channel new = {.comm = comm, .from = from, .kind = kind, .tag = tag, .last = MCK_NONE};
  if (!is_message(kind)) new.last = 0;
  if (!MCK_PUSH(o->channels, o->nchannels, o->channels_capacity, new) ||
      !mck_table_add(&o->channel_table, hash, (uint32_t)o->nchannels - 1))
    return mck_online_lose(o, MCK_ONLINE_ROOM), MCK_NONE;
  return (uint32_t)o->nchannels - 1;
}

static struct mck_online_stream *stream_of(struct mck_online *o, uint64_t comm, uint32_t from) {
  uint32_t at, id;
  uint64_t hash = mck_table_mix(comm, from);
  MCK_TABLE_EACH (&o->stream_table, hash, at, id)
    if (o->streams[id].comm == comm && o->streams[id].from == from) return &o->streams[id];
  struct mck_online_stream new = {.comm = comm, .from = from, .last = MCK_NONE};
  if (!MCK_PUSH(o->streams, o->nstreams, o->streams_capacity, new) ||
      !mck_table_add(&o->stream_table, hash, (uint32_t)o->nstreams - 1))
    return mck_online_lose(o, MCK_ONLINE_ROOM), NULL;
  return &o->streams[o->nstreams - 1];
}

static void append(struct mck_online *o, struct mck_online_channel *c, const struct mck_clock_record *record,
                   uint64_t sequence) {
  if (c->first && c->first >= c->count / 2) { // drops the records that were taken
    memmove(c->records, c->records + c->first, (c->count - c->first) * sizeof *c->records);
    c->count -= c->first, c->first = 0;
  }
  if (!mck_base_grow((void **)&c->records, &c->capacity, c->count + 1, sizeof *c->records)) {
    mck_online_lose(o, MCK_ONLINE_ROOM);
    return;
  }
  c->records[c->count].record = *record;
  c->records[c->count++].sequence = sequence;
}

void mck_online_read_records(struct mck_online *o, uint32_t from) {
  struct mck_clock_record record;
  while (o->transport->take(o->transport->context, from, &record)) {
    if (o->lost) continue; // they are not needed any more, but the sender needs their room
    bool is_one = is_message(record.kind);
    struct mck_online_stream *s = is_one ? stream_of(o, record.comm, from) : NULL;
    uint32_t channel = channel_of(o, record.comm, from, is_one ? MCK_CLOCK_RECORD_MESSAGE : record.kind,
                                  is_one ? record.tag : 0);
    if (channel == MCK_NONE || (is_one && !s)) continue;
    append(o, &o->channels[channel], &record, s ? s->arrived++ : 0);
    o->nsynchronous += record.kind == MCK_CLOCK_RECORD_SYNCHRONOUS;
  }
}

void mck_online_read_all_records(struct mck_online *o) {
  for (uint32_t i = 0; i < o->size; i++) mck_online_read_records(o, i);
}

// --- receives ---
static uint64_t key_of(const struct mck_online *o, uint32_t comm) { return o->log->comms[comm].body->key; }

void mck_online_find_predecessors(struct mck_online *o, struct mck_online_posted *p) {
  const struct mck_online_stream *s = stream_of(o, key_of(o, p->comm), (uint32_t)p->got_from);
  p->is_first = s && s->taken == p->sequence && s->end == p->sequence;
  p->before = s ? s->last : MCK_NONE;
}

// The record of p is the first one of its channel.
static void pair(struct mck_online *o, struct mck_online_posted *p) {
  uint64_t key = key_of(o, p->comm);
  uint32_t id = channel_of(o, key, (uint32_t)p->got_from, MCK_CLOCK_RECORD_MESSAGE, p->got_tag);
  if (id == MCK_NONE) return;
  if (o->channels[id].first == o->channels[id].count) mck_online_read_records(o, (uint32_t)p->got_from);
  struct mck_online_channel *c = &o->channels[id];
  struct mck_online_stream *s = stream_of(o, key, (uint32_t)p->got_from);
  if (!s) return;
  if (c->first == c->count) {
    mck_online_lose(o, MCK_ONLINE_UNRECORDED);
    return;
  }
  p->is_paired = true;
  p->record = c->records[c->first].record, p->sequence = c->records[c->first].sequence;
  p->previous = c->last;
  mck_online_find_predecessors(o, p);
  if (p->is_probe) return; // the message stays
  c->first++;
  c->last = p->number;
  s->taken++;
  if (s->end <= p->sequence) s->end = p->sequence + 1;
  if (s->last == MCK_NONE || s->last < p->number) s->last = p->number;
}

// May an earlier posted receive still take a message of its channel?
static bool is_undecided(const struct mck_online *o, const struct mck_online_posted *p, size_t nopen) {
  for (size_t i = 0; i < nopen; i++) {
    const struct mck_online_posted *other = &o->posted[o->open[i]];
    bool takes = other->is_known ? mck_std_is_same_envelope(mck_online_got(other), mck_online_got(p))
                                 : mck_online_accepts(other, mck_online_got(p));
    if (takes) return true;
  }
  return false;
}

void mck_online_pair(struct mck_online *o) {
  size_t nopen = 0;
  for (size_t i = 0; i < o->nposted && !o->lost; i++) {
    struct mck_online_posted *p = &o->posted[i];
    if (p->is_paired) continue;
    if (p->is_known && !is_undecided(o, p, nopen)) {
      pair(o, p);
      continue;
    }
    if (p->is_probe) continue;
    if (!mck_base_grow((void **)&o->open, &o->open_capacity, nopen + 1, sizeof *o->open))
      mck_online_lose(o, MCK_ONLINE_ROOM);
    else o->open[nopen++] = i;
  }
}

// In each channel that the receive can have taken from, the bound is the last record that the earlier receives can
// leave to it. Clocks grow along a channel. MCK_ONLINE_LOST: there is no record.
uint32_t mck_online_bound(struct mck_online *o, size_t index) {
  const struct mck_online_posted *p = &o->posted[index];
  uint64_t key = key_of(o, p->comm);
  uint32_t bound = 0;
  if (p->is_known) mck_online_read_records(o, (uint32_t)p->got_from);
  else if (p->from >= 0) mck_online_read_records(o, (uint32_t)p->from);
  else mck_online_read_all_records(o);
  bool is_found = !p->is_known;
  size_t before = 0; // earlier receives that are not paired
  for (size_t i = 0; i < index; i++) before += !o->posted[i].is_paired && !o->posted[i].is_probe;
  for (size_t i = 0; i < o->nchannels; i++) {
    const struct mck_online_channel *c = &o->channels[i];
    size_t n = c->count - c->first;
    if (!n || c->kind != MCK_CLOCK_RECORD_MESSAGE || c->comm != key) continue;
    struct mck_std_envelope its = {p->comm, (int32_t)c->from, c->tag};
    if (p->is_known ? !mck_std_is_same_envelope(its, mck_online_got(p)) : !mck_online_accepts(p, its)) continue;
    uint32_t clock = c->records[c->first + (n - 1 < before ? n - 1 : before)].record.clock;
    if (bound < clock) bound = clock;
    is_found = true;
  }
  return is_found ? bound : MCK_ONLINE_LOST;
}

bool mck_online_find_collective(struct mck_online *o, uint64_t comm, uint32_t from, uint64_t nth, uint32_t *clock) {
  mck_online_read_records(o, from);
  uint32_t id = channel_of(o, comm, from, MCK_CLOCK_RECORD_COLLECTIVE, 0);
  if (id == MCK_NONE) return false;
  struct mck_online_channel *c = &o->channels[id];
  bool is_there = c->last > nth; // or a later one was taken, whose clock is not lower
  *clock = 0;
  for (; c->first < c->count && c->records[c->first].record.bytes <= nth; c->first++) {
    is_there |= c->records[c->first].record.bytes == nth;
    c->last = (uint32_t)c->records[c->first].record.bytes + 1;
    *clock = c->records[c->first].record.clock;
  }
  return is_there;
}

uint64_t mck_online_left(const struct mck_online *o) {
  uint64_t left = 0;
  for (size_t i = 0; i < o->nchannels; i++)
    if (o->channels[i].kind == MCK_CLOCK_RECORD_MESSAGE) left += o->channels[i].count - o->channels[i].first;
  return left;
}
