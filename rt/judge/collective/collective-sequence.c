// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the collective calls of a communicator at its home: all members make the same calls in the same order
// (MPI-3.1 5.1). A nonblocking call does not match a blocking one, and both are in one order (5.12).
//
// The sequences of all members are walked in step. A combination of calls that was found right is not compared again.
// Where the calls differ, later differences are mostly a consequence. So the walk goes on only if all sequences are
// equally long and no later position differs: then one call was replaced by another, and nothing has shifted. Wrong
// arguments shift nothing.
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include "standard/function.h"
#include "judge/cut/cut.h"
#include "judge/collective/collective-step.h"
#include "report/why.h"

const struct mck_signatures *mck_step_types(struct mck_step *step, int rank) {
  struct mck_signatures *types = &step->types[rank];
  if (step->is_loaded[rank]) return types->nodes ? types : NULL;
  step->is_loaded[rank] = true;
  if (!mck_signatures_init(types)) return NULL;
  const struct mck_delivery *from = mck_decide_find(step->decide, rank);
  for (uint32_t i = 0; from && i < from->ntypes; i++)
    mck_signatures_define(types, from->types[i].id, from->types[i].body->size, from->types[i].parts,
                          from->types[i].nparts);
  return types;
}

// Takes each member to its next run of calls. Returns for how many positions all members stay in these runs; 0 when all
// sequences have ended.
static uint64_t advance(struct mck_step *step, uint64_t *hash, bool *is_end) {
  uint64_t n = UINT64_MAX;
  bool is_any = false;
  *hash = 0, *is_end = false;
  for (size_t i = 0; i < step->n; i++) {
    struct mck_step_member *m = &step->members[i];
    m->now = NULL;
    if (!m->is_there) continue;
    uint32_t call = MCK_NONE;
    while (!m->left && m->run < m->runs.count) m->left = m->runs.items[m->run++].n;
    if (m->left) {
      call = m->runs.items[m->run - 1].shape;
      m->now = &m->calls->items[call];
      is_any = true;
      if (m->left < n) n = m->left;
    } else *is_end = true;
    *hash = mck_table_mix(*hash, (uint64_t)call + 1);
  }
  return is_any ? n : 0;
}

static void pass_by(struct mck_step *step, uint64_t n) {
  for (size_t i = 0; i < step->n; i++)
    if (step->members[i].now) step->members[i].left -= n;
  step->position += n;
}

enum order { ORDER_SAME, ORDER_TWIN, ORDER_DIFFERENT }; // TWIN: blocking on some ranks, nonblocking on others
static enum order compare_calls(const struct mck_step *step) {
  const struct mck_collective_call *first = NULL;
  enum order order = ORDER_SAME;
  for (size_t i = 0; i < step->n; i++) {
    const struct mck_collective_call *c = step->members[i].now;
    if (!c) continue;
    if (!first) first = c;
    if (c->fn == first->fn) continue;
    if (mck_std_blocking(c->fn) != mck_std_blocking(first->fn)) return ORDER_DIFFERENT;
    order = ORDER_TWIN;
  }
  return order;
}

static uint64_t label_call(struct mck_step *step, const struct mck_step_member *m, char *text, size_t size) {
  (void)step;
  snprintf(text, size, "in %s", mck_judge_fn(m->now->fn));
  return 0;
}

// Are these calls in the sequence of a file? MPI_File_open is in the sequence of its communicator, so MPI_File_open
// beside another call is no finding about files.
static bool is_of_file(const struct mck_step *step) {
  bool is_any = false;
  for (size_t i = 0; i < step->n; i++) {
    const struct mck_collective_call *c = step->members[i].now;
    if (c && !mck_std_is_file(c->fn)) return false;
    is_any |= c != NULL;
  }
  return is_any;
}

static void report_calls(struct mck_step *step, enum order order, bool is_end) {
  enum mck_check check = is_of_file(step)      ? MCK_CHECK_IO_COLLECTIVE
                         : order == ORDER_TWIN ? MCK_CHECK_COLLECTIVE_BLOCKING
                                               : MCK_CHECK_COLLECTIVE_CALL;
  char text[160];
  const struct mck_collective_call *one = NULL;
  for (size_t i = 0; i < step->n && !one; i++) one = step->members[i].now;
  if (order == ORDER_TWIN)
    snprintf(text, sizeof text, "%s on some ranks, its nonblocking twin on others",
             mck_judge_fn(mck_std_blocking(one->fn)));
  else if (is_end && order == ORDER_SAME) snprintf(text, sizeof text, "not all ranks call %s", mck_judge_fn(one->fn));
  else
    snprintf(text, sizeof text, "ranks of one %s call different collectives",
             check == MCK_CHECK_IO_COLLECTIVE ? "file" : "communicator");
  mck_step_roll_call(step, check, text, label_call, is_end);
}

// Do the calls differ at the current position only? The sequences must be known to their ends.
static bool can_resume(const struct mck_step *step, uint64_t n) {
  if (!step->decide->is_complete || n != 1) return false;
  struct mck_step ahead = *step;
  ahead.members = malloc((step->n + 1) * sizeof *ahead.members);
  bool is_ok = ahead.members != NULL, is_end;
  uint64_t hash;
  if (is_ok) memcpy(ahead.members, step->members, step->n * sizeof *ahead.members);
  for (size_t i = 0; is_ok && i < step->n; i++)
    is_ok = step->members[i].is_there && step->members[i].runs.n == step->members[0].runs.n;
  for (; is_ok && n; n = advance(&ahead, &hash, &is_end)) {
    is_ok = ahead.position == step->position || compare_calls(&ahead) != ORDER_DIFFERENT;
    pass_by(&ahead, n);
  }
  free(ahead.members);
  return is_ok;
}

// A combination of calls that was compared. finding: its index + 1; 0: the calls agree.
struct known {
  uint64_t hash;
  size_t finding;
};

static void walk(struct mck_step *step) {
  struct known *known = NULL;
  size_t nknown = 0, capacity = 0;
  struct mck_table table = {0};
  uint64_t hash, n;
  bool is_end;
  while ((n = advance(step, &hash, &is_end))) {
    uint32_t at, id;
    struct known *found = NULL;
    MCK_TABLE_EACH (&table, hash, at, id)
      if (known[id].hash == hash) found = &known[id];
    if (found && found->finding) step->decide->findings->items[found->finding - 1].count += (uint32_t)n;
    if (!found) {
      enum order order = compare_calls(step);
      // When a sequence ends early, a call is missing only if the whole run is known.
      bool is_missing = is_end && step->decide->is_complete;
      struct known new = {hash, 0};
      if (order != ORDER_SAME || is_missing) report_calls(step, order, is_missing);
      if (is_end && !is_missing)
        mck_why_not(MCK_CHECK_COLLECTIVE_CALL,
                    "call number %llu: some members have ended; the logs are not those of a whole run, so their calls "
                    "may be missing",
                    (unsigned long long)step->position + 1);
      if (is_missing || (order == ORDER_DIFFERENT && !can_resume(step, n))) break;
      if (order == ORDER_SAME) {
        new.finding = mck_step_agree(step);
        if (new.finding && n > 1) step->decide->findings->items[new.finding - 1].count += (uint32_t)(n - 1);
      }
      if (!MCK_PUSH(known, nknown, capacity, new) || !mck_table_add(&table, hash, (uint32_t)nknown - 1)) break;
    }
    pass_by(step, n);
  }
  free(known);
  mck_table_free(&table);
}

// At a cut: compares the calls that all members have made, and settles them if they agree. If they do not, all of them
// stay in the logs, and the finding is made at the end, as in a run without cuts.
static void settle(struct mck_step *step, uint64_t key) {
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < step->n; i++)
    if (step->members[i].runs.n < least) least = step->members[i].runs.n;
  if (!least) return;
  for (size_t i = 0; i < step->n; i++) mck_runs_cut(&step->members[i].runs, least);
  struct mck_findings different = {0}, *findings = step->decide->findings;
  step->decide->findings = &different;
  walk(step);
  step->decide->findings = findings;
  for (size_t i = 0; i < step->n && !different.count; i++)
    mck_cut_settle_sequence(step->decide, step->members[i].rank, key, least);
  mck_findings_free(&different);
}

// --- members --------------------------------------------------------------------------------------------------------
struct entry {
  uint64_t key;
  int rank;
  struct mck_parcel_in neighbors, runs;
  uint32_t nsources, ndestinations;
  uint64_t site; // + 1; 0: the neighbors are not each rank's own
  bool is_open;  // the order of the rank's calls is not known
};

static int compare_entries(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static const struct mck_comm_def *find_comm(const struct mck_judge *j, uint64_t key) {
  for (size_t i = 0; i < j->nsequences; i++) // mostly one of the first few
    if (j->sequences[i].key == key) return mck_judge_comm(j, j->sequences[i].comm);
  for (uint32_t i = 0; i < j->log->ncomms; i++)
    if (j->log->comms[i].body && j->log->comms[i].body->key == key) return &j->log->comms[i];
  for (uint32_t i = 0; i < j->log->nwins; i++)
    if (j->log->wins[i].body && j->log->wins[i].body->key == key) return mck_judge_comm(j, j->log->wins[i].comm);
  return NULL;
}

static void decide_one(struct mck_step *step, struct entry *entries, size_t n, int *member_of) {
  struct mck_decide *d = step->decide;
  const struct mck_comm_def *comm = find_comm(d->judge, entries[0].key);
  if (!comm || mck_judge_home(comm) != (int)d->judge->rank) return;
  size_t size = (size_t)comm->size + comm->remote_size;
  if (size > d->size) return; // a forged log: members are world ranks
  // Which call is the n-th one is luck there: thread.collective says so (MPI-3.1 5.13).
  for (size_t i = 0; i < n; i++)
    if (entries[i].is_open) {
      mck_why_not(MCK_CHECK_COLLECTIVE_CALL, "the calls of rank %d on one communicator: threads leave their order open",
                  entries[i].rank);
      return;
    }
  static const struct mck_call_table no_calls;
  struct mck_step_member *members = calloc(size + 1, sizeof *members);
  bool is_ok = members != NULL, is_file = false;
  for (size_t i = 0; is_ok && i < size; i++) {
    bool is_remote = i >= comm->size;
    uint32_t index = (uint32_t)(is_remote ? i - comm->size : i);
    int world = mck_comm_world_rank(comm, (int)index, is_remote);
    if (world < 0 || world >= (int)d->size || member_of[world] >= 0) is_ok = false;
    else {
      const struct mck_delivery *from = mck_decide_find(d, world);
      members[i] = (struct mck_step_member){.rank = world,
                                            .index = index,
                                            .is_remote = is_remote,
                                            .calls = from ? &from->calls : &no_calls,
                                            .is_there = mck_decide_has_log(d, world)};
      member_of[world] = (int)i;
    }
  }
  for (size_t i = 0; is_ok && i < n; i++) {
    struct entry *e = &entries[i];
    struct mck_step_member *m = member_of[e->rank] >= 0 ? &members[member_of[e->rank]] : NULL;
    if (!m || m->runs.n) continue;
    m->neighbors = e->neighbors, m->nsources = e->nsources, m->ndestinations = e->ndestinations;
    m->has_own_neighbors = e->site != 0, m->neighbors_site = e->site ? (uint32_t)(e->site - 1) : MCK_NONE;
    is_ok = mck_runs_unpack(&m->runs, &e->runs, (uint32_t)m->calls->count);
    uint16_t fn = is_ok && m->runs.count ? m->calls->items[m->runs.items[0].shape].fn : 0;
    is_file |= mck_std(fn)->collective == MCK_STD_COLLECTIVE_FILE;
  }
  // MPI_File_open may have failed on some ranks only: a rank that makes no call on the file may not have it.
  for (size_t i = 0; is_ok && i < size; i++)
    if (!members[i].runs.n && is_file) members[i].is_there = false;
  if (is_ok) {
    step->comm = comm;
    step->members = members, step->n = size, step->nlocal = comm->size;
    step->is_inter = comm->remote_size > 0;
    step->position = step->before = entries[0].key == comm->body->key ? comm->body->before : 0;
    step->nsaid = 0;
    if (d->is_cut) settle(step, entries[0].key);
    else mck_step_check_neighbors(step), walk(step);
  }
  for (size_t i = 0; members && i < size; i++) member_of[members[i].rank] = -1, free(members[i].runs.items);
  free(members);
}

static bool skip_runs(struct mck_parcel_in *in) {
  for (uint64_t k = 2 * (uint64_t)mck_parcel_get_count(in, 2); k > 0; k--) mck_parcel_get(in);
  return !in->is_bad;
}

// The sequences that have come here, by communicator. Returns false when out of memory.
static bool list_entries(const struct mck_decide *d, struct entry **entries, size_t *n) {
  size_t capacity = 0;
  bool is_ok = true;
  for (uint32_t r = 0; is_ok && r < d->nfrom; r++) {
    const struct mck_delivery *from = &d->from[r];
    if (!from->is_there) continue;
    struct mck_parcel_in in = from->sequences;
    for (uint32_t k = mck_parcel_get_count(&in, 4); is_ok && k > 0; k--) {
      struct entry e = {.key = mck_parcel_get(&in), .rank = from->rank};
      e.is_open = from->may_be_open && mck_parcel_get(&in);
      e.nsources = mck_parcel_get_count(&in, 1), e.ndestinations = mck_parcel_get_count(&in, 1);
      e.neighbors = in;
      for (uint64_t i = (uint64_t)e.nsources + e.ndestinations; i > 0; i--) mck_parcel_get_signed(&in);
      e.site = mck_parcel_get(&in);
      e.runs = in;
      is_ok = MCK_PUSH(*entries, *n, capacity, e) && skip_runs(&in);
    }
  }
  if (is_ok && *n) qsort(*entries, *n, sizeof **entries, compare_entries);
  return is_ok;
}

// Only a home of a communicator has entries, and needs tables of all ranks.
void mck_decide_collectives(struct mck_decide *d) {
  struct entry *entries = NULL;
  size_t n = 0;
  if (list_entries(d, &entries, &n) && n) {
    struct mck_step step = {.decide = d,
                            .types = calloc((size_t)d->size + 1, sizeof *step.types),
                            .is_loaded = calloc((size_t)d->size + 1, sizeof *step.is_loaded)};
    int *member_of = malloc(((size_t)d->size + 1) * sizeof *member_of);
    bool is_ok = step.types && step.is_loaded && member_of;
    for (uint32_t r = 0; is_ok && r < d->size; r++) member_of[r] = -1;
    for (size_t i = 0, end; is_ok && i < n; i = end) {
      for (end = i; end < n && entries[end].key == entries[i].key;) end++;
      decide_one(&step, &entries[i], end - i, member_of);
    }
    for (uint32_t r = 0; step.types && step.is_loaded && r < d->size; r++)
      if (step.is_loaded[r]) mck_signatures_free(&step.types[r]);
    free(step.types);
    free(step.is_loaded);
    free(step.said);
    free(member_of);
  }
  free(entries);
}
