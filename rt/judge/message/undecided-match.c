// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Receives whose matches are not known, and what follows for those of others.
#include "judge/index.h"

bool mck_judge_is_undecided(const struct mck_judge *judge, struct mck_std_envelope message) {
  for (size_t i = 0; i < judge->nwildcards; i++)
    if (mck_std_accepts(judge->wildcards[i].pattern, message)) return true;
  return judge->is_all_undecided;
}

// A wildcard receive that never got its match: it may have taken the next message of each channel that it accepts,
// so from here on the k-th send of those channels need not go to the k-th of the other receives.
void mck_judge_add_unknown(struct mck_judge *j, const struct mck_event *e) {
  if (mck_event_place(e) != MCK_STD_UNDECIDED) return;
  const struct mck_comm_def *comm = mck_judge_comm(j, e->msg.comm);
  if (!comm) {
    j->is_partial = true;
    return;
  }
  int source = MCK_ANY_SOURCE;
  if (e->msg.peer >= 0) source = mck_comm_world_rank(comm, e->msg.peer, comm->remote_size > 0);
  struct mck_wildcard w = {.pattern = mck_std_pattern(comm->body->key, source, e->msg.tag),
                           .site = e->site,
                           .fn = e->fn,
                           .is_cancelled = e->flags & MCK_FLAG_CANCELLED};
  for (size_t i = 0; i < j->nwildcards; i++)
    if (mck_std_is_same_pattern(j->wildcards[i].pattern, w.pattern)) return;
  if (j->is_all_undecided) return;
  bool is_too_many = j->nwildcards >= 256; // each looks at every channel
  for (size_t i = 0; i < j->nchannels; i++) {
    struct mck_channel *c = &j->channels[i];
    if (c->direction == MCK_IN && (is_too_many || mck_std_accepts(w.pattern, mck_std_envelope_at(mck_judge_end(c)))))
      mck_std_leave_undecided(&c->decided, c->runs.n);
  }
  if (is_too_many) j->is_all_undecided = true;
  else if (!MCK_PUSH(j->wildcards, j->nwildcards, j->wildcards_capacity, w)) j->is_short = true;
}
