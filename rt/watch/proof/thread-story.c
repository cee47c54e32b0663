// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a rank in a finding: names of those in MPI calls, and what the others wait for.

#include "watch/proof/deadlock-roll-call.h"
#include <string.h>
#include "api/fns.h"

// "thread created" and "task created" are followed by a place, which is told elsewhere.
static uint32_t length_of(const struct mck_thread_label *label) {
  const char *created = label->length ? memmem(label->name, label->length, " created", 8) : NULL;
  return created ? (uint32_t)(created - label->name) : label->length;
}

void mck_story_add_thread(const struct mck_proof *proof, const struct mck_proof_thread *thread,
                          struct mck_words *words) {
  struct mck_thread_label label = mck_proof_label_thread(proof, thread);
  uint32_t length = length_of(&label);
  if (thread->wait->is_main) mck_words_add(words, "the main thread");
  else if (length) mck_words_add(words, length < label.length ? "a %.*s" : "%.*s", (int)length, label.name);
  else mck_words_add(words, "a thread");
}

static const char *phrase_of(uint8_t what) {
  switch ((enum mck_slot_wait)what) {
  case MCK_SLOT_JOIN: return "for another thread to end";
  case MCK_SLOT_LOCK: return "for a lock";
  case MCK_SLOT_CONDITION: return "for a condition variable";
  case MCK_SLOT_SEMAPHORE: return "for a semaphore";
  case MCK_SLOT_BARRIER: return "at a barrier of threads";
  case MCK_SLOT_OMP_BARRIER: return "at a barrier of OpenMP";
  case MCK_SLOT_OMP_TASKS: return "for tasks of OpenMP";
  case MCK_SLOT_OMP_LOCK: return "for a critical section or lock of OpenMP";
  case MCK_SLOT_OMP_ORDERED: return "for an ordered region of OpenMP";
  case MCK_SLOT_RUNS:
  case MCK_SLOT_WAITS: break;
  }
  return "for something";
}

static void begin_clause(struct mck_words *words, uint32_t r, uint32_t *nclauses) {
  if ((*nclauses)++) mck_words_add(words, ", ");
  else mck_story_line(words), mck_words_add(words, "in rank %u ", r);
}

// Threads that wait for the same kind of thing are counted.
static void add_waits(const struct mck_proof *proof, uint32_t r, bool is_main, struct mck_words *words,
                      uint32_t *nclauses) {
  const struct mck_proof_rank *rank = &proof->ranks[r];
  for (uint8_t what = MCK_SLOT_RUNS + 1; what < MCK_SLOT_WAITS; what++) {
    uint32_t n = 0;
    for (size_t i = rank->thread; i < rank->thread + rank->nthreads; i++)
      n += proof->threads[i].wait->what == what && proof->threads[i].wait->is_main == is_main;
    if (!n) continue;
    begin_clause(words, r, nclauses);
    if (is_main) mck_words_add(words, "the main thread waits ");
    else mck_words_add(words, n == 1 ? "%u thread waits " : "%u threads wait ", n);
    mck_words_add(words, "%s", phrase_of(what));
  }
}

void mck_story_inner_waits(const struct mck_story *story, struct mck_words *words) {
  const struct mck_proof *proof = story->proof;
  for (uint32_t r = 0; r < proof->size; r++) {
    const struct mck_proof_rank *rank = &proof->ranks[r];
    uint32_t nclauses = 0, nplaces = 0;
    if (!story->core[r]) continue;
    add_waits(proof, r, true, words, &nclauses);
    add_waits(proof, r, false, words, &nclauses);
    for (size_t i = rank->thread; i < rank->thread + rank->nthreads && nplaces < 4; i++) {
      const struct mck_proof_thread *thread = &proof->threads[i];
      struct mck_thread_label label = mck_proof_label_thread(proof, thread);
      if (length_of(&label) == label.length || label.site == MCK_NONE || thread->wait->is_main) continue;
      begin_clause(words, r, &nclauses);
      mck_words_add(words, "the thread in %s was created", mck_words_name(proof->logs[r].events[thread->event].fn));
      mck_words_add_place(words, " at ", r, label.site);
      nplaces++;
    }
  }
}
