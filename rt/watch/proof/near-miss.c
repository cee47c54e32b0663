// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Near misses: messages that were sent to a waiting receiver and differ from its pattern in one respect; the message
// itself, when a wildcard receive has taken it; constructors of communicators whose tags differ.
#include <string.h>
#include "api/fns.h"
#include "watch/proof/deadlock-roll-call.h"

enum { MISSES_MAX = 4 };

struct wanted {
  uint64_t key;
  int64_t source;
  int32_t tag;
  bool is_any_tag;
  uint32_t rank;
};

static void add_miss(struct mck_words *words, const struct mck_channel *c, const struct wanted *w, bool is_key,
                     bool is_tag) {
  mck_story_line(words);
  mck_words_add(words, "near miss: rank %u has sent rank %u a message with tag %d that is not received; ", c->source,
                c->dest, c->tag);
  if (!is_tag) mck_words_add(words, "rank %u asks for tag %d", c->dest, w->tag);
  else if (!is_key) mck_words_add(words, "it is on another communicator than the receive");
  else mck_words_add(words, "rank %u asks for one of rank %u", c->dest, (uint32_t)w->source);
}

static uint32_t look_at_channels(const struct mck_proof *proof, const struct wanted *w, struct mck_words *words,
                                 uint32_t nlines) {
  for (size_t k = 0; k < proof->nchannels && nlines < MISSES_MAX; k++) {
    const struct mck_channel *c = &proof->channels[k];
    if (c->dest != w->rank || c->sends <= c->receives) continue;
    bool is_key = c->key == w->key, is_tag = w->is_any_tag || c->tag == w->tag,
         is_source = w->source < 0 || c->source == w->source;
    if (is_key + is_tag + is_source != 2) continue;
    add_miss(words, c, w, is_key, is_tag);
    nlines++;
  }
  return nlines;
}

// The last wildcard of the rank that took the message.
static uint32_t look_at_wildcards(const struct mck_proof *proof, const struct wanted *w, struct mck_words *words) {
  const struct mck_reader *log = &proof->logs[w->rank];
  const struct mck_event *found = NULL;
  for (uint64_t i = 0; w->source >= 0 && i < log->units; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    uint64_t key;
    int64_t source;
    if ((e->kind != MCK_EV_RECV && e->kind != MCK_EV_MPROBE) || !(e->flags & (MCK_FLAG_ANY_SOURCE | MCK_FLAG_ANY_TAG)))
      continue;
    uint8_t flags = mck_event_flags(e);
    if (!(flags & MCK_FLAG_MATCHED) || flags & MCK_FLAG_CANCELLED ||
        !mck_proof_get_peer(proof, w->rank, e, &key, &source))
      continue;
    if (key == w->key && source == w->source && (w->is_any_tag || e->msg.tag == w->tag)) found = e;
  }
  if (!found) return 0;
  mck_story_line(words);
  mck_words_add(words, "near miss: a message of rank %u with tag %d was already received by rank %u's wildcard %s",
                (uint32_t)w->source, found->msg.tag, w->rank, mck_words_name(found->fn));
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
    struct wanted w = {.rank = part->rank, .tag = e->msg.tag, .is_any_tag = e->flags & MCK_FLAG_ANY_TAG};
    if (e->kind != MCK_EV_RECV && e->kind != MCK_EV_PROBE && e->kind != MCK_EV_MPROBE) continue;
    if (!mck_proof_get_peer(proof, part->rank, e, &w.key, &w.source)) continue;
    nlines = look_at_channels(proof, &w, words, nlines);
    if (nlines < MISSES_MAX) nlines += look_at_wildcards(proof, &w, words);
  }
}
