// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes plain logs, which have words and codes, of logs (plain-run.h).
#include "order/plain-run.h"
#include <stdlib.h>
#include <string.h>
#include "standard/function.h"
#include "base/worker-threads.h"

enum { RECENT_BITS = 12, WORDS_MAX = 1 << 16 }; // a code has two bytes

struct reading {
  struct mck_plain_log *plain_log;
  size_t capacity, definitions_capacity;
  struct mck_table table;
};

static inline uint64_t hash_of(const struct mck_event *e) {
  uint64_t w[4];
  memcpy(w, e, sizeof w);
  return w[0] * 0x9e3779b97f4a7c15u + w[1] * 0xd6e8feb86659fd93u + w[2] * 0xc2b2ae3d27d4eb4fu +
         w[3] * 0x165667b19e3779f9u;
}

bool mck_plain_run_is_other_call(const struct mck_event *e) {
  switch (e->kind) {
  case MCK_EV_COLL: return e->flags & MCK_FLAG_NONBLOCKING;
  case MCK_EV_CALL: return mck_std_is_beside_communicators(e->fn); // they synchronize (meeting.c)
  case MCK_EV_MPROBE:
  case MCK_EV_MRECV:
  case MCK_EV_FENCE:
  case MCK_EV_SYNC: return true;
  default: return false; // completion calls complete sends, or the receive right before them: nothing else can be open
  }
}

// Finds a word outside of the cache, or adds it. 0: there is none.
static uint16_t search_word(struct reading *r, const struct mck_event *e, uint64_t hash,
                            enum mck_plain_result *result) {
  struct mck_plain_log *t = r->plain_log;
  uint32_t at, id;
  hash ^= hash >> 32;
  MCK_TABLE_EACH (&r->table, hash, at, id)
    if (!memcmp(&t->words[id], e, sizeof *e)) return (uint16_t)id;
  if (mck_plain_run_is_other(e) || t->nwords == WORDS_MAX) return *result = MCK_PLAIN_OTHER, 0;
  if (!MCK_PUSH(t->words, t->nwords, r->capacity, *e) || !mck_table_add(&r->table, hash, (uint32_t)t->nwords - 1))
    return *result = MCK_PLAIN_SHORT, 0;
  return (uint16_t)(t->nwords - 1);
}

static inline bool is_message(const struct mck_event *e) {
  _Static_assert(MCK_EV_SEND == 1 && MCK_EV_RECV == 2 && MCK_EV_PROBE == 3, "one compare");
  return (uint8_t)(e->kind - MCK_EV_SEND) <= MCK_EV_PROBE - MCK_EV_SEND;
}

static enum mck_plain_result read_log(struct reading *r, const struct mck_reader *log, _Atomic bool *is_stopped) {
  struct mck_plain_log *t = r->plain_log;
  uint16_t recent[1 << RECENT_BITS] = {0};
  enum mck_plain_result result = MCK_PLAIN_READ;
  for (uint64_t i = 0; i < log->units; i++) {
    const struct mck_event *e = &log->events[i];
    __builtin_prefetch(e + MCK_LOG_AHEAD);
    if (MCK_LIKELY(is_message(e))) {
      if (MCK_UNLIKELY(mck_plain_run_is_open(e, i, log->units - i))) return MCK_PLAIN_OTHER;
      uint64_t hash = hash_of(e);
      uint16_t *code = &recent[hash >> (64 - RECENT_BITS)];
      if (MCK_UNLIKELY(memcmp(&t->words[*code], e, sizeof *e) != 0)) {
        *code = search_word(r, e, hash, &result);
        if (!*code) return result;
      }
      t->codes[i] = *code;
      continue;
    }
    if (mck_plain_run_is_other(e) || atomic_load_explicit(is_stopped, memory_order_relaxed)) return MCK_PLAIN_OTHER;
    if (e->kind >= MCK_EV_DEF_MODULE &&
        !MCK_PUSH(t->definitions, t->ndefinitions, r->definitions_capacity, (uint32_t)i))
      return MCK_PLAIN_SHORT;
    t->codes[i] = e->kind == MCK_EV_COLL ? MCK_CODE_MEETING : MCK_CODE_NOTHING;
    for (uint64_t left = mck_event_units(e); --left;) t->codes[++i] = MCK_CODE_NOTHING;
  }
  return result;
}

// Are there messages of before the last cut? The calls that order them are not in the log any more.
static bool has_old_messages(const struct mck_reader *log) {
  uint32_t cut = mck_order_cut(log);
  bool is_message_there = false;
  for (uint64_t i = 0; cut != MCK_NONE && i < cut && !is_message_there; i += mck_event_units(&log->events[i]))
    is_message_there = is_message(&log->events[i]) || mck_plain_run_is_other(&log->events[i]);
  return is_message_there;
}

// Doubts that the walk through all logs would have, or an end inside a call.
static bool is_whole(const struct mck_reader *log) {
  const struct mck_log_header *h = log->header;
  bool is_at_end = atomic_load(&h->state) == MCK_LOG_FINALIZED || mck_wait_event(atomic_load(&h->wait)) == MCK_NONE;
  return is_at_end && !atomic_load(&h->is_multiple) && !atomic_load(&h->is_incomplete) && log->damaged == UINT64_MAX &&
         !has_old_messages(log);
}

enum mck_plain_result mck_plain_log_read(struct mck_plain_log *t, const struct mck_reader *log, uint16_t *codes,
                                         _Atomic bool *is_stopped) {
  struct reading r = {.plain_log = t};
  const struct mck_event none = {.kind = MCK_EV_PAD}; // it equals no message
  *t = (struct mck_plain_log){.units = log->units, .codes = codes};
  enum mck_plain_result result = is_whole(log) ? MCK_PLAIN_READ : MCK_PLAIN_OTHER;
  while (t->nwords < MCK_CODE_WORD && result == MCK_PLAIN_READ)
    if (!MCK_PUSH(t->words, t->nwords, r.capacity, none)) result = MCK_PLAIN_SHORT;
  if (result == MCK_PLAIN_READ) result = read_log(&r, log, is_stopped);
  if (result != MCK_PLAIN_READ) atomic_store(is_stopped, true);
  mck_table_free(&r.table);
  return result;
}

bool mck_plain_log_is_sound(const struct mck_plain_log *t, const struct mck_reader *log) {
  bool is_bad = t->units != log->units || t->nwords < MCK_CODE_WORD || t->nwords > WORDS_MAX || !is_whole(log);
  for (size_t i = MCK_CODE_WORD; i < t->nwords && !is_bad; i++)
    is_bad = !is_message(&t->words[i]) || mck_plain_run_is_other(&t->words[i]);
  for (uint64_t i = 0; i < t->units && !is_bad; i++)
    is_bad = t->codes[i] >= t->nwords || (t->codes[i] == MCK_CODE_MEETING && log->events[i].kind != MCK_EV_COLL);
  return !is_bad;
}

void mck_plain_log_free(struct mck_plain_log *t) {
  free(t->words), free(t->definitions), free(t->uses), free(t->ends);
  mck_table_free(&t->ends_table);
}

// --- all of them ---
// MCK_NONE: this log does not have it.
static uint32_t find_end(const struct mck_plain_log *t, struct mck_std_end end) {
  uint32_t at, id;
  MCK_TABLE_EACH (&t->ends_table, mck_std_hash_end(end), at, id)
    if (mck_std_is_same_end(t->ends[id].end, end)) return id;
  return MCK_NONE;
}

static enum mck_plain_result make_ends(struct mck_plain_log *t, const struct mck_reader *log) {
  if (!(t->uses = calloc(t->nwords, sizeof *t->uses))) return MCK_PLAIN_SHORT;
  t->has_alike_wilds = true;
  for (size_t i = MCK_CODE_WORD; i < t->nwords; i++) {
    const struct mck_event *e = &t->words[i];
    const struct mck_comm_def *comm = mck_order_comm(log, e->msg.comm);
    struct mck_std_end end = {comm ? comm->body->key : 0, mck_order_peer(log, e), e->msg.tag, e->kind == MCK_EV_SEND};
    if (end.peer < 0) return MCK_PLAIN_OTHER;
    uint32_t id = find_end(t, end);
    if (id == MCK_NONE) {
      id = (uint32_t)t->nends;
      struct mck_channel_end new = {end, MCK_NONE};
      if (!MCK_PUSH(t->ends, t->nends, t->ends_capacity, new) ||
          !mck_table_add(&t->ends_table, mck_std_hash_end(end), id))
        return MCK_PLAIN_SHORT;
    }
    t->uses[i] = (struct mck_plain_word){.channel = id, .is_send = end.is_send, .is_probe = e->kind == MCK_EV_PROBE};
    if (!end.is_send)
      t->uses[i].is_wild = mck_event_any_source(e), t->uses[i].is_ordered = mck_event_any_tag(e) && !t->uses[i].is_wild;
    if (!t->uses[i].is_wild) continue;
    if (!t->wild) t->wild = e;
    t->takes_any_tag = mck_event_any_tag(t->wild);
    t->has_alike_wilds &= mck_event_asks_same(e, t->wild);
  }
  return MCK_PLAIN_READ;
}

// A call that receives from one source now and from any source later is one place of both kinds
// (judge/message/alternative-match.h). The general algorithm does these.
static enum mck_plain_result look_at_places(const struct mck_plain_log *t) {
  struct mck_table table = {0};
  enum mck_plain_result result = MCK_PLAIN_READ;
  uint32_t at, id;
  for (uint32_t i = MCK_CODE_WORD; i < t->nwords && t->wild && result == MCK_PLAIN_READ; i++)
    if (t->uses[i].is_ordered && !mck_table_add(&table, mck_table_mix(t->words[i].site, t->words[i].fn), i))
      result = MCK_PLAIN_SHORT;
  for (uint32_t i = MCK_CODE_WORD; i < t->nwords && table.slots && result == MCK_PLAIN_READ; i++)
    MCK_TABLE_EACH (&table, mck_table_mix(t->words[i].site, t->words[i].fn), at, id)
      if (t->uses[i].is_wild && t->words[id].site == t->words[i].site && t->words[id].fn == t->words[i].fn)
        result = MCK_PLAIN_OTHER;
  mck_table_free(&table);
  return result;
}

// Both ends of each channel must exist.
enum mck_plain_result mck_plain_run_join(struct mck_plain_run *plain_run, const struct mck_reader *logs) {
  size_t nsends = 0;
  for (size_t i = 0; i < plain_run->n; i++) {
    enum mck_plain_result result = logs[i].header->rank == i && logs[i].header->size == plain_run->n
                                       ? make_ends(&plain_run->of[i], &logs[i])
                                       : MCK_PLAIN_OTHER;
    if (result == MCK_PLAIN_READ) result = look_at_places(&plain_run->of[i]);
    if (result != MCK_PLAIN_READ) return result;
    for (size_t k = MCK_CODE_WORD; k < plain_run->of[i].nwords; k++)
      plain_run->has_probes |= plain_run->of[i].uses[k].is_probe;
  }
  for (uint32_t to = 0; to < plain_run->n; to++) {
    struct mck_plain_log *t = &plain_run->of[to];
    for (size_t i = 0; i < t->nends; i++) {
      struct mck_channel_end *end = &t->ends[i];
      nsends += end->end.is_send;
      if (end->end.is_send) continue;
      if ((size_t)end->end.peer >= plain_run->n) return MCK_PLAIN_OTHER;
      struct mck_plain_log *from = &plain_run->of[end->end.peer];
      uint32_t other = find_end(from, mck_std_other_end(end->end, (int32_t)to));
      if (other == MCK_NONE) return MCK_PLAIN_OTHER;
      end->channel = from->ends[other].channel = (uint32_t)plain_run->nchannels;
      struct mck_plain_run_channel new = {(uint32_t)end->end.peer, to};
      if (!MCK_PUSH(plain_run->channels, plain_run->nchannels, plain_run->capacity, new)) return MCK_PLAIN_SHORT;
    }
  }
  for (size_t i = 0; i < plain_run->n; i++)
    for (size_t k = MCK_CODE_WORD; k < plain_run->of[i].nwords; k++)
      plain_run->of[i].uses[k].channel = plain_run->of[i].ends[plain_run->of[i].uses[k].channel].channel;
  return nsends == plain_run->nchannels ? MCK_PLAIN_READ : MCK_PLAIN_OTHER;
}

struct crew {
  struct mck_plain_run *plain_run;
  const struct mck_reader *logs;
  enum mck_plain_result *results;
  _Atomic bool is_stopped; // some log is not plain
};
static void read_one(void *context, uint32_t number) {
  struct crew *c = context;
  struct mck_plain_log *t = &c->plain_run->of[number];
  c->results[number] = mck_plain_log_read(t, &c->logs[number], t->codes, &c->is_stopped);
}

enum mck_plain_result mck_plain_run_read(struct mck_plain_run *plain_run, const struct mck_reader *logs, size_t n) {
  struct mck_slices slices;
  size_t bytes = 0;
  uint64_t units = 0;
  struct crew crew = {plain_run, logs, calloc(n + 1, sizeof *crew.results), false};
  *plain_run = (struct mck_plain_run){.n = n, .of = calloc(n + 1, sizeof *plain_run->of)};
  for (size_t i = 0; i < n; i++) bytes += mck_slice_size(logs[i].units * sizeof(uint16_t)), units += logs[i].units;
  bool is_good = plain_run->of && crew.results && mck_slices_open(&slices, bytes);
  if (is_good) plain_run->memory = slices.memory;
  for (size_t i = 0; is_good && i < n; i++)
    plain_run->of[i].codes = mck_slices_take(&slices, logs[i].units * sizeof(uint16_t));
  if (is_good) mck_workers_run((uint32_t)n, mck_workers_size(units), read_one, &crew);
  enum mck_plain_result result = is_good ? MCK_PLAIN_READ : MCK_PLAIN_SHORT;
  for (size_t i = 0; i < n && is_good; i++)
    if (crew.results[i] != MCK_PLAIN_READ && result != MCK_PLAIN_SHORT) result = crew.results[i];
  free(crew.results);
  return result;
}

void mck_plain_run_free(struct mck_plain_run *plain_run) {
  for (size_t i = 0; plain_run->of && i < plain_run->n; i++) mck_plain_log_free(&plain_run->of[i]);
  free(plain_run->of), free(plain_run->channels), free(plain_run->memory), free(plain_run->own);
  *plain_run = (struct mck_plain_run){0};
}
