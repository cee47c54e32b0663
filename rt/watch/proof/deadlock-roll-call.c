// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The roll call: what all ranks do. Ranks that do the same at the same place are named together.
#include "watch/proof/deadlock-roll-call.h"
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"

enum { GROUPS_MAX = 12 };

const struct mck_event *mck_story_call(const struct mck_proof *proof, uint32_t r) {
  const struct mck_proof_rank *rank = &proof->ranks[r];
  return rank->event != MCK_NONE && rank->event < proof->logs[r].units ? &proof->logs[r].events[rank->event] : NULL;
}

uint16_t mck_story_fn(const struct mck_proof *proof, uint32_t r) {
  if (proof->ranks[r].state == MCK_PROOF_FINALIZING) return MCK_FN_MPI_Finalize;
  if (proof->ranks[r].is_polling) {
    uint32_t fn = atomic_load_explicit(&proof->logs[r].header->poll_fn, memory_order_relaxed);
    return fn < MCK_FN_COUNT ? (uint16_t)fn : MCK_FN_COUNT;
  }
  const struct mck_event *e = mck_story_call(proof, r);
  return e ? e->fn : MCK_FN_COUNT;
}

uint32_t mck_story_site(const struct mck_proof *proof, uint32_t r) {
  if (proof->ranks[r].is_polling) return atomic_load_explicit(&proof->logs[r].header->poll_site, memory_order_relaxed);
  const struct mck_event *e = mck_story_call(proof, r);
  return e ? e->site : MCK_NONE;
}

void mck_story_line(struct mck_words *words) {
  if (words->size) mck_words_add(words, "\n");
}

enum role {
  ROLE_THREADS, // each of its threads waits
  ROLE_CORE,
  ROLE_WAITS,
  ROLE_MAY_GO_ON,
  ROLE_POLLS,
  ROLE_POLLS_OPEN,
  ROLE_IS_INSIDE,
  ROLE_RUNS,
  ROLE_FINISHED
};

static enum role get_role(const struct mck_story *story, uint32_t r) {
  const struct mck_proof *proof = story->proof;
  if (proof->ranks[r].state == MCK_PROOF_FINISHED) return ROLE_FINISHED;
  if (proof->ranks[r].is_polling) return proof->ranks[r].is_open ? ROLE_POLLS_OPEN : ROLE_POLLS;
  if (proof->ranks[r].nthreads && proof->graph.is_deadlocked[r]) return ROLE_THREADS;
  if (story->core[r]) return ROLE_CORE;
  if (proof->graph.is_deadlocked[r]) return ROLE_WAITS;
  if (mck_story_call(proof, r)) return ROLE_MAY_GO_ON;
  return proof->marks[r].wait && mck_wait_event(proof->marks[r].wait) == MCK_NONE ? ROLE_IS_INSIDE : ROLE_RUNS;
}

static void add_group(struct mck_words *words, const struct mck_story *story, enum role role, bool is_one,
                      const char *fn, uint32_t r, uint32_t site) {
  switch (role) {
  case ROLE_THREADS:
    mck_words_add(words, is_one ? " waits with its %zu thread%s" : " wait with their %zu thread%s",
                  story->proof->ranks[r].nthreads, story->proof->ranks[r].nthreads == 1 ? "" : "s");
    return;
  case ROLE_CORE:
  case ROLE_WAITS: mck_words_add(words, is_one ? " waits in %s" : " wait in %s", fn); break;
  case ROLE_MAY_GO_ON: mck_words_add(words, is_one ? " is in %s" : " are in %s", fn); break;
  case ROLE_POLLS_OPEN:
  case ROLE_POLLS: mck_words_add(words, is_one ? " polls with %s" : " poll with %s", fn); break;
  case ROLE_IS_INSIDE:
    mck_words_add(words,
                  is_one ? " is in a call that its log does not have" : " are in calls that their logs do not have");
    return;
  case ROLE_RUNS: mck_words_add(words, is_one ? " is running" : " are running"); return;
  case ROLE_FINISHED: mck_words_add(words, is_one ? " has finished" : " have finished"); return;
  }
  mck_words_add_place(words, " at ", r, site);
  if (role == ROLE_WAITS) mck_words_add(words, story->is_note ? " for these ranks" : " for deadlocked ranks");
  if (role == ROLE_MAY_GO_ON || role == ROLE_POLLS_OPEN) mck_words_add(words, " and may go on");
}

void mck_story_roll_call(struct mck_story *story, struct mck_words *words) {
  const struct mck_proof *proof = story->proof;
  uint8_t *told = calloc((size_t)proof->size + 1, 1);
  uint64_t *places = calloc((size_t)proof->size + 1, sizeof *places);
  uint32_t ngroups = 0;
  for (uint32_t r = 0; places && r < proof->size; r++)
    places[r] = mck_log_place(&proof->logs[r], mck_story_site(proof, r));
  for (uint32_t r = 0; told && places && r < proof->size; r++) {
    if (told[r]) continue;
    if (++ngroups > GROUPS_MAX) {
      mck_words_add(words, "; others elsewhere");
      break;
    }
    enum role role = get_role(story, r);
    uint16_t fn = mck_story_fn(proof, r);
    bool is_in_call = role != ROLE_THREADS && role != ROLE_IS_INSIDE && role != ROLE_RUNS && role != ROLE_FINISHED;
    memset(story->set, 0, proof->size);
    uint32_t count = 0;
    for (uint32_t q = r; q < proof->size; q++) {
      if (told[q] || get_role(story, q) != role) continue;
      if (role == ROLE_THREADS && proof->ranks[q].nthreads != proof->ranks[r].nthreads) continue;
      if (is_in_call && (mck_story_fn(proof, q) != fn || places[q] != places[r])) continue;
      story->set[q] = told[q] = 1;
      count++;
    }
    if (ngroups > 1) mck_words_add(words, "; ");
    mck_words_add_ranks(words, story->set, proof->size);
    add_group(words, story, role, count == 1, mck_words_name(fn), r, mck_story_site(proof, r));
  }
  free(told);
  free(places);
}
