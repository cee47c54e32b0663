// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives at a communicator's home: all members make the same calls in the same order (MPI-3.1 5.1, 5.12: a
// nonblocking one is another call than its blocking twin, and both share one order). Each member is compared with the
// one that made most; the first place where two differ is the one thing said about the communicator: what comes after
// is only its consequence.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "judge/cut.h"
#include "judge/index.h"

struct member { int rank; const struct mck_shape *shapes; struct mck_runs runs; bool is_there, is_multiple; };

static const struct mck_shape *shape_at(const struct member *m, uint64_t position) {
  for (size_t i = 0; i < m->runs.count; i++) {
    if (position < m->runs.items[i].n) return &m->shapes[m->runs.items[i].shape];
    position -= m->runs.items[i].n;
  }
  return NULL;
}

static bool is_same(const struct mck_shape *a, const struct mck_shape *b, bool with_root) {
  return a->fn == b->fn && (!with_root || a->count == b->count);
}

// The first position where a and b differ, or the length of the shorter.
static uint64_t first_difference(const struct member *a, const struct member *b, bool with_root) {
  size_t i = 0, k = 0;
  uint64_t position = 0, left_a = 0, left_b = 0;
  for (;;) {
    if (!left_a && i < a->runs.count) left_a = a->runs.items[i++].n;
    if (!left_b && k < b->runs.count) left_b = b->runs.items[k++].n;
    if (!left_a || !left_b) return position;
    if (!is_same(&a->shapes[a->runs.items[i - 1].shape], &b->shapes[b->runs.items[k - 1].shape], with_root))
      return position;
    uint64_t step = left_a < left_b ? left_a : left_b;
    position += step, left_a -= step, left_b -= step;
  }
}

// "0, 2-3" of the members whose group is g; cut with "..." when it gets long.
static void print_ranks(char *out, size_t size, const struct member *members, const uint32_t *group, size_t n,
                        uint32_t g) {
  size_t used = 0;
  out[0] = 0;
  for (size_t i = 0; i < n; i++) {
    if (group[i] != g) continue;
    size_t last = i;
    while (last + 1 < n && group[last + 1] == g && members[last + 1].rank == members[last].rank + 1) last++;
    if (used + 32 > size) {
      snprintf(out + used, size - used, ", ...");
      return;
    }
    used += (size_t)snprintf(out + used, size - used, last > i ? "%s%d-%d" : "%s%d", used ? ", " : "", members[i].rank,
                             members[last].rank);
    i = last;
  }
}

// before: how many were settled at cuts.
static void report(struct mck_decide *d, const struct member *members, size_t n, uint64_t before, uint64_t position,
                   bool with_root) {
  uint32_t *group = malloc(n * sizeof *group), groups = 0;
  size_t first[MCK_PLACES_MAX + 1] = {0};
  if (!group) return;
  bool is_root = true, is_end = false;
  const struct mck_shape *one = NULL;
  for (size_t i = 0; i < n; i++) {
    group[i] = MCK_NONE;
    if (!members[i].is_there) continue;
    const struct mck_shape *shape = shape_at(&members[i], position);
    if (!shape && !d->is_complete) continue;
    if (!shape) is_end = true;
    if (!one) one = shape;
    if (!shape || shape->fn != one->fn) is_root = false;
    for (uint32_t g = 0; g < groups && group[i] == MCK_NONE; g++) {
      const struct mck_shape *other = shape_at(&members[first[g]], position);
      if (shape == other || (shape && other && is_same(shape, other, with_root))) group[i] = g;
    }
    if (group[i] == MCK_NONE && groups <= MCK_PLACES_MAX) {
      first[groups] = i;
      group[i] = groups++;
    }
  }
  struct mck_finding *f = mck_findings_add(d->findings, is_root ? MCK_CHECK_COLLECTIVE_ROOT : MCK_CHECK_COLLECTIVE_CALL,
                                           members[first[0]].rank);
  if (f) {
    char why[900], ranks[160];
    size_t used = (size_t)snprintf(why, sizeof why, "collective number %llu of the communicator: ",
                                   (unsigned long long)(before + position) + 1);
    if (is_root) mck_finding_text(f, "ranks name different roots in %s", mck_judge_fn(one->fn));
    else if (is_end) mck_finding_text(f, "not all ranks call %s", one ? mck_judge_fn(one->fn) : "the collective");
    else mck_finding_text(f, "ranks of one communicator call different collectives");
    for (uint32_t g = 0; g < groups && g < MCK_PLACES_MAX; g++) {
      const struct member *m = &members[first[g]];
      const struct mck_shape *shape = shape_at(m, position);
      print_ranks(ranks, sizeof ranks, members, group, n, g);
      const char *plural = strpbrk(ranks, ",-") ? "ranks" : "rank", *separator = g ? "; " : "";
      char what[128];
      if (!shape) snprintf(what, sizeof what, "never, only %llu calls", (unsigned long long)(before + m->runs.n));
      else if (is_root) snprintf(what, sizeof what, "root %d", (int32_t)shape->count);
      else snprintf(what, sizeof what, "in %s", mck_judge_fn(shape->fn));
      if (used < sizeof why)
        used += (size_t)snprintf(why + used, sizeof why - used, "%s%s %s %s", separator, plural, ranks, what);
      if (!shape) continue;
      if (is_root)
        mck_finding_place(f, m->rank, shape->site, "%s with root %d on %s %s", mck_judge_fn(shape->fn),
                          (int32_t)shape->count, plural, ranks);
      else mck_finding_place(f, m->rank, shape->site, "%s on %s %s", mck_judge_fn(shape->fn), plural, ranks);
    }
    if (groups > MCK_PLACES_MAX && used < sizeof why) snprintf(why + used, sizeof why - used, "; others again else");
    mck_finding_why(f, "%s", why);
  }
  free(group);
}

static void compare(struct mck_decide *d, struct member *members, size_t n, uint64_t before, bool with_root) {
  const struct member *longest = NULL;
  for (size_t i = 0; i < n; i++)
    if (members[i].is_there && (!longest || members[i].runs.n > longest->runs.n)) longest = &members[i];
  if (!longest) return;
  uint64_t position = longest->runs.n;
  for (size_t i = 0; i < n; i++) {
    if (!members[i].is_there || &members[i] == longest) continue;
    uint64_t at = first_difference(&members[i], longest, with_root);
    // Where one merely ends, something is missing only when all of the run is known.
    if (at == members[i].runs.n && !d->is_complete) continue;
    if (at < position) position = at;
  }
  if (position < longest->runs.n) report(d, members, n, before, position, with_root);
}

// At a cut: what all have called is compared, and settled if it is the same. Where it is not, all of it stays, and what is
// to be said is said at the end, as of a run without cuts.
static void settle(struct mck_decide *d, struct member *members, size_t n, uint64_t key, bool with_root) {
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < n; i++) least = members[i].runs.n < least ? members[i].runs.n : least;
  for (size_t i = 0; i < n; i++) mck_runs_cut(&members[i].runs, least);
  struct mck_findings different = {0}, *findings = d->findings;
  d->findings = &different;
  compare(d, members, n, 0, with_root);
  d->findings = findings;
  for (size_t i = 0; i < n && !different.count; i++) mck_cut_settle_sequence(d, members[i].rank, key, least);
  mck_findings_free(&different);
}

struct entry { uint64_t key; int rank; struct mck_parcel_in runs; };

static int compare_entries(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static int compare_members(const void *a, const void *b) {
  return ((const struct member *)a)->rank - ((const struct member *)b)->rank;
}

static const struct mck_comm_def *find_comm(const struct mck_judge *j, uint64_t key) {
  for (size_t i = 0; i < j->nsequences; i++) {  // mostly the first few
    const struct mck_comm_def *comm = mck_judge_comm(j, j->sequences[i].comm);
    if (comm->body->key == key) return comm;
  }
  for (uint32_t i = 0; i < j->log->ncomms; i++)
    if (j->log->comms[i].body && j->log->comms[i].body->key == key) return &j->log->comms[i];
  return NULL;
}

static void decide_one(struct mck_decide *d, struct entry *entries, size_t n) {
  const struct mck_comm_def *comm = find_comm(d->judge, entries[0].key);
  if (!comm || mck_judge_home(comm) != (int)d->judge->rank) return;
  size_t size = (size_t)comm->size + comm->remote_size;
  if (size > d->size) return;  // forged: members are world ranks
  struct member *members = calloc(size + 1, sizeof *members);
  bool is_ok = members != NULL;
  for (size_t i = 0; is_ok && i < size; i++) {
    int world = i < comm->size ? mck_comm_world_rank(comm, (int)i, false)
                               : mck_comm_world_rank(comm, (int)(i - comm->size), true);
    if (world < 0 || world >= (int)d->size) is_ok = false;
    else members[i] = (struct member){.rank = world, .shapes = d->from[world].shapes,
                                      .is_there = d->from[world].is_there};
  }
  if (is_ok) qsort(members, size, sizeof *members, compare_members);
  for (size_t i = 0, k = 0; is_ok && i < n; i++) {
    while (k < size && members[k].rank < entries[i].rank) k++;
    if (k < size && members[k].rank == entries[i].rank && !members[k].runs.n &&
        !mck_runs_unpack(&members[k].runs, &entries[i].runs, d->from[entries[i].rank].nshapes))
      is_ok = false;
  }
  // Roots of an intercommunicator differ by side (MPI-3.1 5.2.3).
  if (is_ok && d->is_cut) settle(d, members, size, entries[0].key, comm->remote_size == 0);
  else if (is_ok) compare(d, members, size, comm->body->before, comm->remote_size == 0);
  for (size_t i = 0; members && i < size; i++) free(members[i].runs.items);
  free(members);
}

static bool skip_runs(struct mck_parcel_in *in) {
  for (uint64_t k = 2 * (uint64_t)mck_parcel_get_count(in, 2); k > 0; k--) mck_parcel_get(in);
  return !in->is_bad;
}

void mck_decide_collectives(struct mck_decide *d) {
  struct entry *entries = NULL;
  size_t n = 0, capacity = 0;
  bool is_ok = true;
  for (uint32_t r = 0; is_ok && r < d->size; r++) {
    if (!d->from[r].is_there) continue;
    struct mck_parcel_in in = d->from[r].sequences;
    for (uint32_t k = mck_parcel_get_count(&in, 2); is_ok && k > 0; k--) {
      uint64_t key = mck_parcel_get(&in);
      struct entry e = {key, (int)r, in};
      is_ok = MCK_PUSH(entries, n, capacity, e) && skip_runs(&in);
    }
  }
  if (is_ok && n) qsort(entries, n, sizeof *entries, compare_entries);
  for (size_t i = 0, end; is_ok && i < n; i = end) {
    for (end = i; end < n && entries[end].key == entries[i].key;) end++;
    decide_one(d, &entries[i], end - i);
  }
  free(entries);
}
