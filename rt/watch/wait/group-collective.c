// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Comm_create_group is collective over its group only (MPI-3.1 6.4.2). All members call it equally often with the
// same communicator, tag and group. A member with fewer calls has not arrived. The same holds for the two leaders of
// MPI_Intercomm_create, by the peer communicator and the tag (6.6.2), when their own groups have arrived
// (collective-instance.c). The other members of a group wait for its leader.
#include <stdlib.h>
#include "standard/function.h"
#include "watch/proof/proof.h"
#include "watch/wait/pair-count.h"

static bool is_intercomm(const struct mck_event *e) {
  return e->kind == MCK_EV_COLL && mck_std(e->fn)->collective == MCK_STD_COLLECTIVE_GROUPS;
}

const struct mck_event *mck_proof_members(const struct mck_reader *log, uint64_t index) {
  const struct mck_event *e = &log->events[index], *m = e + 1;
  bool has_some = (e->kind == MCK_EV_CALL && mck_std(e->fn)->collective == MCK_STD_COLLECTIVE_GROUP) || is_intercomm(e);
  return has_some && index + 1 < log->units && m->kind == MCK_EV_MEMBERS && mck_proof_comm(log, m->members.comm) ? m
                                                                                                                 : NULL;
}

static uint64_t hash_of(const struct mck_reader *log, const struct mck_event *m) {
  uint64_t words[2] = {log->comms[m->members.comm].body->key, (uint32_t)m->members.tag | (uint64_t)m->fn << 32};
  return mck_base_hash(m + 1, (size_t)m->members.n * 4, mck_base_hash(words, sizeof words, 3));
}

static const struct mck_event *group_part(const struct mck_proof *proof, const struct mck_proof_part *part) {
  if (!part->is_hit || part->polled || part->event == MCK_NONE || mck_proof_is_cut(&proof->logs[part->rank]) ||
      mck_proof_has_threads(&proof->logs[part->rank]))
    return NULL;
  return part->verdict == MCK_PROOF_MAY_COMPLETE ? mck_proof_members(&proof->logs[part->rank], part->event) : NULL;
}

static void judge(struct mck_proof *proof, const struct mck_tally *counts, struct mck_proof_part *part,
                  const struct mck_event *m) {
  const struct mck_reader *log = &proof->logs[part->rank];
  uint64_t hash = hash_of(log, m), own = mck_tally_get(counts, hash, part->rank, 0);
  part->set = proof->nsets;
  for (uint32_t i = 0; i < m->members.n; i++) {
    int world = mck_comm_world_rank(&log->comms[m->members.comm], ((const int32_t *)(m + 1))[i], false);
    if (world < 0 || (uint32_t)world >= proof->size || (uint32_t)world == part->rank) continue;
    if (!mck_proof_is_cut(&proof->logs[world]) && mck_tally_get(counts, hash, (uint64_t)world, 0) < own)
      mck_proof_add_member(proof, part, (uint32_t)world);
  }
  if (!part->nset) return;
  part->verdict = MCK_PROOF_NEEDS_SET;
  part->is_all = part->is_solid = true;
}

// A member that is no leader deals with the other group only through its leader.
static void wait_for_leader(struct mck_proof *proof, const struct mck_proof_part *leader) {
  for (size_t i = 0; i < proof->nparts; i++) {
    struct mck_proof_part *part = &proof->parts[i];
    if (part == leader || part->event == MCK_NONE || !part->is_hit || part->polled ||
        part->verdict != MCK_PROOF_MAY_COMPLETE)
      continue;
    if (part->instance != leader->instance || !is_intercomm(mck_proof_event(proof, part))) continue;
    part->verdict = MCK_PROOF_NEEDS_RANK, part->target = leader->rank, part->is_solid = true;
  }
}

void mck_proof_judge_groups(struct mck_proof *proof) {
  struct mck_tally counts = {0};
  bool is_there = false;
  for (size_t i = 0; i < proof->nparts && !is_there; i++) is_there = group_part(proof, &proof->parts[i]) != NULL;
  if (!is_there) return;
  for (uint32_t r = 0; r < proof->size && !proof->is_out_of_memory; r++) {
    const struct mck_reader *log = &proof->logs[r];
    for (uint64_t i = 0; log->header && i < log->units; i += mck_event_units(&log->events[i])) {
      const struct mck_event *m = mck_proof_members(log, i);
      uint64_t *n = m ? mck_tally_at(&counts, hash_of(log, m), r, 0) : NULL;
      if (n) ++*n;
      else if (m) proof->is_out_of_memory = true;
    }
  }
  for (size_t i = 0; i < proof->nparts && !proof->is_out_of_memory; i++) {
    const struct mck_event *m = group_part(proof, &proof->parts[i]);
    if (m) judge(proof, &counts, &proof->parts[i], m);
    if (m && proof->parts[i].nset && is_intercomm(m - 1)) wait_for_leader(proof, &proof->parts[i]);
  }
  mck_tally_free(&counts);
}
