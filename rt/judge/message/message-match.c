// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages at their receiver: the k-th send of a channel meets the k-th posted receive that matched it (MPI-3.1 3.5).
// Both sides are walked run by run, and alike pairs are compared once, so a million like messages cost as much as one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "standard/function.h"
#include "judge/cut/cut.h"
#include "judge/index.h"
#include "log/signature.h"

// A finding already made: one for each pair of places.
struct said {
  int check, rank;
  uint32_t send_site, receive_site;
  size_t finding;
};
struct lost {
  int source;
  uint64_t key;
  int32_t tag;
  struct mck_shape shape;
  uint32_t n;
  uint64_t posted;
  char what[96];
};
struct surplus {
  uint64_t key;
  int32_t source, tag;
}; // a channel with more messages than receives
struct messages {
  struct mck_decide *decide;
  struct mck_judge *judge;
  struct mck_signatures own;
  uint32_t *receives;
  size_t nreceives; // own incoming channels by key, source, tag
  struct said *said;
  size_t nsaid, said_capacity;
  struct mck_table said_table;
  struct lost *lost;
  size_t nlost, lost_capacity;
  struct surplus *surplus;
  size_t nsurplus, surplus_capacity;
};
struct side {
  const struct mck_signatures *types;
  const struct mck_shape *shape;
};

static _Thread_local const struct mck_judge *sorted;

static int compare_channel(const struct mck_channel *c, uint64_t key, int world, int tag) {
  if (c->key != key) return c->key < key ? -1 : 1;
  if (c->world != world) return c->world < world ? -1 : 1;
  return c->tag < tag ? -1 : c->tag > tag;
}

static int compare_receives(const void *a, const void *b) {
  const struct mck_channel *y = &sorted->channels[*(const uint32_t *)b];
  return compare_channel(&sorted->channels[*(const uint32_t *)a], y->key, y->world, y->tag);
}

static struct mck_channel *find_receives(const struct messages *m, uint64_t key, int world, int tag) {
  size_t low = 0, high = m->nreceives;
  while (low < high) {
    size_t middle = (low + high) / 2;
    struct mck_channel *c = &m->judge->channels[m->receives[middle]];
    int order = compare_channel(c, key, world, tag);
    if (!order) return c;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return NULL;
}

static void describe(char *text, size_t size, struct side s) {
  if (s.shape->type < MCK_TYPE_USER)
    snprintf(text, size, "%llu %s", (unsigned long long)s.shape->count, mck_basic_name(s.shape->type));
  else
    snprintf(text, size, "%llu of a derived datatype (%llu bytes)", (unsigned long long)s.shape->count,
             (unsigned long long)mck_signature_of(s.types, s.shape->type, s.shape->count).bytes);
}

// The finding for this pair of places, or NULL when it is there already (then counted up) or there are too many.
static struct mck_finding *say(struct messages *m, enum mck_check check, int rank, int about, uint32_t send_site,
                               uint32_t receive_site, uint32_t n) {
  uint64_t hash = mck_table_mix((uint64_t)send_site << 32 | receive_site, (uint64_t)(uint32_t)rank << 16 | check);
  uint32_t at, id;
  MCK_TABLE_EACH (&m->said_table, hash, at, id) {
    const struct said *s = &m->said[id];
    if (s->check == (int)check && s->rank == rank && s->send_site == send_site && s->receive_site == receive_site) {
      m->decide->findings->items[s->finding].count += n;
      return NULL;
    }
  }
  if (m->nsaid >= MCK_FINDINGS_MAX) return NULL;
  struct said new = {check, rank, send_site, receive_site, m->decide->findings->count};
  if (!MCK_PUSH(m->said, m->nsaid, m->said_capacity, new)) return NULL;
  if (!mck_table_add(&m->said_table, hash, (uint32_t)m->nsaid - 1)) return m->nsaid--, NULL;
  struct mck_finding *f = mck_findings_add(m->decide->findings, check, about);
  if (!f) {
    m->said[m->nsaid - 1].check = -1;
    return NULL;
  }
  f->count = n;
  return f;
}

static bool is_untyped(uint32_t basic) {
  return basic == MCK_NONE || basic == MCK_BASIC_PACKED || basic == MCK_BASIC_BYTE;
}

// Where in a derived type the element is.
static void say_path(struct mck_finding *f, const char *whose, const struct mck_typed *t, uint64_t k) {
  char path[256];
  if (t->type >= MCK_TYPE_USER && mck_signature_path(t->types, t->type, t->count, k, path, sizeof path))
    mck_finding_why(f, "in the datatype %s: %s", whose, path);
}

// MPI-3.1 3.3.1: what is sent must be, type by type, the beginning of what is expected. MPI_PACKED matches anything;
// by the letter MPI_BYTE matches only itself, but so many programs that work mix it that only option pedantic says so.
static void check_pair(struct messages *m, int source, uint32_t n, struct side send, struct side receive) {
  // A matched probe whose receive never came: even 0 copies of an unknown type say nothing.
  if (send.shape->type == MCK_NONE || receive.shape->type == MCK_NONE) return;
  // By far the most: the same basic type, and room enough.
  if (send.shape->type == receive.shape->type && send.shape->type < MCK_TYPE_USER &&
      send.shape->count <= receive.shape->count)
    return;
  struct mck_signature s = mck_signature_of(send.types, send.shape->type, send.shape->count);
  struct mck_signature r = mck_signature_of(receive.types, receive.shape->type, receive.shape->count);
  if (!mck_signature_is_known(s) || !mck_signature_is_known(r) || mck_signature_is_equal(s, r)) return;
  struct mck_typed st = {send.types, send.shape->type, send.shape->count};
  struct mck_typed rt = {receive.types, receive.shape->type, receive.shape->count};
  uint64_t k = mck_signature_first_difference(st, rt);
  uint32_t sent = k == UINT64_MAX ? MCK_NONE : mck_signature_element(st.types, st.type, st.count, k);
  uint32_t expected = k == UINT64_MAX ? MCK_NONE : mck_signature_element(rt.types, rt.type, rt.count, k);
  bool is_mismatch = !is_untyped(sent) && !is_untyped(expected);
  bool is_mix = !is_mismatch && s.bytes <= r.bytes && sent != expected &&
                (sent == MCK_BASIC_BYTE || expected == MCK_BASIC_BYTE) && sent != MCK_BASIC_PACKED &&
                expected != MCK_BASIC_PACKED && sent != MCK_NONE && expected != MCK_NONE;
  if (!is_mismatch && s.bytes <= r.bytes && !(is_mix && mck_options.pedantic)) return;
  struct mck_finding *f = say(m,
                              is_mismatch ? MCK_CHECK_TYPE_MISMATCH
                              : is_mix    ? MCK_CHECK_TYPE_BYTE_MIX
                                          : MCK_CHECK_MESSAGE_TRUNCATED,
                              source, (int)m->judge->rank, send.shape->site, receive.shape->site, n);
  if (!f) return;
  char a[96], b[96];
  describe(a, sizeof a, send);
  describe(b, sizeof b, receive);
  if (is_mismatch) {
    mck_finding_text(f, "%s is sent where %s is received", mck_basic_name(sent), mck_basic_name(expected));
    mck_finding_why(f, "element %llu: the sender has %s, the receiver %s\nsent: %s; expected: %s",
                    (unsigned long long)k, mck_basic_name(sent), mck_basic_name(expected), a, b);
    say_path(f, "sent", &st, k), say_path(f, "expected", &rt, k);
  } else if (is_mix) {
    mck_finding_text(f, "%s is sent where %s is received: MPI_BYTE matches only itself", mck_basic_name(sent),
                     mck_basic_name(expected));
    mck_finding_why(f, "sent: %s; expected: %s", a, b);
  } else {
    mck_finding_text(f, "a message of %llu bytes comes to a receive of %llu", (unsigned long long)s.bytes,
                     (unsigned long long)r.bytes);
    mck_finding_why(f, "sent: %s; room for: %s", a, b);
  }
  mck_finding_place(f, source, send.shape->site, "%s from rank %d", mck_judge_fn(send.shape->fn), source);
  mck_finding_place(f, (int)m->judge->rank, receive.shape->site, "%s on rank %u", mck_judge_fn(receive.shape->fn),
                    m->judge->rank);
}

// The call by which this rank freed the communicator, if it did: nothing can be received on it any more
// (MPI-3.1 6.4.3).
static const struct mck_event *find_free(const struct mck_judge *j, uint64_t key) {
  for (size_t i = 0; i < j->nsequences && !j->is_partial; i++) {
    const struct mck_event *e = &j->log->events[j->sequences[i].last];
    if (j->sequences[i].key == key && e->kind == MCK_EV_COLL && mck_fn_classes[e->fn] == MCK_CLASS_comm_free) return e;
  }
  return NULL;
}

static void add_lost(struct messages *m, const struct mck_delivery *from, const struct mck_signatures *types,
                     uint64_t key, int32_t tag, const struct mck_runs *sends, const struct mck_channel *receives) {
  uint64_t skip = receives ? receives->runs.n : 0;
  for (size_t i = 0; i < sends->count; i++) {
    struct mck_run run = sends->items[i];
    uint32_t n = skip >= run.n ? 0 : run.n - (uint32_t)skip;
    skip -= run.n - n;
    if (!n) continue;
    struct lost lost = {.source = from->rank,
                        .key = key,
                        .tag = tag,
                        .shape = from->shapes[run.shape],
                        .n = n,
                        .posted = receives ? receives->base + receives->runs.n : 0};
    // Compared with the last few only: say() counts them together anyway.
    bool is_known = false;
    for (size_t k = m->nlost; k-- > 0 && k + 8 > m->nlost && !is_known;)
      if (m->lost[k].source == lost.source && m->lost[k].shape.site == lost.shape.site) {
        m->lost[k].n += n;
        is_known = true;
      }
    if (is_known || m->nlost >= 4 * MCK_FINDINGS_MAX) continue;
    describe(lost.what, sizeof lost.what, (struct side){types, &from->shapes[run.shape]});
    if (!MCK_PUSH(m->lost, m->nlost, m->lost_capacity, lost)) return;
  }
}

static void match(struct messages *m, const struct mck_delivery *from, const struct mck_signatures *types, uint64_t key,
                  int32_t tag, const struct mck_runs *sends) {
  if (!sends->n) return; // only a forged parcel has a channel without a message
  struct mck_channel *c = find_receives(m, key, from->rank, tag);
  if (c) {
    uint64_t limit = sends->n < c->undecided ? sends->n : c->undecided, left_s = 0, left_r = 0;
    c->matched = sends->n < c->runs.n ? sends->n : c->runs.n;
    if (m->decide->is_cut) {
      if (c->matched > c->undecided) c->matched = c->undecided;
      mck_cut_settle_channel(m->decide, from->rank, key, tag, c->matched);
    }
    // Threads may be logged in another order than they came to MPI: then only what holds for every order is said.
    bool is_ordered = !from->is_multiple && !m->judge->is_multiple;
    if (!is_ordered && (sends->count > 1 || c->runs.count > 1)) limit = 0;
    const struct mck_run *s = sends->items, *r = c->runs.items;
    const struct mck_run *s_end = s + sends->count,
                         *r_end = c->runs.count ? r + c->runs.count : r; // none: all are settled
    for (uint64_t k = 0; k < limit;) {
      if (!left_s) left_s = (s++)->n;
      if (!left_r && r == r_end) break;
      if (!left_r) left_r = (r++)->n;
      uint64_t step = left_s < left_r ? left_s : left_r;
      if (step > limit - k) step = limit - k;
      check_pair(m, from->rank, (uint32_t)step, (struct side){types, &from->shapes[s[-1].shape]},
                 (struct side){&m->own, &m->judge->shapes[r[-1].shape]});
      k += step, left_s -= step, left_r -= step;
      if (s == s_end && !left_s) break;
    }
  }
  if (sends->n <= (c ? c->runs.n : 0)) return;
  if (!m->decide->is_complete && (m->decide->is_cut || !find_free(m->judge, key)))
    return; // what is missing may still come
  struct surplus surplus = {key, from->rank, tag};
  if (!MCK_PUSH(m->surplus, m->nsurplus, m->surplus_capacity, surplus)) m->decide->is_complete = false;
  if (c ? c->undecided != UINT64_MAX : mck_judge_is_undecided(m->judge, key, from->rank, tag)) return;
  add_lost(m, from, types, key, tag, sends, c);
}

static void match_delivery(struct messages *m, const struct mck_delivery *from) {
  struct mck_signatures types;
  if (!from->is_there || !mck_signatures_init(&types)) return;
  bool is_ok = true;
  for (uint32_t i = 0; is_ok && i < from->ntypes; i++)
    is_ok = mck_signatures_define(&types, from->types[i].id, from->types[i].body->size, from->types[i].parts,
                                  from->types[i].nparts);
  struct mck_parcel_in in = from->channels;
  struct mck_runs sends = {0};
  for (uint32_t n = mck_parcel_get_count(&in, 3); is_ok && n > 0; n--) {
    uint64_t key = mck_parcel_get(&in);
    int32_t tag = (int32_t)mck_parcel_get_signed(&in);
    is_ok = mck_runs_unpack(&sends, &in, from->nshapes);
    if (is_ok) match(m, from, &types, key, tag, &sends);
  }
  free(sends.items);
  mck_signatures_free(&types);
}

static const struct mck_shape *shape_at(const struct mck_judge *j, const struct mck_channel *c, uint64_t position) {
  for (size_t i = 0; i < c->runs.count; i++) {
    if (position < c->runs.items[i].n) return &j->shapes[c->runs.items[i].shape];
    position -= c->runs.items[i].n;
  }
  return NULL;
}

// The receive that nobody sent to and that differs from the message in one thing only.
static const struct mck_channel *nearest_miss(const struct messages *m, const struct lost *lost) {
  const struct mck_channel *best = NULL;
  int best_rank = 0;
  for (size_t i = 0; i < m->nreceives; i++) {
    const struct mck_channel *c = &m->judge->channels[m->receives[i]];
    if (c->matched >= c->runs.n) continue;
    bool is_comm = c->key == lost->key, is_source = c->world == lost->source, is_tag = c->tag == lost->tag;
    int rank = is_comm && is_source ? 3 : is_comm && is_tag ? 2 : is_source && is_tag ? 1 : 0;
    if (rank > best_rank) best = c, best_rank = rank;
  }
  return best;
}

static void say_lost(struct messages *m, const struct lost *lost) {
  struct mck_finding *f = say(m, MCK_CHECK_MESSAGE_LOST, lost->source, lost->source, lost->shape.site, MCK_NONE,
                              lost->n);
  if (!f) return;
  unsigned me = m->judge->rank;
  mck_finding_text(f, "message of %s is never received", lost->what);
  mck_finding_place(f, lost->source, lost->shape.site, "%s from rank %d", mck_judge_fn(lost->shape.fn), lost->source);
  const struct mck_channel *miss = nearest_miss(m, lost);
  const struct mck_shape *shape = miss ? shape_at(m->judge, miss, miss->matched) : NULL;
  if (shape) {
    if (miss->key != lost->key)
      mck_finding_why(f,
                      "rank %u has a receive from rank %d with tag %d that no message comes to, but on another "
                      "communicator",
                      me, lost->source, lost->tag);
    else if (miss->world != lost->source)
      mck_finding_why(f, "rank %u has a receive with tag %d that no message comes to, but from rank %d, not rank %d",
                      me, lost->tag, miss->world, lost->source);
    else
      mck_finding_why(f, "rank %u has a receive from rank %d that no message comes to, but with tag %d, not %d", me,
                      lost->source, miss->tag, lost->tag);
    mck_finding_place(f, (int)me, shape->site, "nearest miss: %s on rank %u", mck_judge_fn(shape->fn), me);
  } else if (lost->posted)
    mck_finding_why(f, "rank %u posts only %llu receives from rank %d with tag %d", me,
                    (unsigned long long)lost->posted, lost->source, lost->tag);
  else mck_finding_why(f, "rank %u never posts a receive from rank %d with tag %d", me, lost->source, lost->tag);
  const struct mck_event *freed = find_free(m->judge, lost->key);
  if (freed)
    mck_finding_place(f, (int)me, freed->site, "the communicator is freed: %s on rank %u", mck_judge_fn(freed->fn), me);
}

// --- receives that no message came to ---
static const struct lost *nearest_message(const struct messages *m, uint64_t key, int32_t source, int32_t tag) {
  const struct lost *best = NULL;
  int best_rank = 0;
  for (size_t i = 0; i < m->nlost; i++) {
    const struct lost *l = &m->lost[i];
    bool is_comm = l->key == key, is_source = source < 0 || l->source == source, is_tag = tag < 0 || l->tag == tag;
    int rank = is_comm && is_source ? 3 : is_comm && is_tag ? 2 : is_source && is_tag ? 1 : 0;
    if (rank > best_rank) best = l, best_rank = rank;
  }
  return best;
}

static void say_unmatched(struct messages *m, uint64_t key, int32_t source, int32_t tag, uint64_t came, uint32_t site,
                          uint16_t fn, uint32_t n) {
  int me = (int)m->judge->rank;
  struct mck_finding *f = say(m, MCK_CHECK_MESSAGE_UNMATCHED_RECEIVE, me, me, MCK_NONE, site, n);
  if (!f) return;
  char from[48] = "any rank", with[48] = "any tag";
  if (source >= 0) snprintf(from, sizeof from, "rank %d", source);
  if (tag >= 0) snprintf(with, sizeof with, "tag %d", tag);
  mck_finding_text(f, "a receive that no message ever comes to");
  mck_finding_place(f, me, site, "%s on rank %d", mck_judge_fn(fn), me);
  if (came)
    mck_finding_why(
        f, "it waits for a message from %s with %s; only %llu such messages are sent, for receives posted before it",
        from, with, (unsigned long long)came);
  else mck_finding_why(f, "it waits for a message from %s with %s; none is sent", from, with);
  const struct lost *miss = nearest_message(m, key, source, tag);
  if (!miss) return;
  if (miss->key != key)
    mck_finding_why(f, "rank %d sends one that is never received, but on another communicator", miss->source);
  else mck_finding_why(f, "rank %d sends one with tag %d that is never received", miss->source, miss->tag);
  mck_finding_place(f, miss->source, miss->shape.site, "nearest miss: %s from rank %d", mck_judge_fn(miss->shape.fn),
                    miss->source);
}

// More receives were posted than messages sent, whatever the order in which threads did it. With threads only places
// that are all alike.
static void check_receives(struct messages *m) {
  for (size_t i = 0; i < m->nreceives; i++) {
    const struct mck_channel *c = &m->judge->channels[m->receives[i]];
    if (c->undecided != UINT64_MAX || c->matched >= c->runs.n || (m->judge->is_multiple && c->runs.count > 1)) continue;
    uint64_t skip = c->matched;
    for (size_t k = 0; k < c->runs.count; k++) {
      uint32_t n = c->runs.items[k].n;
      uint32_t left = skip >= n ? 0 : n - (uint32_t)skip;
      skip -= n - left;
      const struct mck_shape *s = &m->judge->shapes[c->runs.items[k].shape];
      if (left && mck_std_blocking(s->fn) != MCK_FN_MPI_Mprobe)
        say_unmatched(m, c->key, c->world, c->tag, c->base + c->matched, s->site, s->fn, left);
    }
  }
  // A wildcard receive that never got its match, where nothing is left over that it could have taken.
  for (size_t i = 0; i < m->judge->nwildcards && !m->judge->is_all_undecided; i++) {
    const struct mck_wildcard *w = &m->judge->wildcards[i];
    bool is_possible = w->is_cancelled || m->judge->is_multiple;
    for (size_t k = 0; k < m->nsurplus && !is_possible; k++) {
      const struct surplus *s = &m->surplus[k];
      is_possible = s->key == w->key && (w->world < 0 || w->world == s->source) && (w->any_tag || w->tag == s->tag);
    }
    if (!is_possible) say_unmatched(m, w->key, w->world, w->any_tag ? -1 : w->tag, 0, w->site, w->fn, 1);
  }
}

void mck_decide_messages(struct mck_decide *d) {
  struct messages m = {.decide = d, .judge = d->judge};
  m.receives = malloc((d->judge->nchannels + 1) * sizeof *m.receives);
  bool is_ok = m.receives && mck_signatures_load(&m.own, d->judge->log);
  for (size_t i = 0; is_ok && i < d->judge->nchannels; i++) {
    d->judge->channels[i].matched = 0;
    if (d->judge->channels[i].direction == MCK_IN) m.receives[m.nreceives++] = (uint32_t)i;
  }
  if (is_ok) {
    sorted = d->judge;
    qsort(m.receives, m.nreceives, sizeof *m.receives, compare_receives);
    for (uint32_t r = 0; r < d->size; r++) match_delivery(&m, &d->from[r]);
    for (size_t i = 0; i < m.nlost; i++) say_lost(&m, &m.lost[i]);
    if (d->is_complete) check_receives(&m);
    mck_signatures_free(&m.own);
  } else mck_base_warn("out of memory: the messages to rank %u are not judged", d->judge->rank);
  free(m.receives);
  free(m.said);
  mck_table_free(&m.said_table);
  free(m.lost);
  free(m.surplus);
}
