// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Near misses: messages that were sent to a waiting receiver and differ from its pattern in one respect; the message
// itself, when a wildcard receive has taken it; constructors of communicators whose tags differ.
#include <string.h>
#include "api/fns.h"
#include "watch/proof/deadlock-roll-call.h"

enum { MISSES_MAX = 4 };

struct wanted {
  struct mck_std_pattern pattern;
  uint32_t rank;
};

// The first send of the channel that no receive has taken: messages of a channel do not overtake each other (MPI-3.1
// 3.5).
static uint32_t find_send(const struct mck_proof *proof, const struct mck_channel *c) {
  const struct mck_reader *log = &proof->logs[c->source];
  uint64_t left = c->receives;
  for (uint64_t i = 0; i < log->units; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    uint64_t key;
    int64_t peer;
    if (e->kind != MCK_EV_SEND || e->msg.tag != c->tag || !mck_proof_get_peer(proof, c->source, e, &key, &peer) ||
        peer != (int64_t)c->dest || key != c->key)
      continue;
    if (!left--) return e->site;
  }
  return MCK_NONE;
}

static void add_miss(const struct mck_proof *proof, struct mck_words *words, const struct mck_channel *c,
                     const struct wanted *w, unsigned fit) {
  mck_story_line(words);
  mck_words_add(words, "near miss: rank %u has sent rank %u a message with tag %d that is not received; ", c->source,
                c->dest, c->tag);
  if (!(fit & MCK_STD_FITS_TAG)) mck_words_add(words, "rank %u asks for tag %d", c->dest, w->pattern.tag);
  else if (!(fit & MCK_STD_FITS_COMM)) mck_words_add(words, "it is on another communicator than the receive");
  else mck_words_add(words, "rank %u asks for one of rank %u", c->dest, (uint32_t)w->pattern.source);
  mck_words_add_place(words, "; it was sent at ", c->source, find_send(proof, c));
}

static uint32_t look_at_channels(const struct mck_proof *proof, const struct wanted *w, struct mck_words *words,
                                 uint32_t nlines) {
  for (size_t k = 0; k < proof->nchannels && nlines < MISSES_MAX; k++) {
    const struct mck_channel *c = &proof->channels[k];
    if (c->dest != w->rank || !mck_std_has_partner(c->receives, c->sends)) continue;
    unsigned fit = mck_std_fit(w->pattern, mck_proof_envelope(c));
    if (__builtin_popcount(fit) != 2) continue;
    add_miss(proof, words, c, w, fit);
    nlines++;
  }
  return nlines;
}

// The last wildcard of the rank that took the message.
static uint32_t look_at_wildcards(const struct mck_proof *proof, const struct wanted *w, struct mck_words *words) {
  const struct mck_reader *log = &proof->logs[w->rank];
  const struct mck_event *found = NULL;
  for (uint64_t i = 0; !w->pattern.is_any_source && i < log->units; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    uint64_t key;
    int64_t source;
    if ((e->kind != MCK_EV_RECV && e->kind != MCK_EV_MPROBE) || !mck_event_has_wildcard(e->flags)) continue;
    if (mck_proof_place(e) != MCK_STD_TAKES || !mck_proof_get_peer(proof, w->rank, e, &key, &source)) continue;
    if (mck_std_accepts(w->pattern, (struct mck_std_envelope){key, (int32_t)source, e->msg.tag})) found = e;
  }
  if (!found) return 0;
  mck_story_line(words);
  mck_words_add(words, "near miss: a message of rank %u with tag %d was already received by rank %u's wildcard %s",
                (uint32_t)w->pattern.source, found->msg.tag, w->rank, mck_words_name(found->fn));
  mck_words_add_place(words, " at ", w->rank, found->site);
  return 1;
}

// Leaders of MPI_Intercomm_create who wait for each other, with different tags (MPI-3.1 6.6.2).
static uint32_t look_at_leaders(const struct mck_story *story, const struct mck_proof_part *part,
                                struct mck_words *words) {
  const struct mck_proof *proof = story->proof;
  const struct mck_reader *log = &proof->logs[part->rank];
  const struct mck_event *m = mck_proof_members(log, part->event);
  for (size_t i = 0; m && i < proof->nparts; i++) {
    const struct mck_proof_part *p = &proof->parts[i];
    if (p->rank <= part->rank || p->event == MCK_NONE || p->polled || !story->core[p->rank]) continue;
    const struct mck_reader *other = &proof->logs[p->rank];
    const struct mck_event *o = mck_proof_members(other, p->event);
    if (!o || o->fn != m->fn || o->members.n != m->members.n || o->members.tag == m->members.tag) continue;
    if (memcmp(o + 1, m + 1, (size_t)m->members.n * sizeof(int32_t))) continue;
    if (other->comms[o->members.comm].body->key != log->comms[m->members.comm].body->key) continue;
    mck_story_line(words);
    mck_words_add(words, "near miss: rank %u calls %s with tag %d, rank %u with tag %d", part->rank,
                  mck_words_name(m->fn), m->members.tag, p->rank, o->members.tag);
    return 1;
  }
  return 0;
}

void mck_story_misses(struct mck_story *story, struct mck_words *words) {
  const struct mck_proof *proof = story->proof;
  uint32_t nlines = 0;
  for (size_t i = 0; i < proof->nparts && nlines < MISSES_MAX; i++) {
    const struct mck_proof_part *part = &proof->parts[i];
    if (story->core[part->rank] && part->is_hit && part->verdict == MCK_PROOF_NEEDS_SET && part->event != MCK_NONE &&
        !part->polled)
      nlines += look_at_leaders(story, part, words);
    if (!story->core[part->rank] || !part->is_hit ||
        (part->verdict != MCK_PROOF_NEEDS_RANK && part->verdict != MCK_PROOF_NEEDS_ANY))
      continue;
    const struct mck_event *e = mck_proof_event(proof, part);
    uint64_t key;
    int64_t source;
    if (e->kind != MCK_EV_RECV && e->kind != MCK_EV_PROBE && e->kind != MCK_EV_MPROBE) continue;
    if (!mck_proof_get_peer(proof, part->rank, e, &key, &source)) continue;
    struct wanted w = {mck_proof_pattern(e, key, source), part->rank};
    nlines = look_at_channels(proof, &w, words, nlines);
    if (nlines < MISSES_MAX) nlines += look_at_wildcards(proof, &w, words);
  }
}
