// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One-sided synchronization between pairs of ranks (MPI-3.1 11.5.2): the logs are counted to find the ranks that have
// not posted or not completed. (Locks: lock-wait.c.) MPI_Win_wait cannot return without the completes. MPI_Win_start
// and MPI_Win_complete may return before any answer: only standing still shows that they wait. A log that has been cut
// does not hold all of these calls.
#include <stdlib.h>
#include "standard/epoch-call.h"
#include "watch/proof/proof.h"
#include "watch/wait/pair-count.h"

enum tallied { STARTS, POSTS, COMPLETES };

struct syncs {
  struct mck_proof *proof;
  struct mck_tally counts; // (key of the window, kind, from << 32 | to)
  bool is_unknown;         // some log is not whole: nothing is concluded
};

// The world rank of a rank of the window's group, or MCK_NONE.
static uint32_t world_rank(const struct syncs *s, const struct mck_reader *log, uint32_t win, int32_t rank) {
  const struct mck_comm_def *comm = win < log->nwins && log->wins[win].body ? mck_proof_comm(log, log->wins[win].comm)
                                                                            : NULL;
  int world = comm ? mck_comm_world_rank(comm, rank, false) : -1;
  return world >= 0 && (uint32_t)world < s->proof->size ? (uint32_t)world : MCK_NONE;
}

static uint64_t pair(uint32_t from, uint32_t to) { return (uint64_t)from << 32 | to; }

// The group of a start or post: the event behind it; NULL: it is missing.
static const struct mck_event *group_of(const struct mck_reader *log, uint64_t index) {
  const struct mck_event *g = index + 1 < log->units ? &log->events[index + 1] : NULL;
  return g && g->kind == MCK_EV_GROUP ? g : NULL;
}
static int32_t member_of(const struct mck_event *group, uint32_t i) { return ((const int32_t *)(group + 1))[i]; }

static void count_group(struct syncs *s, uint32_t r, const struct mck_reader *log, uint64_t index, uint32_t win,
                        enum tallied kind) {
  const struct mck_event *g = group_of(log, index);
  if (!g) s->is_unknown = true;
  for (uint32_t i = 0; g && i < g->group.n; i++) {
    uint32_t other = world_rank(s, log, win, member_of(g, i));
    uint64_t *n = other == MCK_NONE ? NULL : mck_tally_at(&s->counts, log->wins[win].body->key, kind, pair(r, other));
    if (n) ++*n;
    else s->is_unknown = true;
  }
}

static void read_log(struct syncs *s, uint32_t r) {
  const struct mck_reader *log = &s->proof->logs[r];
  uint64_t *starts = calloc((size_t)log->nwins + 1, sizeof *starts); // the index of the last start, + 1
  if (!starts) s->is_unknown = true;
  for (uint64_t i = 0; i < log->units && !s->is_unknown; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    uint32_t win = e->sync.win;
    if (e->kind != MCK_EV_SYNC || win >= log->nwins || !log->wins[win].body) continue;
    if (!mck_std_is_to_group(e->fn)) continue;
    if (mck_std_does(e->fn, MCK_STD_EPOCH_OPENS_EXPOSURE)) count_group(s, r, log, i, win, POSTS);
    if (mck_std_does(e->fn, MCK_STD_EPOCH_OPENS_ACCESS)) count_group(s, r, log, i, win, STARTS), starts[win] = i + 1;
    if (mck_std_does(e->fn, MCK_STD_EPOCH_CLOSES_ACCESS) && starts[win])
      count_group(s, r, log, starts[win] - 1, win, COMPLETES);
  }
  free(starts);
}

// --- verdicts ---
static void begin_set(struct syncs *s, struct mck_proof_part *part) { part->set = s->proof->nsets, part->nset = 0; }

static void need(struct mck_proof_part *part, bool is_all) {
  if (!part->nset) return;
  part->verdict = MCK_PROOF_NEEDS_SET;
  part->is_all = part->is_solid = is_all;
}

static bool does_for_group(uint16_t fn, unsigned effect) { return mck_std_is_to_group(fn) && mck_std_does(fn, effect); }

// The last call that opened an epoch of that kind of the window before the part's: its group.
static const struct mck_event *last_group(const struct mck_reader *log, uint32_t event, uint32_t win, unsigned opens) {
  const struct mck_event *g = NULL;
  for (uint64_t i = 0; i <= event && i < log->units; i += mck_event_units(&log->events[i])) {
    const struct mck_event *e = &log->events[i];
    if (e->kind == MCK_EV_SYNC && e->sync.win == win && does_for_group(e->fn, opens)) g = group_of(log, i);
  }
  return g;
}

// The ranks of the group that have not answered: my count towards each of them against its count towards me.
static void need_answers(struct syncs *s, struct mck_proof_part *part, unsigned opens, enum tallied mine,
                         enum tallied theirs, bool is_all) {
  const struct mck_reader *log = &s->proof->logs[part->rank];
  uint32_t win = log->events[part->event].sync.win;
  uint64_t key = log->wins[win].body->key;
  const struct mck_event *g = last_group(log, part->event, win, opens);
  begin_set(s, part);
  for (uint32_t i = 0; g && i < g->group.n; i++) {
    uint32_t other = world_rank(s, log, win, member_of(g, i));
    if (other == MCK_NONE) continue;
    if (mck_tally_get(&s->counts, key, theirs, pair(other, part->rank)) <
        mck_tally_get(&s->counts, key, mine, pair(part->rank, other)))
      mck_proof_add_member(s->proof, part, other);
  }
  need(part, is_all);
}

// The message of an origin that stands in MPI_Win_complete may still be on its way.
static void need_completing(struct syncs *s, struct mck_proof_part *part) {
  const struct mck_reader *log = &s->proof->logs[part->rank];
  uint32_t win = log->events[part->event].sync.win;
  const struct mck_event *g = last_group(log, part->event, win, MCK_STD_EPOCH_OPENS_EXPOSURE);
  begin_set(s, part);
  for (uint32_t i = 0; g && i < g->group.n; i++) {
    uint32_t other = world_rank(s, log, win, member_of(g, i));
    const struct mck_proof_rank *o = other == MCK_NONE || other == part->rank ? NULL : &s->proof->ranks[other];
    const struct mck_event *e = o && o->state == MCK_PROOF_BLOCKED && !o->is_polling
                                    ? &s->proof->logs[other].events[o->event]
                                    : NULL;
    if (!e || e->kind != MCK_EV_SYNC || !does_for_group(e->fn, MCK_STD_EPOCH_CLOSES_ACCESS) ||
        e->sync.win >= s->proof->logs[other].nwins)
      continue;
    const struct mck_win_def *w = &s->proof->logs[other].wins[e->sync.win];
    if (w->body && w->body->key == log->wins[win].body->key) mck_proof_add_member(s->proof, part, other);
  }
  need(part, false);
}

static void judge(struct syncs *s, struct mck_proof_part *part) {
  const struct mck_reader *log = &s->proof->logs[part->rank];
  const struct mck_event *e = &log->events[part->event];
  if (e->sync.win >= log->nwins || !log->wins[e->sync.win].body) return;
  if (!mck_std_is_to_group(e->fn)) return;
  // A start may wait for the posts of its targets, and if it did not, the complete must (11.5.2).
  if (mck_std(e->fn)->epoch & (MCK_STD_EPOCH_OPENS_ACCESS | MCK_STD_EPOCH_CLOSES_ACCESS)) {
    need_answers(s, part, MCK_STD_EPOCH_OPENS_ACCESS, STARTS, POSTS, false);
    return;
  }
  // A post waits for nobody, but its end may be tested for (record/call/poll-list.h).
  bool is_post = mck_std_does(e->fn, MCK_STD_EPOCH_OPENS_EXPOSURE);
  if (is_post ? !s->proof->ranks[part->rank].is_polling : mck_std(e->fn)->returns == MCK_STD_RETURNS_LOCAL) return;
  need_answers(s, part, MCK_STD_EPOCH_OPENS_EXPOSURE, POSTS, COMPLETES, true);
  if (part->verdict == MCK_PROOF_MAY_COMPLETE) need_completing(s, part);
}

static bool is_sync(const struct mck_proof *proof, const struct mck_proof_part *part) {
  return part->is_hit && !part->polled && part->event != MCK_NONE && mck_proof_event(proof, part)->kind == MCK_EV_SYNC;
}

void mck_proof_judge_syncs(struct mck_proof *proof) {
  struct syncs s = {.proof = proof};
  bool is_there = false;
  for (size_t i = 0; i < proof->nparts && !is_there; i++) is_there = is_sync(proof, &proof->parts[i]);
  if (!is_there) return;
  for (uint32_t r = 0; r < proof->size && !s.is_unknown; r++) {
    const struct mck_reader *log = &proof->logs[r];
    if (!log->header || !mck_proof_is_whole(log) || mck_proof_has_threads(log) || mck_proof_is_cut(log))
      s.is_unknown = true;
    else read_log(&s, r);
  }
  for (size_t i = 0; i < proof->nparts && !s.is_unknown; i++)
    if (is_sync(proof, &proof->parts[i])) judge(&s, &proof->parts[i]);
  mck_tally_free(&s.counts);
}
