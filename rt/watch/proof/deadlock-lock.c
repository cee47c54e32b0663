// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The windows of the calls in which the ranks of a deadlock stand, and who has the locks that they wait for.
#include "log/event.h"
#include "watch/proof/deadlock-roll-call.h"

void mck_story_add_window(const struct mck_story *story, struct mck_words *words, uint32_t r) {
  const struct mck_proof *proof = story->proof;
  const struct mck_event *e = proof->ranks[r].state == MCK_PROOF_FINALIZING ? NULL : mck_story_call(proof, r);
  if (!e || proof->ranks[r].is_polling) return;
  bool is_op = e->kind == MCK_EV_PUT || e->kind == MCK_EV_GET || e->kind == MCK_EV_ACC;
  if (is_op) mck_words_add_window(words, &proof->logs[r], r, e->rma.win);
  else if (e->kind == MCK_EV_SYNC || e->kind == MCK_EV_FENCE)
    mck_words_add_window(words, &proof->logs[r], r, e->sync.win);
}

void mck_story_locks(struct mck_story *story, struct mck_words *words) {
  struct mck_proof *proof = story->proof;
  enum { LOOKS_MAX = 256 }; // each reads two logs
  uint32_t nlines = 0, nlooks = 0;
  for (uint32_t r = 0; r < proof->size; r++) {
    const struct mck_proof_rank *rank = &proof->ranks[r];
    if (!story->core[r] || rank->nthreads || rank->is_polling) continue;
    for (size_t i = rank->part; i < rank->part + rank->nparts; i++)
      for (uint32_t q = 0; q < proof->size && nlines < MCK_PLACES_MAX && nlooks < LOOKS_MAX; q++) {
        if (!story->core[q] || q == r) continue;
        nlooks++;
        uint32_t at = mck_proof_lock_of(proof, &proof->parts[i], q);
        if (at == MCK_NONE) continue;
        const struct mck_event *e = &proof->logs[q].events[at];
        mck_story_line(words);
        mck_words_add(words, "rank %u has called ", q);
        mck_words_add_call(words, e);
        mck_words_add_place(words, " at ", q, e->site);
        mck_words_add(words, ", and not unlocked since");
        nlines++;
      }
  }
}
