// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes findings of the solved graph: one per OR-knot, and one for ranks that wait for finished ones. Each has the roll
// call of all ranks. Collectives that ranks entered differently are found by the judge, from the same logs
// (judge/whole/common-cause.h).
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "watch/proof/probing.h"
#include "watch/proof/deadlock-roll-call.h"

enum { FINDINGS_MAX = 4 }; // more knots mostly have a common cause

static void add_call(struct mck_story *story, struct mck_words *words, uint32_t r) {
  const struct mck_proof *proof = story->proof;
  const struct mck_event *e = proof->ranks[r].state == MCK_PROOF_FINALIZING ? NULL : mck_story_call(proof, r);
  if (e) mck_words_add_call(words, e);
  else mck_words_add(words, "%s", mck_words_name(mck_story_fn(proof, r)));
  mck_story_add_comm(story, words, r);
  mck_story_add_window(story, words, r);
}

enum { DEPTH_MAX = 4 }; // rank, thread, condition that several share, rank

// Returns true where any one of the ranks found is enough.
static bool collect(struct mck_story *story, uint32_t node, uint32_t r, bool is_all, int depth) {
  const struct mck_proof *proof = story->proof;
  const struct mck_waitfor *g = &proof->graph;
  // A rank of several threads goes on with any of them: that is no choice between targets.
  bool is_any = g->kinds[node] == MCK_WAITFOR_ANY && g->first[node + 1] - g->first[node] > 1 &&
                !(node == r && proof->ranks[r].nthreads);
  for (uint32_t i = g->first[node]; i < g->first[node + 1]; i++) {
    uint32_t to = g->targets[i];
    if (to >= proof->size) is_any |= depth < DEPTH_MAX && collect(story, to, r, is_all, depth + 1);
    else if (to != r) story->set[to] = is_all || g->is_deadlocked[to];
  }
  return is_any;
}

// Puts the ranks that a node waits for, which is rank r or a thread of it, into story->set, without r itself.
static bool find_all_targets(struct mck_story *story, uint32_t node, uint32_t r, bool is_all) {
  memset(story->set, 0, story->proof->size);
  return collect(story, node, r, is_all, 1);
}

static bool find_targets(struct mck_story *story, uint32_t r) { return find_all_targets(story, r, r, false); }

static void add_found(struct mck_story *story, struct mck_words *words, bool is_any) {
  const struct mck_proof *proof = story->proof;
  bool is_finished = true;
  uint32_t count = 0;
  for (uint32_t q = 0; q < proof->size; q++) {
    count += story->set[q];
    is_finished &= !story->set[q] || proof->ranks[q].state == MCK_PROOF_FINISHED;
  }
  if (!count) {
    mck_words_add(words, " for itself");
    return;
  }
  mck_words_add(words, is_any && count > 1 ? " for any of " : " for ");
  mck_words_add_ranks(words, story->set, proof->size);
  if (is_finished) mck_words_add(words, count > 1 ? ", which have finished" : ", which has finished");
}

static void add_targets(struct mck_story *story, struct mck_words *words, uint32_t r) {
  add_found(story, words, find_targets(story, r));
}
static void add_all_targets(struct mck_story *story, struct mck_words *words, uint32_t r) {
  add_found(story, words, find_all_targets(story, r, r, true));
}

// "OpenMP thread 1 of 2 of rank 0 waits in MPI_Recv(source 1, tag 5) for rank 1"
static void add_thread(struct mck_story *story, struct mck_words *words, const struct mck_proof_thread *thread,
                       bool is_all) {
  const struct mck_proof *proof = story->proof;
  mck_story_add_thread(proof, thread, words);
  mck_words_add(words, " of rank %u waits in ", thread->rank);
  if (thread->state == MCK_PROOF_FINALIZING) mck_words_add(words, "MPI_Finalize");
  else mck_words_add_call(words, &proof->logs[thread->rank].events[thread->event]);
  if (proof->graph.first[thread->node] == proof->graph.first[thread->node + 1]) mck_words_add(words, " and may go on");
  else add_found(story, words, find_all_targets(story, thread->node, thread->rank, is_all));
}

static bool has_poller(const struct mck_story *story) {
  for (uint32_t r = 0; r < story->proof->size; r++)
    if (story->core[r] && story->proof->ranks[r].is_polling) return true;
  return false;
}
static bool has_open_poller(const struct mck_story *story) {
  for (uint32_t r = 0; r < story->proof->size; r++)
    if (story->core[r] && story->proof->ranks[r].is_open) return true;
  return false;
}

// --- headline and places --------------------------------------------------------------------------------------------
static void add_headline(struct mck_story *story, struct mck_words *words) {
  const struct mck_proof *proof = story->proof;
  if (story->is_order)
    mck_words_add(words, "%u ranks wait for each other in collectives of different communicators: ", story->ncore);
  else if (story->is_note)
    mck_words_add(words,
                  story->ncore == 1 ? "%u rank polls for %s, and may go on: "
                                    : "%u ranks wait or poll for %s, and may go on: ",
                  story->ncore,
                  story->is_finished  ? "finished ranks"
                  : story->ncore == 1 ? "itself"
                                      : "each other");
  else if (story->ncore == 1)
    mck_words_add(words, "deadlock: 1 rank waits for %s: ", story->is_finished ? "finished ranks" : "itself");
  else
    mck_words_add(words, "deadlock: %u ranks wait for %s: ", story->ncore,
                  story->is_finished ? "finished ranks" : "each other");
  // A few ranks are named one by one, more of them by function.
  uint8_t *told = calloc((size_t)proof->size + 1, 1);
  size_t start = words->size;
  for (uint32_t r = 0; told && r < proof->size; r++) {
    if (!story->core[r] || told[r]) continue;
    uint16_t fn = mck_story_fn(proof, r);
    memset(story->set, 0, proof->size);
    for (uint32_t q = r; q < proof->size; q++)
      if (story->core[q] && (q == r || story->ncore > 4) && mck_story_fn(proof, q) == fn &&
          mck_story_is_same_comm(story, r, q))
        story->set[q] = told[q] = 1;
    if (words->size - start > 400) {
      mck_words_add(words, ", ...");
      break;
    }
    bool is_inside = fn == MCK_FN_COUNT && proof->ranks[r].nthreads; // none of its threads is in a call
    mck_words_add(words, "%s%s on ", words->size > start ? ", " : "",
                  is_inside ? "threads that wait for each other" : mck_words_name(fn));
    mck_words_add_ranks(words, story->set, proof->size);
    mck_story_add_comm(story, words, r);
  }
  free(told);
}

static void add_places(struct mck_story *story, struct mck_finding *finding) {
  const struct mck_proof *proof = story->proof;
  uint32_t n = 0;
  for (uint32_t r = 0; r < proof->size && n < MCK_PLACES_MAX; r++) {
    if (!story->core[r]) continue;
    const struct mck_proof_rank *rank = &proof->ranks[r];
    for (size_t i = rank->thread; i < rank->thread + rank->nthreads && n < MCK_PLACES_MAX; i++) {
      const struct mck_proof_thread *thread = &proof->threads[i];
      struct mck_words label = {0};
      if (thread->event == MCK_NONE) continue;
      add_thread(story, &label, thread, false);
      if (label.text) mck_finding_place(finding, (int)r, proof->logs[r].events[thread->event].site, "%s", label.text);
      free(label.text);
      n++;
    }
    if (rank->nthreads) continue;
    struct mck_words words = {0};
    mck_words_add(&words, proof->ranks[r].is_polling ? "rank %u polls with " : "rank %u waits in ", r);
    add_call(story, &words, r);
    add_targets(story, &words, r);
    if (words.text) mck_finding_place(finding, (int)r, mck_story_site(proof, r), "%s", words.text);
    free(words.text);
    n++;
  }
}

// --- the reason -----------------------------------------------------------------------------------------------------
// Where the operations that a call lacks were started, in other calls.
static void add_posts(const struct mck_proof *proof, const struct mck_proof_rank *rank, uint32_t site,
                      struct mck_words *words) {
  uint32_t r = (uint32_t)(rank - proof->ranks), n = 0;
  for (size_t i = rank->part; i < rank->part + rank->nparts && n < 4; i++) {
    const struct mck_proof_part *part = &proof->parts[i];
    if (part->verdict == MCK_PROOF_MAY_COMPLETE || part->verdict == MCK_PROOF_IS_COMPLETE) continue;
    const struct mck_event *e = mck_proof_event(proof, part);
    if (e->site != site) mck_words_add_place(words, n++ ? ", " : ", posted at ", r, e->site);
  }
}

// Why a Wait or Sendrecv of the core stands still: its operations that cannot complete.
static void add_operations(struct mck_story *story, struct mck_words *words) {
  const struct mck_proof *proof = story->proof;
  uint32_t nlines = 0;
  for (uint32_t r = 0; r < proof->size && nlines < MCK_PLACES_MAX; r++) {
    const struct mck_proof_rank *rank = &proof->ranks[r];
    const struct mck_event *call = mck_story_call(proof, r);
    if (!story->core[r] || !call || rank->is_polling || rank->nthreads || rank->state != MCK_PROOF_BLOCKED ||
        (call->kind != MCK_EV_WAIT && rank->nparts < 2))
      continue;
    uint32_t n = 0;
    mck_story_line(words);
    mck_words_add(words, "rank %u's %s lacks ", r, mck_words_name(call->fn));
    for (size_t i = rank->part; i < rank->part + rank->nparts; i++) {
      const struct mck_proof_part *part = &proof->parts[i];
      if (part->verdict == MCK_PROOF_MAY_COMPLETE || part->verdict == MCK_PROOF_IS_COMPLETE) continue;
      if (n++ == 4) {
        mck_words_add(words, ", ...");
        break;
      }
      mck_words_add(words, n > 1 ? ", " : "");
      mck_words_add_call(words, mck_proof_event(proof, part));
    }
    add_posts(proof, rank, call->site, words);
    nlines++;
  }
}

// A cycle of blocking collectives on communicators that share ranks is wrong whatever comes later (MPI-3.1 5.1, 5.13).
static bool is_order(const struct mck_story *story) {
  const struct mck_proof *proof = story->proof;
  uint64_t key = 0;
  uint32_t n = 0;
  bool is_mixed = false;
  for (uint32_t r = 0; r < proof->size; r++) {
    const struct mck_event *e = mck_story_call(proof, r);
    const struct mck_proof_rank *rank = &proof->ranks[r];
    if (!story->core[r]) continue;
    if (!e || e->kind != MCK_EV_COLL || rank->state != MCK_PROOF_BLOCKED || rank->nparts != 1) return false;
    const struct mck_proof_part *part = &proof->parts[rank->part];
    if (part->verdict == MCK_PROOF_MAY_COMPLETE || part->verdict == MCK_PROOF_IS_COMPLETE) return false;
    const struct mck_instance *in = &proof->instances[part->instance];
    if (in->is_mismatch || !in->nmissing)
      return false; // a call is wrong by itself; or leaders of MPI_Intercomm_create (group-collective.c)
    is_mixed |= n++ && in->key != key;
    key = in->key;
  }
  return is_mixed;
}

// The requests and probes that a rank of the core repeats in a loop.
static void add_polls(struct mck_story *story, struct mck_words *words) {
  const struct mck_proof *proof = story->proof;
  uint32_t nlines = 0;
  for (uint32_t r = 0; r < proof->size && nlines < MCK_PLACES_MAX; r++) {
    const struct mck_proof_rank *rank = &proof->ranks[r];
    if (!story->core[r] || !rank->is_polling) continue;
    mck_story_line(words);
    mck_words_add(words, "rank %u asks again and again for ", r);
    uint32_t n = 0;
    for (size_t i = 0; i < rank->nparts; i++) {
      const struct mck_proof_part *part = &proof->parts[rank->part + i];
      if (part->verdict == MCK_PROOF_MAY_COMPLETE || part->verdict == MCK_PROOF_IS_COMPLETE) continue;
      if (n++ == 4) {
        mck_words_add(words, ", ...");
        break;
      }
      const struct mck_event *e = mck_proof_event(proof, part);
      mck_words_add(words, n > 1 ? ", " : "");
      mck_words_add_call(words, e);
      if (!part->polled) mck_words_add_place(words, " of ", r, e->site);
    }
    nlines++;
  }
}

static void add_open(struct mck_story *story, struct mck_words *words) {
  const struct mck_proof *proof = story->proof;
  uint32_t n = 0;
  for (uint32_t r = 0; r < proof->size; r++) n += story->set[r] = story->core[r] && proof->ranks[r].is_open;
  mck_story_line(words);
  mck_words_add(words, n > 1 ? "the loops of " : "the loop of ");
  mck_words_add_ranks(words, story->set, proof->size);
  mck_words_add(words,
                " may end for another reason (a clock, a counter, memory, a file, a signal), so the run goes on");
}

static void add_finding(struct mck_story *story, struct mck_findings *findings) {
  uint32_t lowest = 0;
  story->is_note = has_open_poller(story);
  if (story->is_note != story->proof->has_open) return; // proved without these ranks
  while (!story->core[lowest]) lowest++;
  story->is_order = !story->is_finished && is_order(story);
  story->has_comms = mck_story_has_comms(story);
  struct mck_finding *finding = mck_findings_add(findings,
                                                 story->is_order     ? MCK_CHECK_COLLECTIVE_COMM_ORDER
                                                 : story->is_note    ? MCK_CHECK_HANG_POLLING
                                                 : has_poller(story) ? MCK_CHECK_DEADLOCK_POLLING
                                                                     : MCK_CHECK_DEADLOCK,
                                                 (int)lowest);
  if (!finding) return;
  struct mck_words text = {0}, why = {0};
  add_headline(story, &text);
  mck_story_line(&text);
  mck_story_roll_call(story, &text);
  mck_story_only_comm(story, &why);
  add_operations(story, &why);
  mck_story_locks(story, &why);
  mck_story_inner_waits(story, &why);
  add_polls(story, &why);
  if (story->is_note) add_open(story, &why);
  mck_story_misses(story, &why);
  if (story->proof->probing) mck_probing_describe(story->proof, &why);
  if (text.text) mck_finding_text(finding, "%s", text.text);
  if (why.text) mck_finding_why(finding, "%s", why.text);
  const char *help = finding->check == MCK_CHECK_DEADLOCK ? mck_story_help(story, why.text) : NULL;
  if (help) mck_finding_help(finding, "%s", help);
  uint32_t odd = story->is_order ? mck_story_odd_rank(story) : MCK_NONE;
  if (odd != MCK_NONE) {
    mck_finding_why(finding, "rank %u alone is in a collective of its communicator: all others are in one of another",
                    odd);
    mck_finding_help(finding,
                     "let rank %u pass the communicator that the other ranks pass, or call the collectives of "
                     "both in the same order on all ranks",
                     odd);
  }
  add_places(story, finding);
  free(text.text);
  free(why.text);
}

// --- the ranks of a finding -----------------------------------------------------------------------------------------
// The ranks of knot k. Returns false when none of them waits (a finished rank is a knot by itself).
static bool choose_knot(struct mck_story *story, uint32_t k) {
  const struct mck_proof *proof = story->proof;
  story->ncore = 0;
  for (uint32_t r = 0; r < proof->size; r++) {
    story->core[r] = proof->graph.knot[r] == k && proof->graph.kinds[r] != MCK_WAITFOR_NEVER;
    story->ncore += story->core[r];
  }
  return story->ncore > 0;
}

// The ranks in no knot that wait for a finished rank.
static bool choose_finished(struct mck_story *story) {
  const struct mck_proof *proof = story->proof;
  story->ncore = 0;
  story->is_finished = true;
  memset(story->core, 0, proof->size);
  for (uint32_t r = 0; r < proof->size; r++) {
    if (!proof->graph.is_deadlocked[r] || proof->graph.knot[r] != UINT32_MAX ||
        proof->ranks[r].state == MCK_PROOF_FINISHED)
      continue;
    find_targets(story, r);
    for (uint32_t q = 0; q < proof->size; q++)
      story->core[r] |= story->set[q] && proof->ranks[q].state == MCK_PROOF_FINISHED;
    story->ncore += story->core[r];
  }
  return story->ncore > 0;
}

void mck_proof_describe(struct mck_proof *proof, struct mck_findings *findings) {
  struct mck_story story = {
      .proof = proof, .core = calloc((size_t)proof->size + 1, 1), .set = calloc((size_t)proof->size + 1, 1)};
  if (story.core && story.set) {
    uint32_t ntold = 0;
    for (uint32_t k = 0; k < proof->graph.nknots && ntold < FINDINGS_MAX; k++) {
      if (!choose_knot(&story, k)) continue;
      add_finding(&story, findings);
      ntold++;
    }
    if (ntold < FINDINGS_MAX && choose_finished(&story)) add_finding(&story, findings);
  }
  free(story.core);
  free(story.set);
}

// Tells what all ranks do, deadlocked or not.
void mck_proof_survey(struct mck_proof *proof, enum mck_check check, int rank, struct mck_findings *findings) {
  enum { LINES_MAX = 32 };
  struct mck_story story = {
      .proof = proof, .core = calloc((size_t)proof->size + 1, 1), .set = calloc((size_t)proof->size + 1, 1)};
  struct mck_finding *f = story.core && story.set ? mck_findings_add(findings, check, rank) : NULL;
  struct mck_words text = {0}, why = {0};
  uint32_t n = 0;
  if (f && check == MCK_CHECK_HANG_COMPUTING)
    mck_words_add(&text, "rank %d has called no MPI function for long, and others wait\n", rank);
  else if (f) mck_words_add(&text, "what the ranks do now\n");
  for (uint32_t r = 0; f && r < proof->size; r++) story.core[r] = proof->graph.is_deadlocked[r];
  if (f) mck_story_roll_call(&story, &text);
  for (uint32_t r = 0; f && check == MCK_CHECK_HANG_ASKED && r < proof->size; r++) {
    for (size_t i = 0; i < proof->ranks[r].nthreads && n < LINES_MAX; i++) {
      const struct mck_proof_thread *thread = &proof->threads[proof->ranks[r].thread + i];
      if (thread->event == MCK_NONE) continue;
      mck_story_line(&why);
      add_thread(&story, &why, thread, true);
      mck_words_add_place(&why, " at ", r, proof->logs[r].events[thread->event].site);
      n++;
    }
    if (proof->ranks[r].state != MCK_PROOF_BLOCKED && proof->ranks[r].state != MCK_PROOF_FINALIZING) continue;
    if (n++ == LINES_MAX) {
      mck_words_add(&why, "\nand so on");
      break;
    }
    mck_story_line(&why);
    mck_words_add(&why, proof->ranks[r].is_polling ? "rank %u polls with " : "rank %u waits in ", r);
    add_call(&story, &why, r);
    if (proof->graph.first[r] == proof->graph.first[r + 1]) mck_words_add(&why, " and may go on");
    else add_all_targets(&story, &why, r);
  }
  if (f && text.text) mck_finding_text(f, "%s", text.text);
  if (f && why.text) mck_finding_why(f, "%s", why.text);
  free(text.text);
  free(why.text);
  free(story.core);
  free(story.set);
}
