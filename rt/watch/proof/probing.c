// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tries the matches of undecided wildcard receives (probing.h).
#include "watch/proof/probing.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "watch/proof/deadlock-roll-call.h"

enum { UNDECIDED_MAX = 1024, CHOICES_MAX = 1 << 16 };

static int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

const struct mck_undecided *mck_probing_find(const struct mck_proof *proof, uint32_t rank, uint32_t event) {
  const struct mck_probing *p = proof->probing;
  for (size_t i = 0; p && i < p->count; i++)
    if (p->items[i].rank == rank && p->items[i].event == event) return &p->items[i];
  return NULL;
}

uint64_t mck_probing_taken(const struct mck_proof *proof, uint32_t channel, uint32_t before_event) {
  const struct mck_probing *p = proof->probing;
  uint64_t n = 0;
  for (size_t i = 0; p && i < p->count; i++) n += p->items[i].channel == channel && p->items[i].event < before_event;
  return n;
}

// --- undecided receives and their choices ----------------------------------------------------------------------------
static bool is_undecided(const struct mck_event *e) {
  struct mck_std_message message = mck_event_message(e, mck_event_flags(e));
  return e->kind == MCK_EV_RECV && message.cancel == MCK_STD_NOT_CANCELLED &&
         mck_std_place(message) == MCK_STD_UNDECIDED;
}

// The receives of a rank whose match is known, counted up to an undecided one: its choices.
static bool add_undecided(struct mck_proof *proof, struct mck_probing *p, uint32_t r, uint32_t event) {
  const struct mck_event *e = &proof->logs[r].events[event];
  struct mck_undecided u = {r, event, MCK_NONE, p->nchoices, 0};
  uint64_t key;
  int64_t source;
  if (!mck_proof_get_peer(proof, r, e, &key, &source)) return false;
  for (size_t k = 0; k < proof->nchannels; k++) {
    const struct mck_channel *c = &proof->channels[k];
    struct mck_choice choice = {(uint32_t)k, c->scratch};
    if (c->dest != r || !mck_std_accepts(mck_proof_pattern(e, key, source), mck_proof_envelope(c))) continue;
    if (!mck_std_has_partner(c->scratch, c->sends)) continue;
    if (p->nchoices >= CHOICES_MAX || !MCK_PUSH(p->choices, p->nchoices, p->choices_capacity, choice)) return false;
    u.nchoices++;
  }
  return p->count < UNDECIDED_MAX && MCK_PUSH(p->items, p->count, p->capacity, u);
}

// Marks the receives that are over: those of returned calls, and completed requests. is_over: [event of the rank].
static void find_completed(const struct mck_proof *proof, uint32_t r, uint8_t *is_over) {
  const struct mck_reader *log = &proof->logs[r];
  const struct mck_proof_rank *rank = &proof->ranks[r];
  for (uint64_t i = 0; i < log->units; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    if (e->kind == MCK_EV_MPROBE) is_over[i] = true; // it takes its message at once
    if (e->kind == MCK_EV_RECV)
      is_over[i] = !(e->flags & MCK_FLAG_NONBLOCKING) || mck_event_flags(e) & MCK_FLAG_MATCHED;
    bool is_done = e->kind == MCK_EV_DONE || (e->kind == MCK_EV_WAIT && i != rank->event && e->flags == MCK_WAIT_ALL);
    for (uint32_t k = 0; is_done && k < e->wait.count; k++) {
      uint32_t request = mck_wait_request(e, k);
      if (request < i) is_over[request] = true;
    }
  }
  // The call that it stands in is not over. A specific receive has the flag of a match from the start.
  for (size_t k = rank->part; k < rank->part + rank->nparts; k++) {
    const struct mck_proof_part *part = &proof->parts[k];
    if (part->event < log->units && part->verdict != MCK_PROOF_IS_COMPLETE) is_over[part->event] = false;
  }
}

static bool read_rank(struct mck_proof *proof, struct mck_probing *p, uint32_t r) {
  const struct mck_reader *log = &proof->logs[r];
  uint8_t *is_over = calloc((size_t)log->units + 1, 1);
  bool is_good = is_over != NULL;
  if (is_good) find_completed(proof, r, is_over);
  for (size_t k = 0; k < proof->nchannels; k++) proof->channels[k].scratch = 0;
  for (uint64_t i = 0; is_good && i < log->units; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    uint64_t key;
    int64_t source;
    if (is_undecided(e)) {
      is_good = add_undecided(proof, p, r, (uint32_t)i);
      continue;
    }
    if ((e->kind != MCK_EV_RECV && e->kind != MCK_EV_MPROBE) || mck_proof_place(e) != MCK_STD_TAKES) continue;
    if (!mck_proof_get_peer(proof, r, e, &key, &source)) continue;
    struct mck_channel *c = mck_proof_get_channel(proof, key, (uint32_t)source, r, e->msg.tag);
    if (!c) is_good = false;
    else c->scratch++, p->completed[c - proof->channels] += is_over[i];
  }
  free(is_over);
  return is_good;
}

static bool find_undecided(struct mck_proof *proof, struct mck_probing *p) {
  bool has_choice = false;
  // All channels of receives exist: none is added below.
  p->completed = calloc(proof->nchannels + 1, sizeof *p->completed);
  if (!p->completed) return false;
  for (uint32_t r = 0; r < proof->size; r++) {
    const struct mck_proof_rank *rank = &proof->ranks[r];
    if (rank->state != MCK_PROOF_BLOCKED || rank->is_polling || !rank->nopens || mck_proof_is_cut(&proof->logs[r]))
      continue;
    if (!mck_proof_is_patient(proof, r, MCK_PATIENCE_LONG)) continue;
    if (!read_rank(proof, p, r)) return false;
  }
  for (size_t i = 0; i < p->count; i++) has_choice |= p->items[i].nchoices > 0;
  return has_choice;
}

// --- the search ------------------------------------------------------------------------------------------------------
struct search {
  struct mck_proof *proof;
  struct mck_probing *probing;
  mck_probing_solve *solve;
  int64_t until_ms;
  bool is_over;    // a bound was reached
  uint32_t *found; // the channels of the first deadlock
};

// All deadlocked ranks have stood still for long.
static bool is_believable(const struct mck_proof *proof) {
  for (uint32_t r = 0; r < proof->size; r++)
    if (proof->graph.is_deadlocked[r] && proof->ranks[r].state == MCK_PROOF_BLOCKED &&
        !mck_proof_is_patient(proof, r, MCK_PATIENCE_LONG))
      return false;
  return true;
}

static void try_match(struct search *s) {
  struct mck_probing *p = s->probing;
  p->tried++;
  if (s->solve(s->proof) && is_believable(s->proof)) {
    if (!p->ndeadlocks++)
      for (size_t i = 0; i < p->count; i++) s->found[i] = p->items[i].channel;
  }
  s->is_over |= p->tried >= (uint64_t)mck_options.probe_count || now_ms() >= s->until_ms;
}

// Tries the i-th receive and all behind it. It can take messages that no earlier receive has.
static void choose(struct search *s, size_t i) {
  struct mck_probing *p = s->probing;
  if (s->is_over) return;
  if (i == p->count) {
    try_match(s);
    return;
  }
  struct mck_undecided *u = &p->items[i];
  bool has_message = false;
  for (size_t k = 0; k < u->nchoices && !s->is_over; k++) {
    const struct mck_choice *choice = &p->choices[u->choice + k];
    const struct mck_channel *c = &s->proof->channels[choice->channel];
    uint64_t taken = 0;
    for (size_t before = 0; before < i; before++) taken += p->items[before].channel == choice->channel;
    if (!mck_std_has_partner(choice->before + taken, c->sends)) continue;
    has_message = true;
    if (c->sends < p->completed[choice->channel] + taken + 1) continue; // another receive has the message
    u->channel = choice->channel;
    choose(s, i + 1);
  }
  u->channel = MCK_NONE;
  if (!has_message) choose(s, i + 1);
}

bool mck_probing_search(struct mck_proof *proof, struct mck_probing *p, mck_probing_solve *solve) {
  if (!mck_options.probe_count || !find_undecided(proof, p)) return false;
  struct search s = {proof, p, solve, now_ms() + mck_options.probe_time, false, calloc(p->count + 1, sizeof *s.found)};
  if (!s.found) return false;
  proof->probing = p;
  choose(&s, 0);
  p->is_whole = !s.is_over;
  for (size_t i = 0; i < p->count; i++) p->items[i].channel = s.found[i];
  free(s.found);
  if (p->ndeadlocks) return solve(proof);
  static bool is_told;
  if (s.is_over && !is_told) {
    is_told = true;
    mck_base_warn("%llu ways to match the %zu wildcard receives that are not decided were tried and are no deadlock; "
                  "there are more "
                  "(probe_count=, probe_time=)",
                  (unsigned long long)p->tried, p->count);
  }
  return false;
}

void mck_probing_free(struct mck_probing *p) {
  free(p->items);
  free(p->choices);
  free(p->completed);
  *p = (struct mck_probing){0};
}

void mck_probing_describe(const struct mck_proof *proof, struct mck_words *words) {
  const struct mck_probing *p = proof->probing;
  enum { SHOWN = 8 };
  uint32_t n = 0;
  mck_story_line(words);
  mck_words_add(words,
                "probing: which messages wildcard receives have is not known; of %llu possible matches that were "
                "tried, %llu %s (%s):",
                (unsigned long long)p->tried, (unsigned long long)p->ndeadlocks,
                p->ndeadlocks == 1 ? "is a deadlock" : "are deadlocks",
                p->is_whole ? "there are no others" : "there are more, option probe_count");
  for (size_t i = 0; i < p->count; i++) {
    const struct mck_undecided *u = &p->items[i];
    const struct mck_event *e = &proof->logs[u->rank].events[u->event];
    if (u->channel == MCK_NONE) continue;
    if (n++ == SHOWN) {
      mck_words_add(words, "\nand so on");
      break;
    }
    const struct mck_channel *c = &proof->channels[u->channel];
    mck_words_add(words, "\nprobing: rank %u's ", u->rank);
    mck_words_add_call(words, e);
    mck_words_add_place(words, " at ", u->rank, e->site);
    mck_words_add(words, " has the message of rank %u with tag %d", c->source, c->tag);
  }
}
