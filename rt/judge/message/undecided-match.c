// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Receives whose matches are not known, and what follows for those of others.
#include "judge/index.h"

static bool is_compatible(const struct mck_wildcard *w, uint64_t key, int world, int tag) {
  return w->key == key && (w->world < 0 || w->world == world) && (w->any_tag || w->tag == tag);
}

bool mck_judge_is_undecided(const struct mck_judge *judge, uint64_t key, int world, int tag) {
  for (size_t i = 0; i < judge->nwildcards; i++)
    if (is_compatible(&judge->wildcards[i], key, world, tag)) return true;
  return judge->is_all_undecided;
}

// A wildcard receive that never got its match: it may have taken the next message of each channel that it accepts,
// so from here on the k-th send of those channels need not go to the k-th of the other receives.
void mck_judge_add_wildcard(struct mck_judge *j, const struct mck_event *e) {
  const struct mck_comm_def *comm = mck_judge_comm(j, e->msg.comm);
  if (!comm) {
    j->is_partial = true;
    return;
  }
  struct mck_wildcard w = {.key = comm->body->key,
                           .comm = e->msg.comm,
                           .world = -1,
                           .tag = e->msg.tag,
                           .any_tag = e->msg.tag < 0,
                           .site = e->site,
                           .fn = e->fn,
                           .is_cancelled = e->flags & MCK_FLAG_CANCELLED};
  if (e->msg.peer >= 0) w.world = mck_comm_world_rank(comm, e->msg.peer, comm->remote_size > 0);
  for (size_t i = 0; i < j->nwildcards; i++) {
    const struct mck_wildcard *o = &j->wildcards[i];
    if (o->key == w.key && o->world == w.world && o->any_tag == w.any_tag && (w.any_tag || o->tag == w.tag)) return;
  }
  if (j->is_all_undecided) return;
  bool is_too_many = j->nwildcards >= 256; // each looks at every channel
  for (size_t i = 0; i < j->nchannels; i++) {
    struct mck_channel *c = &j->channels[i];
    if (c->direction == MCK_IN && c->undecided == UINT64_MAX &&
        (is_too_many || is_compatible(&w, c->key, c->world, c->tag)))
      c->undecided = c->runs.n;
  }
  if (is_too_many) j->is_all_undecided = true;
  else if (!MCK_PUSH(j->wildcards, j->nwildcards, j->wildcards_capacity, w)) j->is_short = true;
}
