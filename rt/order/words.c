// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "order/words.h"
#include <stdlib.h>
#include <string.h>
#include "base/crew.h"
#include "base/large.h"
#include "order/meet.h"

enum { RECENT_BITS = 12, WORDS_MAX = 1 << 16 };   // a code has two bytes

static inline uint64_t hash_of(const struct mck_event *e) {
  uint64_t w[4];
  memcpy(w, e, sizeof w);
  return w[0] * 0x9e3779b97f4a7c15u + w[1] * 0xd6e8feb86659fd93u + w[2] * 0xc2b2ae3d27d4eb4fu + w[3] * 0x165667b19e3779f9u;
}

static uint64_t hash_of_end(const struct mck_channel_end *end) {
  return mck_table_mix(mck_table_mix(end->key, (uint64_t)(uint32_t)end->peer << 1 | end->is_send), (uint32_t)end->tag);
}

// The end of a channel that this log has, MCK_NONE: it has none.
static uint32_t find_end(const struct mck_text *t, const struct mck_channel_end *end) {
  uint32_t at, id;
  MCK_TABLE_EACH(&t->ends_table, hash_of_end(end), at, id) {
    const struct mck_channel_end *o = &t->ends[id];
    if (o->key == end->key && o->peer == end->peer && o->tag == end->tag && o->is_send == end->is_send) return id;
  }
  return MCK_NONE;
}

static uint32_t make_end(struct mck_text *t, const struct mck_channel_end *end) {
  uint32_t id = find_end(t, end);
  if (id != MCK_NONE) return id;
  if (!MCK_PUSH(t->ends, t->nends, t->ends_capacity, *end) || !mck_table_add(&t->ends_table, hash_of_end(end), (uint32_t)t->nends - 1))
    t->is_short = true;
  return (uint32_t)t->nends - 1;
}

// Does it order others only as a message that was sent, or received at once?
static bool is_plain(const struct mck_event *e) {
  if (e->flags & MCK_FLAG_CANCELLED) return false;
  if (e->kind == MCK_EV_SEND) return (e->flags & MCK_MODE_MASK) != MCK_FLAG_SYNC;
  return !(e->flags & MCK_FLAG_NONBLOCKING) && mck_order_is_known(e) && !mck_order_any_tag(e);
}

// A word that was not met lately, or never. 0: the run is not plain, or there is no memory.
static uint16_t search_word(struct mck_texts *texts, struct mck_text *t, const struct mck_event *e, uint64_t hash) {
  uint32_t at, id;
  hash ^= hash >> 32;
  MCK_TABLE_EACH(&t->table, hash, at, id) if (!memcmp(&t->words[id].event, e, sizeof *e)) return (uint16_t)id;
  const struct mck_comm_def *comm = mck_order_comm(t->log, e->msg.comm);
  struct mck_channel_end end = {comm ? comm->body->key : 0, mck_order_peer(t->log, e), e->msg.tag, MCK_NONE, e->kind == MCK_EV_SEND};
  if (!comm || end.peer < 0 || !is_plain(e) || t->nwords == WORDS_MAX) {
    atomic_store(&texts->is_other, true);
    return 0;
  }
  struct mck_word new = {*e, make_end(t, &end), end.is_send, mck_order_is_wild(e)};
  if (t->is_short) return 0;
  if (!MCK_PUSH(t->words, t->nwords, t->capacity, new) || !mck_table_add(&t->table, hash, (uint32_t)t->nwords - 1)) return t->is_short = true, 0;
  return (uint16_t)(t->nwords - 1);
}

// false: it orders others in some way that a text cannot say.
static bool is_known(const struct mck_event *e) {
  switch (e->kind) {
  case MCK_EV_COLL: return !(e->flags & MCK_FLAG_NONBLOCKING);
  case MCK_EV_PROBE:
  case MCK_EV_MPROBE:
  case MCK_EV_MRECV:
  case MCK_EV_FENCE:
  case MCK_EV_SYNC:
  case MCK_EV_SETTLED: return false;
  default: return true;   // calls that complete something complete sends, since nothing else can be open
  }
}

static bool is_meeting(const struct mck_event *e) {
  return e->kind == MCK_EV_COLL || e->kind == MCK_EV_CALL;
}

static void read_log(void *context, uint32_t number) {
  struct mck_texts *texts = context;
  struct mck_text *t = &texts->of[number];
  const struct mck_reader *r = t->log;
  uint16_t recent[1 << RECENT_BITS] = {0};
  for (uint64_t i = 0; i < r->units && !atomic_load_explicit(&texts->is_other, memory_order_relaxed); i++) {
    const struct mck_event *e = &r->events[i];
    __builtin_prefetch(e + MCK_LOG_AHEAD);
    if (MCK_LIKELY(e->kind == MCK_EV_SEND || e->kind == MCK_EV_RECV)) {
      uint64_t hash = hash_of(e);
      uint16_t *code = &recent[hash >> (64 - RECENT_BITS)];
      if (MCK_UNLIKELY(memcmp(&t->words[*code].event, e, sizeof *e) != 0)) {
        *code = search_word(texts, t, e, hash);
        if (!*code) return;
      }
      t->codes[i] = *code;
      t->nwilds += mck_order_is_wild(e);
      continue;
    }
    if (!is_known(e)) {
      atomic_store(&texts->is_other, true);
      return;
    }
    t->codes[i] = is_meeting(e) ? MCK_CODE_MEETING : MCK_CODE_NOTHING;
    for (uint64_t left = mck_event_units(e); --left;) t->codes[++i] = MCK_CODE_NOTHING;
  }
}

static void look_at_wilds(struct mck_text *t) {
  t->has_alike_wilds = true;
  for (size_t i = MCK_CODE_WORD; i < t->nwords; i++) {
    const struct mck_event *e = &t->words[i].event;
    if (!t->words[i].is_wild) continue;
    if (!t->wild) t->wild = e;
    t->has_alike_wilds &= e->msg.comm == t->wild->msg.comm && e->msg.tag == t->wild->msg.tag && mck_order_any_source(e);
  }
}

// Both ends of each channel must be there.
static bool join(struct mck_texts *texts) {
  size_t nsends = 0;
  for (uint32_t to = 0; to < texts->n; to++) {
    struct mck_text *t = &texts->of[to];
    for (size_t i = 0; i < t->nends; i++) {
      struct mck_channel_end *end = &t->ends[i];
      nsends += end->is_send;
      if (end->is_send) continue;
      if ((size_t)end->peer >= texts->n) return false;
      struct mck_text *from = &texts->of[end->peer];
      uint32_t other = find_end(from, &(struct mck_channel_end){end->key, (int32_t)to, end->tag, MCK_NONE, true});
      if (other == MCK_NONE) return false;
      end->channel = from->ends[other].channel = (uint32_t)texts->nchannels;
      struct mck_texts_channel new = {(uint32_t)end->peer, to};
      if (!MCK_PUSH(texts->channels, texts->nchannels, texts->capacity, new)) return t->is_short = true, false;
    }
  }
  for (size_t i = 0; i < texts->n; i++) {
    struct mck_text *t = &texts->of[i];
    for (size_t k = MCK_CODE_WORD; k < t->nwords; k++) t->words[k].channel = t->ends[t->words[k].channel].channel;
    look_at_wilds(t);
  }
  return nsends == texts->nchannels;
}

static bool is_whole(const struct mck_reader *logs, size_t n) {
  struct mck_pairs none = {0};
  if (mck_order_doubts(logs, n, &none)) return false;
  for (size_t i = 0; i < n; i++) {
    const struct mck_log_header *h = logs[i].header;
    if (h->rank != i || (atomic_load(&h->state) != MCK_LOG_FINALIZED && mck_wait_event(atomic_load(&h->wait)) != MCK_NONE)) return false;
  }
  return true;
}

bool mck_texts_make(struct mck_texts *texts, const struct mck_reader *logs, size_t n) {
  struct mck_slices slices;
  size_t bytes = 0;
  uint64_t units = 0;
  *texts = (struct mck_texts){.n = n, .of = calloc(n + 1, sizeof *texts->of)};
  for (size_t i = 0; i < n; i++) bytes += mck_slice_size(logs[i].units * sizeof(uint16_t)), units += logs[i].units;
  if (!is_whole(logs, n)) return texts->of;
  if (!texts->of || !mck_slices_open(&slices, bytes)) return false;
  texts->memory = slices.memory;
  for (size_t i = 0; i < n; i++) {
    struct mck_text *t = &texts->of[i];
    t->log = &logs[i];
    t->codes = mck_slices_take(&slices, logs[i].units * sizeof *t->codes);
    const struct mck_word none = {.event = {.kind = MCK_EV_PAD}};   // equal to no message
    for (int k = 0; k < MCK_CODE_WORD; k++)
      if (!MCK_PUSH(t->words, t->nwords, t->capacity, none)) return false;
  }
  mck_crew_run((uint32_t)n, mck_crew_size(units), read_log, texts);
  for (size_t i = 0; i < n; i++)
    if (texts->of[i].is_short) return false;
  texts->is_plain = !atomic_load(&texts->is_other) && join(texts);
  for (size_t i = 0; i < n; i++)
    if (texts->of[i].is_short) return false;
  return true;
}

void mck_texts_free(struct mck_texts *texts) {
  for (size_t i = 0; texts->of && i < texts->n; i++) {
    struct mck_text *t = &texts->of[i];
    free(t->words), free(t->ends);
    mck_table_free(&t->table);
    mck_table_free(&t->ends_table);
  }
  free(texts->of), free(texts->channels), free(texts->memory);
  *texts = (struct mck_texts){0};
}
