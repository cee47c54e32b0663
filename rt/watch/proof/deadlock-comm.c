// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The communicators of the calls in which the ranks of a deadlock stand.
#include "log/envelope.h"
#include "watch/proof/deadlock-roll-call.h"

// The communicator of the call in which a rank stands; MCK_NONE: none.
static uint32_t comm_of(const struct mck_proof *proof, uint32_t r) {
  const struct mck_event *e = proof->ranks[r].state == MCK_PROOF_FINALIZING ? NULL : mck_story_call(proof, r);
  uint32_t comm = e && !proof->ranks[r].is_polling ? mck_event_comm(e) : MCK_NONE;
  return comm < proof->logs[r].ncomms && proof->logs[r].comms[comm].body ? comm : MCK_NONE;
}

bool mck_story_has_comms(const struct mck_story *story) {
  const struct mck_proof *proof = story->proof;
  uint64_t key = 0;
  uint32_t n = 0;
  bool is_any = false;
  for (uint32_t r = 0; r < proof->size; r++) {
    uint32_t comm = story->core[r] ? comm_of(proof, r) : MCK_NONE;
    if (comm == MCK_NONE) continue;
    const struct mck_comm_def *def = &proof->logs[r].comms[comm];
    is_any |= def->name_length || (n++ && def->body->key != key);
    key = def->body->key;
  }
  return is_any;
}

static bool is_alone(const struct mck_story *story, uint32_t r) {
  uint32_t other = r ? 0 : 1;
  if (mck_story_is_same_comm(story, r, other)) return false;
  for (uint32_t q = 0; q < story->proof->size; q++)
    if (q != r && !mck_story_is_same_comm(story, q, other)) return false;
  return true;
}

uint32_t mck_story_odd_rank(const struct mck_story *story) {
  const struct mck_proof *proof = story->proof;
  uint32_t odd = MCK_NONE;
  if (proof->size < 3) return MCK_NONE;
  for (uint32_t r = 0; r < proof->size; r++) {
    const struct mck_event *e = mck_story_call(proof, r);
    if (!proof->graph.is_deadlocked[r] || !e || e->kind != MCK_EV_COLL || comm_of(proof, r) == MCK_NONE)
      return MCK_NONE;
    if (odd == MCK_NONE && is_alone(story, r)) odd = r;
  }
  return odd;
}

void mck_story_add_comm(const struct mck_story *story, struct mck_words *words, uint32_t r) {
  uint32_t comm = story->has_comms ? comm_of(story->proof, r) : MCK_NONE;
  if (comm != MCK_NONE) mck_words_add_comm(words, &story->proof->logs[r], r, comm);
}

// Where all call on one communicator that has no name: once for all, if it is none of MPI's own.
void mck_story_only_comm(const struct mck_story *story, struct mck_words *words) {
  const struct mck_proof *proof = story->proof;
  uint32_t first = MCK_NONE;
  if (story->has_comms) return;
  for (uint32_t r = 0; r < proof->size; r++) {
    if (!story->core[r]) continue;
    if (proof->ranks[r].nthreads || comm_of(proof, r) == MCK_NONE) return;
    if (first == MCK_NONE) first = r;
  }
  uint32_t comm = first == MCK_NONE ? MCK_NONE : comm_of(proof, first);
  if (comm == MCK_NONE) return;
  const struct mck_event *made = (const struct mck_event *)proof->logs[first].comms[comm].body - 1;
  if (made->site == MCK_NONE) return;
  mck_story_line(words);
  mck_words_add(words, story->ncore > 1 ? "all of them are" : "it is");
  mck_words_add_comm(words, &proof->logs[first], first, comm);
}

bool mck_story_is_same_comm(const struct mck_story *story, uint32_t r, uint32_t q) {
  const struct mck_proof *proof = story->proof;
  uint32_t a = comm_of(proof, r), b = comm_of(proof, q);
  if (!story->has_comms || (a == MCK_NONE && b == MCK_NONE)) return true;
  return a != MCK_NONE && b != MCK_NONE && proof->logs[r].comms[a].body->key == proof->logs[q].comms[b].body->key;
}
