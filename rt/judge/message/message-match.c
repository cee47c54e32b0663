// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages at their receiver: the k-th send of a channel matches the k-th posted receive that matched that channel
// (MPI-3.1 3.5). Both sides are walked run by run, and equal pairs are compared once, so a million equal messages cost
// as much as one.
#include "judge/message/message-match.h"
#include <stdlib.h>

static _Thread_local const struct mck_judge *sorted __attribute__((tls_model("initial-exec")));

static int compare_receives(const void *a, const void *b) {
  return mck_std_compare_ends(mck_judge_end(&sorted->channels[*(const uint32_t *)a]),
                              mck_judge_end(&sorted->channels[*(const uint32_t *)b]));
}

static struct mck_channel *find_receives(const struct mck_messages *m, struct mck_std_end end) {
  size_t low = 0, high = m->nreceives;
  while (low < high) {
    size_t middle = (low + high) / 2;
    struct mck_channel *c = &m->judge->channels[m->receives[middle]];
    int order = mck_std_compare_ends(mck_judge_end(c), end);
    if (!order) return c;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return NULL;
}

struct mck_finding *mck_messages_say(struct mck_messages *m, enum mck_check check, int rank, int about,
                                     uint32_t send_site, uint32_t receive_site, uint32_t n) {
  uint64_t hash = mck_table_mix((uint64_t)send_site << 32 | receive_site, (uint64_t)(uint32_t)rank << 16 | check);
  uint32_t at, id;
  MCK_TABLE_EACH (&m->said_table, hash, at, id) {
    const struct mck_message_said *s = &m->said[id];
    if (s->check == (int)check && s->rank == rank && s->send_site == send_site && s->receive_site == receive_site) {
      m->decide->findings->items[s->finding].count += n;
      return NULL;
    }
  }
  bool is_note = mck_check_severity(check) == MCK_NOTE; // notes must not take the places of errors
  if ((is_note ? m->nnotes : m->nsaid - m->nnotes) >= MCK_FINDINGS_MAX) return NULL;
  struct mck_message_said new = {check, rank, send_site, receive_site, m->decide->findings->count};
  if (!MCK_PUSH(m->said, m->nsaid, m->said_capacity, new)) return NULL;
  if (!mck_table_add(&m->said_table, hash, (uint32_t)m->nsaid - 1)) return m->nsaid--, NULL;
  struct mck_finding *f = mck_findings_add(m->decide->findings, check, about);
  if (!f) {
    m->said[m->nsaid - 1].check = -1;
    return NULL;
  }
  f->count = n;
  m->nnotes += is_note;
  return f;
}

// The sends of one channel, all from one rank.
struct sends {
  const struct mck_delivery *from;
  const struct mck_signatures *types; // of that rank
  uint64_t key;
  int32_t tag;
  bool is_open; // their order is not known
  struct mck_runs runs;
};

static struct mck_message_side side_of(const struct sends *sends, const struct mck_shape *shape) {
  const struct mck_delivery *d = sends->from;
  return (struct mck_message_side){{d->rank, sends->types, d->types, d->ntypes}, shape};
}

static struct mck_message_side own_side(const struct mck_messages *m, const struct mck_shape *shape) {
  const struct mck_judge *j = m->judge;
  return (struct mck_message_side){{(int)j->rank, &m->own, j->log->types, j->log->ntypes}, shape};
}

// Most pairs have nothing to compare. This is asked of each pair, so it is not in message-type.c.
static inline bool is_to_compare(const struct mck_shape *send, const struct mck_shape *receive) {
  // A matched probe whose receive never came has no type: even 0 copies of an unknown type say nothing.
  if (send->type == MCK_NONE || receive->type == MCK_NONE) return false;
  // By far the most: the same basic type, and room enough.
  return send->type != receive->type || send->type >= MCK_TYPE_USER || send->count > receive->count;
}

// Compares the first `limit` sends of a channel with as many receives, run by run.
static void compare_runs(struct mck_messages *m, const struct sends *sends, const struct mck_channel *c,
                         uint64_t limit) {
  const struct mck_run *s = sends->runs.items, *s_end = s + sends->runs.count;
  const struct mck_run *r = c->runs.items, *r_end = c->runs.count ? r + c->runs.count : r; // none: all are settled
  uint64_t left_s = 0, left_r = 0;
  for (uint64_t k = 0; k < limit;) {
    if (!left_s) left_s = (s++)->n;
    if (!left_r && r == r_end) break;
    if (!left_r) left_r = (r++)->n;
    uint64_t step = left_s < left_r ? left_s : left_r;
    if (step > limit - k) step = limit - k;
    const struct mck_shape *send = &sends->from->shapes[s[-1].shape], *receive = &m->judge->shapes[r[-1].shape];
    if (is_to_compare(send, receive))
      mck_messages_check_pair(m, sends->from->rank, (uint32_t)step, side_of(sends, send), own_side(m, receive));
    k += step, left_s -= step, left_r -= step;
    if (s == s_end && !left_s) break;
  }
}

// The shape of all operations of the runs, where they differ in their places at most; NULL: there are several.
static const struct mck_shape *only_shape(const struct mck_runs *runs, const struct mck_shape *shapes) {
  const struct mck_shape *first = runs->count ? &shapes[runs->items[0].shape] : NULL;
  for (size_t i = 1; i < runs->count; i++) {
    const struct mck_shape *s = &shapes[runs->items[i].shape];
    if (s->type != first->type || s->count != first->count) return NULL;
  }
  return first;
}

// Compares one kind of messages with each kind of the other side.
static void compare_all(struct mck_messages *m, const struct sends *sends, const struct mck_channel *c,
                        const struct mck_shape *send, const struct mck_shape *receive) {
  const struct mck_runs *others = send ? &c->runs : &sends->runs;
  for (size_t i = 0; i < others->count; i++) {
    const struct mck_run *run = &others->items[i];
    const struct mck_shape *s = send ? send : &sends->from->shapes[run->shape],
                           *r = send ? &m->judge->shapes[run->shape] : receive;
    if (is_to_compare(s, r)) mck_messages_check_pair(m, sends->from->rank, run->n, side_of(sends, s), own_side(m, r));
  }
}

// Threads leave open which send belongs to which receive. What holds for each way to match them is still said: where
// all messages of one side are of one kind, and each operation of the other side has one of them.
static void compare_open(struct mck_messages *m, const struct sends *sends, const struct mck_channel *c,
                         uint64_t limit) {
  const struct mck_shape *send = only_shape(&sends->runs, sends->from->shapes),
                         *receive = only_shape(&c->runs, m->judge->shapes);
  bool is_unseen = sends->from->is_multiple || m->judge->is_multiple; // other messages may be between these
  if (is_unseen && !(send && receive)) return;
  if (send && limit == c->runs.n) compare_all(m, sends, c, send, NULL);
  else if (receive && limit == sends->runs.n) compare_all(m, sends, c, NULL, receive);
  else if (send && receive) compare_runs(m, sends, c, limit);
  else if (limit) {
    mck_why_not(MCK_CHECK_TYPE_MISMATCH,
                "messages from rank %d to rank %u with tag %d: several threads call MPI, and nothing says which send "
                "matches which receive",
                sends->from->rank, m->judge->rank, sends->tag);
  }
}

static void match_pairs(struct mck_messages *m, const struct sends *sends, struct mck_channel *c) {
  uint64_t limit = mck_std_count_pairs(sends->runs.n, c->runs.n, c->decided);
  c->matched = m->decide->is_cut ? limit : mck_std_count_pairs(sends->runs.n, c->runs.n, MCK_STD_ALL_DECIDED);
  if (m->decide->is_cut) mck_cut_settle_channel(m->decide, sends->from->rank, sends->key, sends->tag, c->matched);
  bool is_open = sends->is_open || c->is_open || sends->from->is_multiple || m->judge->is_multiple;
  if (is_open) compare_open(m, sends, c, limit);
  else compare_runs(m, sends, c, limit);
}

// More sends than receives: are they lost? c: the channel's receives; NULL: there are none.
static void check_surplus(struct mck_messages *m, const struct sends *sends, const struct mck_channel *c) {
  int source = sends->from->rank;
  if (!m->decide->is_complete && (m->decide->is_cut || !mck_messages_find_free(m->judge, sends->key))) {
    mck_why_not(MCK_CHECK_MESSAGE_LOST,
                "rank %d sends more messages with tag %d to rank %u than were received: the logs are not those of a "
                "whole run, so the receives may be missing",
                source, sends->tag, m->judge->rank);
    return;
  }
  struct mck_std_envelope surplus = {sends->key, source, sends->tag};
  if (!MCK_PUSH(m->surplus, m->nsurplus, m->surplus_capacity, surplus)) m->decide->is_complete = false;
  if (c ? c->decided != MCK_STD_ALL_DECIDED : mck_judge_is_undecided(m->judge, surplus)) {
    mck_why_not(MCK_CHECK_MESSAGE_LOST,
                "rank %d sends more messages with tag %d to rank %u than were received: a wildcard receive whose match "
                "is not known may have taken them",
                source, sends->tag, m->judge->rank);
    return;
  }
  mck_messages_add_lost(m, sends->from, sends->types, sends->key, sends->tag, &sends->runs, c);
}

static void match(struct mck_messages *m, const struct sends *sends) {
  if (!sends->runs.n) return; // only a forged parcel has a channel without a message
  struct mck_channel *c = find_receives(m, (struct mck_std_end){sends->key, sends->from->rank, sends->tag, false});
  if (c) match_pairs(m, sends, c);
  if (!mck_std_has_partner(sends->runs.n - 1, c ? c->runs.n : 0)) check_surplus(m, sends, c);
}

static void match_delivery(struct mck_messages *m, const struct mck_delivery *from) {
  struct mck_signatures types;
  if (!from->is_there || !mck_signatures_init(&types)) return;
  bool is_ok = true;
  for (uint32_t i = 0; is_ok && i < from->ntypes; i++)
    is_ok = mck_signatures_define(&types, from->types[i].id, from->types[i].body->size, from->types[i].parts,
                                  from->types[i].nparts);
  struct mck_parcel_in in = from->channels;
  struct sends sends = {.from = from, .types = &types};
  for (uint32_t n = mck_parcel_get_count(&in, 3); is_ok && n > 0; n--) {
    sends.key = mck_parcel_get(&in);
    sends.tag = (int32_t)mck_parcel_get_signed(&in);
    sends.is_open = from->may_be_open && mck_parcel_get(&in);
    is_ok = mck_runs_unpack(&sends.runs, &in, from->nshapes);
    if (is_ok) match(m, &sends);
  }
  free(sends.runs.items);
  mck_signatures_free(&types);
}

void mck_decide_messages(struct mck_decide *d) {
  struct mck_messages m = {.decide = d, .judge = d->judge};
  m.receives = malloc((d->judge->nchannels + 1) * sizeof *m.receives);
  bool is_ok = m.receives && mck_signatures_load(&m.own, d->judge->log);
  for (size_t i = 0; is_ok && i < d->judge->nchannels; i++) {
    d->judge->channels[i].matched = 0;
    if (d->judge->channels[i].direction == MCK_IN) m.receives[m.nreceives++] = (uint32_t)i;
  }
  if (is_ok) {
    sorted = d->judge;
    qsort(m.receives, m.nreceives, sizeof *m.receives, compare_receives);
    for (uint32_t i = 0; i < d->nfrom; i++) match_delivery(&m, &d->from[i]);
    for (size_t i = 0; i < m.nlost; i++) mck_messages_say_lost(&m, &m.lost[i]);
    if (d->is_complete) mck_messages_check_receives(&m);
    mck_signatures_free(&m.own);
  } else mck_base_warn("out of memory: the messages to rank %u are not judged", d->judge->rank);
  free(m.receives);
  free(m.said);
  mck_table_free(&m.said_table);
  free(m.lost);
  free(m.surplus);
}
