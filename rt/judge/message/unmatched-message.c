// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the sends that no receive takes, the receives that no message comes to, and the nearest miss of each.
#include <stdio.h>
#include "judge/message/message-match.h"
#include "standard/function.h"

// The call by which this rank freed the communicator, or NULL. After it nothing can be received there (MPI-3.1 6.4.3).
const struct mck_event *mck_messages_find_free(const struct mck_judge *j, uint64_t key) {
  for (size_t i = 0; i < j->nsequences && !j->is_partial; i++) {
    const struct mck_event *e = &j->log->events[j->sequences[i].last];
    if (e->kind != MCK_EV_COLL || e->fn >= MCK_FN_COUNT) continue; // a larger number is forged
    if (j->sequences[i].key == key && mck_fn_classes[e->fn] == MCK_CLASS_comm_free) return e;
  }
  return NULL;
}

void mck_messages_add_lost(struct mck_messages *m, const struct mck_delivery *from, const struct mck_signatures *types,
                           uint64_t key, int32_t tag, const struct mck_runs *sends,
                           const struct mck_channel *receives) {
  uint64_t skip = receives ? receives->runs.n : 0;
  for (size_t i = 0; i < sends->count; i++) {
    struct mck_run run = sends->items[i];
    uint32_t n = skip >= run.n ? 0 : run.n - (uint32_t)skip;
    skip -= run.n - n;
    if (!n) continue;
    struct mck_message_lost lost = {.source = from->rank,
                                    .key = key,
                                    .tag = tag,
                                    .shape = from->shapes[run.shape],
                                    .n = n,
                                    .posted = receives ? receives->base + receives->runs.n : 0};
    // Only the last few are compared. mck_messages_say() counts equal ones together.
    bool is_known = false;
    for (size_t k = m->nlost; k-- > 0 && k + 8 > m->nlost && !is_known;)
      if (m->lost[k].source == lost.source && m->lost[k].shape.site == lost.shape.site) {
        m->lost[k].n += n;
        is_known = true;
      }
    if (is_known || m->nlost >= 4 * MCK_FINDINGS_MAX) continue;
    const struct mck_type_source source = {from->rank, types, from->types, from->ntypes};
    mck_type_describe(lost.what, sizeof lost.what, &source, lost.shape.type, lost.shape.count);
    if (!MCK_PUSH(m->lost, m->nlost, m->lost_capacity, lost)) return;
  }
}

static const struct mck_shape *shape_at(const struct mck_judge *j, const struct mck_channel *c, uint64_t position) {
  for (size_t i = 0; i < c->runs.count; i++) {
    if (position < c->runs.items[i].n) return &j->shapes[c->runs.items[i].shape];
    position -= c->runs.items[i].n;
  }
  return NULL;
}

// How near is a miss?
static int rank_miss(unsigned fit) {
  if ((fit & MCK_STD_FITS_COMM) && (fit & MCK_STD_FITS_SOURCE)) return 3;
  if ((fit & MCK_STD_FITS_COMM) && (fit & MCK_STD_FITS_TAG)) return 2;
  return (fit & MCK_STD_FITS_SOURCE) && (fit & MCK_STD_FITS_TAG);
}

// The receive without a message that differs from this message in one thing only.
static const struct mck_channel *nearest_miss(const struct mck_messages *m, const struct mck_message_lost *lost) {
  const struct mck_channel *best = NULL;
  struct mck_std_envelope message = {lost->key, lost->source, lost->tag};
  int best_rank = 0;
  for (size_t i = 0; i < m->nreceives; i++) {
    const struct mck_channel *c = &m->judge->channels[m->receives[i]];
    if (c->matched >= c->runs.n) continue;
    struct mck_std_pattern receive = {c->key, c->world, c->tag, false, false};
    int rank = rank_miss(mck_std_fit(receive, message));
    if (rank > best_rank) best = c, best_rank = rank;
  }
  return best;
}

void mck_messages_say_lost(struct mck_messages *m, const struct mck_message_lost *lost) {
  struct mck_finding *f = mck_messages_say(m, MCK_CHECK_MESSAGE_LOST, lost->source, lost->source, lost->shape.site,
                                           MCK_NONE, lost->n);
  if (!f) return;
  unsigned me = m->judge->rank;
  mck_finding_text(f, "message of %s is never received", lost->what);
  mck_finding_place(f, lost->source, lost->shape.site, "%s from rank %d", mck_judge_fn(lost->shape.fn), lost->source);
  mck_why(MCK_CHECK_MESSAGE_LOST,
          "rank %d sends more messages with tag %d to rank %u than that rank posts matching receives (%llu); each of "
          "those takes an earlier message (MPI-3.1 3.5); %u left over here",
          lost->source, lost->tag, me, (unsigned long long)lost->posted, lost->n);
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
    mck_finding_why(f, "rank %u posts only %llu receive%s from rank %d with tag %d", me,
                    (unsigned long long)lost->posted, lost->posted > 1 ? "s" : "", lost->source, lost->tag);
  else mck_finding_why(f, "rank %u never posts a receive from rank %d with tag %d", me, lost->source, lost->tag);
  const struct mck_event *freed = mck_messages_find_free(m->judge, lost->key);
  if (freed)
    mck_finding_place(f, (int)me, freed->site, "the communicator is freed: %s on rank %u", mck_judge_fn(freed->fn), me);
}

// --- receives without a message ---
static const struct mck_message_lost *nearest_message(const struct mck_messages *m, struct mck_std_pattern receive) {
  const struct mck_message_lost *best = NULL;
  int best_rank = 0;
  for (size_t i = 0; i < m->nlost; i++) {
    const struct mck_message_lost *l = &m->lost[i];
    int rank = rank_miss(mck_std_fit(receive, (struct mck_std_envelope){l->key, l->source, l->tag}));
    if (rank > best_rank) best = l, best_rank = rank;
  }
  return best;
}

static void say_unmatched(struct mck_messages *m, struct mck_std_pattern receive, uint64_t came, uint32_t site,
                          uint16_t fn, uint32_t n) {
  int me = (int)m->judge->rank;
  struct mck_finding *f = mck_messages_say(m, MCK_CHECK_MESSAGE_UNMATCHED_RECEIVE, me, me, MCK_NONE, site, n);
  if (!f) return;
  char from[48] = "any rank", with[48] = "any tag";
  if (!receive.is_any_source) snprintf(from, sizeof from, "rank %d", receive.source);
  if (!receive.is_any_tag) snprintf(with, sizeof with, "tag %d", receive.tag);
  mck_finding_text(f, "a receive that no message ever comes to");
  mck_finding_place(f, me, site, "%s on rank %d", mck_judge_fn(fn), me);
  mck_why(MCK_CHECK_MESSAGE_UNMATCHED_RECEIVE,
          "%s with %s to rank %d: %llu sends in the whole run, all taken by receives posted before (MPI-3.1 3.5); %u "
          "receives left over here",
          from, with, me, (unsigned long long)came, n);
  if (came)
    mck_finding_why(
        f, "it waits for a message from %s with %s; only %llu such messages are sent, for receives posted before it",
        from, with, (unsigned long long)came);
  else mck_finding_why(f, "it waits for a message from %s with %s; none is sent", from, with);
  const struct mck_message_lost *miss = nearest_message(m, receive);
  if (!miss) return;
  if (miss->key != receive.comm)
    mck_finding_why(f, "rank %d sends one that is never received, but on another communicator", miss->source);
  else mck_finding_why(f, "rank %d sends one with tag %d that is never received", miss->source, miss->tag);
  mck_finding_place(f, miss->source, miss->shape.site, "nearest miss: %s from rank %d", mck_judge_fn(miss->shape.fn),
                    miss->source);
}

// More receives were posted than messages were sent, whatever the order of the threads. With several threads only
// channels whose receives are all alike are checked.
void mck_messages_check_receives(struct mck_messages *m) {
  for (size_t i = 0; i < m->nreceives; i++) {
    const struct mck_channel *c = &m->judge->channels[m->receives[i]];
    if (c->decided != MCK_STD_ALL_DECIDED || c->matched >= c->runs.n) continue;
    if ((m->judge->is_multiple || c->is_open) && c->runs.count > 1) continue;
    struct mck_std_pattern receive = {c->key, c->world, c->tag, false, false};
    uint64_t skip = c->matched;
    for (size_t k = 0; k < c->runs.count; k++) {
      uint32_t n = c->runs.items[k].n;
      uint32_t left = skip >= n ? 0 : n - (uint32_t)skip;
      skip -= n - left;
      const struct mck_shape *s = &m->judge->shapes[c->runs.items[k].shape];
      if (left && mck_std_blocking(s->fn) != MCK_FN_MPI_Mprobe)
        say_unmatched(m, receive, c->base + c->matched, s->site, s->fn, left);
    }
  }
  // A wildcard receive never got a match, and no message is left over that it could have taken.
  for (size_t i = 0; i < m->judge->nwildcards && !m->judge->is_all_undecided; i++) {
    const struct mck_wildcard *w = &m->judge->wildcards[i];
    bool is_possible = w->is_cancelled || m->judge->is_multiple;
    for (size_t k = 0; k < m->nsurplus && !is_possible; k++) is_possible = mck_std_accepts(w->pattern, m->surplus[k]);
    if (!is_possible) say_unmatched(m, w->pattern, 0, w->site, w->fn, 1);
  }
}
