// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the solved graph to findings: one per OR-knot, and one for ranks that wait for finished ones; each with the roll
// call of all ranks. That ranks entered a collective differently is the judge's to say, from the same logs (judge/cause.h).
#include <stdlib.h>
#include <string.h>
#include "api/fns.h"
#include "watch/words.h"

enum { FINDINGS_MAX = 4, MISSES_MAX = 4 };  // more knots than that have a common cause more often than not

struct story {
  struct mck_proof *proof;
  uint8_t *core, *set;  // [rank] in the knot that is told; scratch
  uint32_t ncore;
  bool is_order;        // they stand in collectives of different communicators, and in nothing else
  bool is_finished;     // the knot is finished ranks, the core those who wait for them
};

static const struct mck_event *get_call(const struct mck_proof *proof, uint32_t r) {
  const struct mck_proof_rank *rank = &proof->ranks[r];
  return rank->event != MCK_NONE && rank->event < proof->logs[r].units ? &proof->logs[r].events[rank->event] : NULL;
}

static uint16_t get_fn(const struct mck_proof *proof, uint32_t r) {
  if (proof->ranks[r].state == MCK_PROOF_FINALIZING) return MCK_FN_MPI_Finalize;
  const struct mck_event *e = get_call(proof, r);
  return e ? e->fn : MCK_FN_COUNT;
}

static void add_call(struct mck_words *words, const struct mck_proof *proof, uint32_t r) {
  const struct mck_event *e = proof->ranks[r].state == MCK_PROOF_FINALIZING ? NULL : get_call(proof, r);
  if (e) mck_words_add_call(words, e);
  else mck_words_add(words, "MPI_Finalize");
}

// The ranks that a rank waits for, itself aside, directly or through an intermediate node, into story->set. Returns
// whether any one of them would do.
static bool find_targets(struct story *story, uint32_t r) {
  const struct mck_waitfor *g = &story->proof->graph;
  bool is_any = g->kinds[r] == MCK_WAITFOR_ANY && g->first[r + 1] - g->first[r] > 1;
  memset(story->set, 0, story->proof->size);
  for (uint32_t i = g->first[r]; i < g->first[r + 1]; i++) {
    uint32_t to = g->targets[i];
    if (to < story->proof->size) {
      story->set[to] = g->is_deadlocked[to];
      continue;
    }
    is_any |= g->kinds[to] == MCK_WAITFOR_ANY;
    for (uint32_t k = g->first[to]; k < g->first[to + 1]; k++)
      if (g->targets[k] != r) story->set[g->targets[k]] = g->is_deadlocked[g->targets[k]];
  }
  return is_any;
}

static void add_targets(struct story *story, struct mck_words *words, uint32_t r) {
  const struct mck_proof *proof = story->proof;
  bool is_any = find_targets(story, r), is_finished = true;
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

// --- headline and places --------------------------------------------------------------------------------------------
static void add_headline(struct story *story, struct mck_words *words) {
  const struct mck_proof *proof = story->proof;
  if (story->is_order)
    mck_words_add(words, "%u ranks call collectives of different communicators in different orders: ", story->ncore);
  else if (story->ncore == 1)
    mck_words_add(words, "deadlock: 1 rank waits for %s: ", story->is_finished ? "finished ranks" : "itself");
  else
    mck_words_add(words, "deadlock: %u ranks wait for %s: ", story->ncore,
                  story->is_finished ? "finished ranks" : "each other");
  // Each rank by itself while they are few, else by function.
  uint8_t *told = calloc((size_t)proof->size + 1, 1);
  size_t start = words->size;
  for (uint32_t r = 0; told && r < proof->size; r++) {
    if (!story->core[r] || told[r]) continue;
    uint16_t fn = get_fn(proof, r);
    memset(story->set, 0, proof->size);
    for (uint32_t q = r; q < proof->size; q++)
      if (story->core[q] && (q == r || story->ncore > 4) && get_fn(proof, q) == fn) story->set[q] = told[q] = 1;
    if (words->size - start > 400) {
      mck_words_add(words, ", ...");
      break;
    }
    mck_words_add(words, "%s%s on ", words->size > start ? ", " : "", mck_words_name(fn));
    mck_words_add_ranks(words, story->set, proof->size);
  }
  free(told);
}

static void add_places(struct story *story, struct mck_finding *finding) {
  const struct mck_proof *proof = story->proof;
  uint32_t n = 0;
  for (uint32_t r = 0; r < proof->size && n < MCK_PLACES_MAX; r++) {
    if (!story->core[r]) continue;
    struct mck_words words = {0};
    const struct mck_event *e = get_call(proof, r);
    mck_words_add(&words, "rank %u waits in ", r);
    add_call(&words, proof, r);
    add_targets(story, &words, r);
    if (words.text) mck_finding_place(finding, (int)r, e ? e->site : MCK_NONE, "%s", words.text);
    free(words.text);
    n++;
  }
}

// --- why ------------------------------------------------------------------------------------------------------------
enum role { ROLE_CORE, ROLE_WAITS, ROLE_MAY_GO_ON, ROLE_RUNS, ROLE_FINISHED };

static enum role get_role(const struct story *story, uint32_t r) {
  const struct mck_proof *proof = story->proof;
  if (proof->ranks[r].state == MCK_PROOF_FINISHED) return ROLE_FINISHED;
  if (story->core[r]) return ROLE_CORE;
  if (proof->graph.is_deadlocked[r]) return ROLE_WAITS;
  return get_call(proof, r) ? ROLE_MAY_GO_ON : ROLE_RUNS;
}

static void add_line(struct mck_words *words) {
  if (words->size) mck_words_add(words, "\n");
}

static void add_roll_call(struct story *story, struct mck_words *words) {
  const struct mck_proof *proof = story->proof;
  uint8_t *told = calloc((size_t)proof->size + 1, 1);
  for (uint32_t r = 0; told && r < proof->size; r++) {
    if (told[r]) continue;
    enum role role = get_role(story, r);
    uint16_t fn = get_fn(proof, r);
    bool is_in_call = role == ROLE_CORE || role == ROLE_WAITS || role == ROLE_MAY_GO_ON;
    memset(story->set, 0, proof->size);
    uint32_t count = 0;
    for (uint32_t q = r; q < proof->size; q++) {
      if (told[q] || get_role(story, q) != role || (is_in_call && get_fn(proof, q) != fn)) continue;
      story->set[q] = told[q] = 1;
      count++;
    }
    bool is_one = count == 1;
    add_line(words);
    mck_words_add_ranks(words, story->set, proof->size);
    switch (role) {
    case ROLE_CORE: mck_words_add(words, is_one ? " waits in %s" : " wait in %s", mck_words_name(fn)); break;
    case ROLE_WAITS:
      mck_words_add(words, is_one ? " waits in %s for deadlocked ranks" : " wait in %s for deadlocked ranks",
                    mck_words_name(fn));
      break;
    case ROLE_MAY_GO_ON:
      mck_words_add(words, is_one ? " is in %s and may go on" : " are in %s and may go on", mck_words_name(fn));
      break;
    case ROLE_RUNS: mck_words_add(words, is_one ? " is running" : " are running"); break;
    case ROLE_FINISHED: mck_words_add(words, is_one ? " has finished" : " have finished"); break;
    }
  }
  free(told);
}

// What holds up a Wait or Sendrecv of the core: its operations that cannot complete.
static void add_operations(struct story *story, struct mck_words *words) {
  const struct mck_proof *proof = story->proof;
  uint32_t nlines = 0;
  for (uint32_t r = 0; r < proof->size && nlines < MCK_PLACES_MAX; r++) {
    const struct mck_proof_rank *rank = &proof->ranks[r];
    const struct mck_event *call = get_call(proof, r);
    if (!story->core[r] || !call || rank->state != MCK_PROOF_BLOCKED || (call->kind != MCK_EV_WAIT && rank->nparts < 2))
      continue;
    uint32_t n = 0;
    add_line(words);
    mck_words_add(words, "rank %u's %s lacks ", r, mck_words_name(call->fn));
    for (size_t i = rank->part; i < rank->part + rank->nparts; i++) {
      const struct mck_proof_part *part = &proof->parts[i];
      if (part->verdict == MCK_PROOF_MAY_COMPLETE || part->verdict == MCK_PROOF_IS_COMPLETE) continue;
      if (n++ == 4) {
        mck_words_add(words, ", ...");
        break;
      }
      mck_words_add(words, n > 1 ? ", " : "");
      mck_words_add_call(words, &proof->logs[r].events[part->event]);
    }
    nlines++;
  }
}

// Messages that were sent to a waiting receiver but differ from what it asks for in one respect.
static void add_near_misses(struct story *story, struct mck_words *words) {
  const struct mck_proof *proof = story->proof;
  uint32_t nlines = 0;
  for (size_t i = 0; i < proof->nparts && nlines < MISSES_MAX; i++) {
    const struct mck_proof_part *part = &proof->parts[i];
    if (!story->core[part->rank] || !part->is_hit ||
        (part->verdict != MCK_PROOF_NEEDS_RANK && part->verdict != MCK_PROOF_NEEDS_ANY))
      continue;
    const struct mck_event *e = &proof->logs[part->rank].events[part->event];
    uint64_t key;
    int64_t source;
    if (e->kind != MCK_EV_RECV && e->kind != MCK_EV_PROBE && e->kind != MCK_EV_MPROBE) continue;
    if (!mck_proof_get_peer(proof, part->rank, e, &key, &source)) continue;
    bool is_any_tag = e->flags & MCK_FLAG_ANY_TAG;
    for (size_t k = 0; k < proof->nchannels && nlines < MISSES_MAX; k++) {
      const struct mck_channel *c = &proof->channels[k];
      if (c->dest != part->rank || c->sends <= c->receives || (source >= 0 && c->source != source)) continue;
      bool is_key = c->key == key, is_tag = is_any_tag || c->tag == e->msg.tag;
      if (is_key == is_tag) continue;
      add_line(words);
      mck_words_add(words, "near miss: rank %u has sent rank %u a message with tag %d", c->source, c->dest, c->tag);
      if (!is_tag) mck_words_add(words, " that is not received; rank %u asks for tag %d", c->dest, e->msg.tag);
      else mck_words_add(words, " that is not received; it is on another communicator than the receive");
      nlines++;
    }
  }
}

// A cycle of blocking collectives on communicators that share ranks is wrong whatever comes later (MPI-3.1 5.1, 5.13).
static bool is_order(const struct story *story) {
  const struct mck_proof *proof = story->proof;
  uint64_t key = 0;
  uint32_t n = 0;
  bool is_mixed = false;
  for (uint32_t r = 0; r < proof->size; r++) {
    const struct mck_event *e = get_call(proof, r);
    const struct mck_proof_rank *rank = &proof->ranks[r];
    if (!story->core[r]) continue;
    if (!e || e->kind != MCK_EV_COLL || rank->state != MCK_PROOF_BLOCKED || rank->nparts != 1) return false;
    const struct mck_proof_part *part = &proof->parts[rank->part];
    if (part->verdict == MCK_PROOF_MAY_COMPLETE || part->verdict == MCK_PROOF_IS_COMPLETE) return false;
    const struct mck_instance *in = &proof->instances[part->instance];
    if (in->is_mismatch) return false;
    is_mixed |= n++ && in->key != key;
    key = in->key;
  }
  return is_mixed;
}

static void add_finding(struct story *story, struct mck_findings *findings) {
  uint32_t lowest = 0;
  while (!story->core[lowest]) lowest++;
  story->is_order = !story->is_finished && is_order(story);
  struct mck_finding *finding =
      mck_findings_add(findings, story->is_order ? MCK_CHECK_COLLECTIVE_COMM_ORDER : MCK_CHECK_DEADLOCK, (int)lowest);
  if (!finding) return;
  struct mck_words text = {0}, why = {0};
  add_headline(story, &text);
  add_roll_call(story, &why);
  add_operations(story, &why);
  add_near_misses(story, &why);
  if (text.text) mck_finding_text(finding, "%s", text.text);
  if (why.text) mck_finding_why(finding, "%s", why.text);
  add_places(story, finding);
  free(text.text);
  free(why.text);
}

// --- which ranks a finding is about ---------------------------------------------------------------------------------
// Ranks of knot k; false when it has none that waits (a finished rank is a knot by itself).
static bool choose_knot(struct story *story, uint32_t k) {
  const struct mck_proof *proof = story->proof;
  story->ncore = 0;
  for (uint32_t r = 0; r < proof->size; r++) {
    story->core[r] = proof->graph.knot[r] == k && proof->graph.kinds[r] != MCK_WAITFOR_NEVER;
    story->ncore += story->core[r];
  }
  return story->ncore > 0;
}

// Ranks in no knot that wait for a finished rank.
static bool choose_finished(struct story *story) {
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
  struct story story = {
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
