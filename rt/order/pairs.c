// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over all logs threads the sends and the receives of each channel into two lists; then both are walked
// together. The lists' links are kept where the result will be, so nothing but it is allocated for an event.
#include "order/pairs.h"
#include <stdlib.h>
#include "base/table.h"

struct list {
  uint32_t log, first, last;
};
struct channel {
  uint64_t key;
  int32_t source, dest, tag;  // world ranks
  struct list sends, receives;
  bool is_undecided;  // from here on receives are not known
  bool is_unordered;  // a rank of it logs in another order than it calls
};
// A wildcard receive of one log that never got its match. source -1: any.
struct wildcard {
  uint64_t key;
  int32_t source, tag;
  bool any_tag;
};

enum { WILDCARDS_MAX = 256 };  // each looks at every channel

struct pass {
  struct mck_pairs *pairs;
  const struct mck_reader *log;
  uint32_t number;  // of the log
  struct channel *channels;
  size_t nchannels, capacity;
  struct mck_table table;
  struct wildcard wildcards[WILDCARDS_MAX];
  size_t nwildcards;
  bool is_all_undecided, is_short;
  bool is_strict, is_unordered;  // of the log at hand
  struct { uint32_t comm; int32_t peer, tag; uint32_t id; bool is_set; } last[2];  // channel found last: receives, sends
};

static bool accepts(const struct wildcard *w, const struct channel *c) {
  return w->key == c->key && (w->source < 0 || w->source == c->source) && (w->any_tag || w->tag == c->tag);
}

static struct channel *find_channel(struct pass *p, const struct mck_event *e, bool is_send) {
  if (p->last[is_send].is_set && p->last[is_send].comm == e->msg.comm && p->last[is_send].peer == e->msg.peer &&
      p->last[is_send].tag == e->msg.tag)
    return &p->channels[p->last[is_send].id];
  const struct mck_comm_def *comm = mck_order_comm(p->log, e->msg.comm);
  int me = (int)p->log->header->rank, peer = mck_order_peer(p->log, e);
  if (!comm || peer < 0) return NULL;
  struct channel new = {.key = comm->body->key,
                        .source = is_send ? me : peer,
                        .dest = is_send ? peer : me,
                        .tag = e->msg.tag,
                        .sends.first = MCK_NONE,
                        .receives.first = MCK_NONE};
  uint64_t hash = mck_table_mix(mck_table_mix(new.key, (uint64_t)(uint32_t) new.source << 32 | (uint32_t) new.dest),
                                (uint32_t) new.tag);
  uint32_t at, id;
  MCK_TABLE_EACH(&p->table, hash, at, id) {
    struct channel *c = &p->channels[id];
    if (c->key != new.key || c->source != new.source || c->dest != new.dest || c->tag != new.tag) continue;
    c->is_unordered |= p->is_unordered;
    p->last[is_send].comm = e->msg.comm, p->last[is_send].peer = e->msg.peer, p->last[is_send].tag = e->msg.tag;
    p->last[is_send].id = id, p->last[is_send].is_set = true;
    return c;
  }
  new.is_unordered = p->is_unordered;
  if (!MCK_PUSH(p->channels, p->nchannels, p->capacity, new) ||
      !mck_table_add(&p->table, hash, (uint32_t)p->nchannels - 1))
    return p->is_short = true, NULL;
  return &p->channels[p->nchannels - 1];
}

static void append(struct pass *p, struct list *list, uint32_t index) {
  struct mck_pair *of = p->pairs->of[p->number];
  of[index] = (struct mck_pair){MCK_NONE, MCK_NONE};  // link: the next one
  if (list->first == MCK_NONE) *list = (struct list){p->number, index, index};
  else of[list->last].index = index, list->last = index;
}

static void add_wildcard(struct pass *p, const struct mck_event *e) {
  const struct mck_comm_def *comm = mck_order_comm(p->log, e->msg.comm);
  if (!comm || p->is_all_undecided) return;
  struct wildcard w = {comm->body->key, -1, e->msg.tag, e->msg.tag < 0};
  if (e->msg.peer >= 0) w.source = mck_order_peer(p->log, e);
  for (size_t i = 0; i < p->nwildcards; i++) {
    const struct wildcard *o = &p->wildcards[i];
    if (o->key == w.key && o->source == w.source && o->any_tag == w.any_tag && (w.any_tag || o->tag == w.tag)) return;
  }
  int me = (int)p->log->header->rank;
  p->is_all_undecided = p->nwildcards == WILDCARDS_MAX;
  for (size_t i = 0; i < p->nchannels; i++)
    if (p->channels[i].dest == me && (p->is_all_undecided || accepts(&w, &p->channels[i])))
      p->channels[i].is_undecided = true;
  if (!p->is_all_undecided) p->wildcards[p->nwildcards++] = w;
}

static void add_receive(struct pass *p, const struct mck_event *e, uint32_t index) {
  bool is_wild = e->flags & (MCK_FLAG_ANY_SOURCE | MCK_FLAG_ANY_TAG) && !(e->flags & MCK_FLAG_MATCHED);
  if (e->flags & MCK_FLAG_CANCELLED) {  // takes no message (MPI-3.1 3.8.4), or nobody knows
    if (e->kind == MCK_EV_RECV && e->flags & MCK_FLAG_MATCHED) add_wildcard(p, e);
    return;
  }
  if (is_wild) {
    add_wildcard(p, e);
    return;
  }
  struct channel *c = find_channel(p, e, false);
  if (!c) return;
  // One that the sender made first, or that comes to be now, may have been accepted by a wildcard before.
  for (size_t i = 0; c->receives.first == MCK_NONE && i < p->nwildcards; i++)
    if (accepts(&p->wildcards[i], c)) c->is_undecided = true;
  if (p->is_all_undecided) c->is_undecided = true;
  if (!c->is_undecided) append(p, &c->receives, index);
  else p->pairs->undecided++;
}

static void pass_over(struct pass *p) {
  const struct mck_reader *r = p->log;
  p->nwildcards = 0;
  p->last[0].is_set = p->last[1].is_set = false;
  p->is_all_undecided = false;
  p->is_unordered = p->is_strict && atomic_load(&r->header->is_multiple) & MCK_LOG_THREADS;
  for (uint64_t i = 0; i < r->units && !p->is_short; i += mck_event_units(&r->events[i])) {
    const struct mck_event *e = &r->events[i];
    if (e->kind == MCK_EV_RECV || e->kind == MCK_EV_MPROBE || (e->kind == MCK_EV_PROBE && mck_order_is_known(e)))
      add_receive(p, e, (uint32_t)i);
    if (e->kind != MCK_EV_SEND || e->flags & MCK_FLAG_CANCELLED) continue;
    struct channel *c = find_channel(p, e, true);
    if (c) append(p, &c->sends, (uint32_t)i);
  }
}

static void match(struct mck_pairs *pairs, const struct mck_reader *logs, const struct channel *c) {
  const struct list *sends = &c->sends, *receives = &c->receives;
  uint32_t s = sends->first, r = receives->first;
  while (s != MCK_NONE || r != MCK_NONE) {
    struct mck_pair *send = s == MCK_NONE ? NULL : &pairs->of[sends->log][s];
    struct mck_pair *receive = r == MCK_NONE ? NULL : &pairs->of[receives->log][r];
    uint32_t next_send = send ? send->index : MCK_NONE, next_receive = receive ? receive->index : MCK_NONE;
    bool is_known = send && receive && !c->is_unordered;
    if (receive && logs[receives->log].events[r].kind == MCK_EV_PROBE) {  // leaves the message where it is
      *receive = (struct mck_pair){is_known ? sends->log : MCK_NONE, is_known ? s : MCK_NONE};
      r = next_receive;
      continue;
    }
    if (send) *send = (struct mck_pair){is_known ? receives->log : MCK_NONE, is_known ? r : MCK_NONE};
    if (receive) *receive = (struct mck_pair){is_known ? sends->log : MCK_NONE, is_known ? s : MCK_NONE};
    if (send && receive) pairs->matched += is_known;
    else if (send) pairs->lost++;
    s = next_send, r = next_receive;
  }
}

bool mck_pairs_make(struct mck_pairs *pairs, const struct mck_reader *logs, size_t n, bool is_strict) {
  *pairs = (struct mck_pairs){.nlogs = n, .of = calloc(n + 1, sizeof *pairs->of)};
  struct pass *p = calloc(1, sizeof *p);
  bool is_good = pairs->of && p;
  for (size_t i = 0; is_good && i < n; i++) {
    p->pairs = pairs, p->log = &logs[i], p->number = (uint32_t)i, p->is_strict = is_strict;
    uint64_t units = logs[i].units;
    pairs->of[i] = malloc((units + 1) * sizeof **pairs->of);
    if (!pairs->of[i]) is_good = false;
    else
      for (uint64_t k = 0; k < units; k++) pairs->of[i][k] = (struct mck_pair){MCK_NONE, MCK_NONE};
    if (is_good) pass_over(p);
    if (p->is_short) is_good = false;
  }
  for (size_t i = 0; is_good && i < p->nchannels; i++) match(pairs, logs, &p->channels[i]);
  if (p) {
    free(p->channels);
    mck_table_free(&p->table);
  }
  free(p);
  return is_good;
}

void mck_pairs_free(struct mck_pairs *pairs) {
  for (size_t i = 0; pairs->of && i < pairs->nlogs; i++) free(pairs->of[i]);
  free(pairs->of);
  *pairs = (struct mck_pairs){0};
}
