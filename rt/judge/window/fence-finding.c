// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the judge of fence epochs says: one finding for a place, or for two, however often it happens.
#include "judge/window/fence-sweep.h"
#include "api/fns.h"
#include "rma/race-finding.h"

static int rank_of(const struct mck_access_class *a) { return (int)a->what.process; }

// One finding for a place of an operation (MPI-3.1 11.3.1).
void mck_sweep_say_beyond(struct mck_sweep *s, uint64_t low, uint64_t length, uint32_t epoch,
                          const struct mck_access_class *access) {
  struct mck_findings *all = s->decide->findings;
  int rank = rank_of(access);
  for (size_t i = 0; i < all->count; i++) {
    struct mck_finding *f = &all->items[i];
    if (f->check == MCK_CHECK_RMA_RANGE && f->nplaces && f->places[0].rank == rank &&
        f->places[0].site == access->site) {
      f->count++;
      return;
    }
  }
  if (s->nothers++ >= MCK_FINDINGS_MAX) return;
  struct mck_finding *f = mck_findings_add(all, MCK_CHECK_RMA_RANGE, rank);
  struct mck_beyond beyond = {.access = access,
                              .rank = rank,
                              .owner = (int)s->decide->judge->rank,
                              .win = s->win,
                              .attachments = s->is_dynamic ? &s->attachments : NULL,
                              .low = low,
                              .high = low + length,
                              .after = mck_sweep_begin_of(s, epoch),
                              .before = mck_sweep_end_of(s, epoch)};
  if (f) mck_beyond_tell(f, &beyond);
}

// One finding for a fence and a place; it is counted once for each epoch.
void mck_sweep_say_untrue(struct mck_sweep *s, const struct mck_fence *fence, uint32_t epoch,
                          const struct mck_access_class *access) {
  struct mck_findings *all = s->decide->findings;
  int me = (int)s->decide->judge->rank, rank = rank_of(access);
  for (size_t i = 0; i < s->nuntrue; i++) {
    struct mck_finding *f = &all->items[s->untrue[i].finding];
    if (f->places[0].site == fence->site && f->places[1].site == access->site && f->places[1].rank == rank) {
      f->count += s->untrue[i].epoch != epoch;
      s->untrue[i].epoch = epoch;
      return;
    }
  }
  struct mck_sweep_untrue new = {all->count, epoch};
  if (s->nothers++ >= MCK_FINDINGS_MAX || !MCK_PUSH(s->untrue, s->nuntrue, s->untrue_capacity, new)) return;
  struct mck_finding *f = mck_findings_add(all, MCK_CHECK_ARG_ASSERT, me);
  if (f) mck_untrue_tell_noput(f, MCK_FN_MPI_Win_fence, me, fence->site, access, rank);
  else s->nuntrue--;
}

// The pair of two classes, as their findings are told apart; NULL: it is a new one.
static struct mck_sweep_pair *find_pair(struct mck_sweep *s, const struct mck_race *race, uint64_t hash) {
  uint32_t at, id;
  MCK_TABLE_EACH (&s->pair_table, hash, at, id) {
    struct mck_sweep_pair *p = &s->pairs[id];
    const struct mck_access_class *a = &s->groups[p->a].of.access, *b = &s->groups[p->b].of.access;
    if (a->what.kind == race->first->what.kind && a->what.process == race->first->what.process &&
        a->site == race->first->site && b->what.kind == race->second->what.kind &&
        b->what.process == race->second->what.process && b->site == race->second->site)
      return p;
  }
  return NULL;
}

// The intervals of an operation or access, as far as they lie near this one in the order of the sweep.
static void map_near(const struct mck_sweep *s, struct mck_race_map *m, const struct mck_sweep_interval *x) {
  enum { NEAR = 512 };
  size_t at = 0, end = s->count;
  while (at < end) { // by epoch and first byte
    size_t middle = (at + end) / 2;
    const struct mck_sweep_interval *y = &s->items[middle];
    if (y->epoch != x->epoch ? y->epoch < x->epoch : y->low < x->low) at = middle + 1;
    else end = middle;
  }
  size_t from = at > NEAR ? at - NEAR : 0, to = s->count - at > NEAR ? at + NEAR : s->count;
  for (size_t i = from; i < to; i++) {
    const struct mck_sweep_interval *y = &s->items[i];
    if (y->epoch == x->epoch && y->event == x->event && y->class == x->class) mck_race_map_add(m, y->low, y->high);
  }
  if ((from && s->items[from - 1].epoch == x->epoch) || (to < s->count && s->items[to].epoch == x->epoch))
    m->map->uses[m->use].is_cut = true;
}

static void map_bytes(const struct mck_sweep *s, struct mck_finding *f, const struct mck_race *race,
                      const struct mck_sweep_interval *x, const struct mck_sweep_interval *y, bool is_swapped) {
  struct mck_race_map m = mck_race_map_begin(f, race, 0);
  if (!m.map) return;
  m.use = is_swapped;
  map_near(s, &m, x);
  m.use = !is_swapped, m.steps = 0;
  map_near(s, &m, y);
}

void mck_sweep_say_race(struct mck_sweep *s, enum mck_conflict conflict, const struct mck_sweep_interval *x,
                        const struct mck_sweep_interval *y) {
  const struct mck_access_class *a = &s->groups[x->class].of.access, *b = &s->groups[y->class].of.access;
  uint64_t low = x->low > y->low ? x->low : y->low, high = x->high < y->high ? x->high : y->high;
  struct mck_race race = {.conflict = conflict,
                          .first = a,
                          .second = b,
                          .first_rank = rank_of(a),
                          .second_rank = rank_of(b),
                          .owner = (int)s->decide->judge->rank,
                          .win = s->win,
                          .low = low,
                          .high = high};
  bool is_swapped = mck_race_sort(&race);
  uint64_t hash = mck_table_mix((uint64_t)race.first->site << 32 | race.second->site,
                                (uint64_t)race.first->what.process << 32 | race.second->what.process);
  struct mck_sweep_pair *known = find_pair(s, &race, hash);
  if (known) {
    s->decide->findings->items[known->finding].count++;
    return;
  }
  if (s->npairs >= MCK_FINDINGS_MAX) return;
  struct mck_sweep_pair new = {is_swapped ? y->class : x->class, is_swapped ? x->class : y->class,
                               s->decide->findings->count};
  if (!MCK_PUSH(s->pairs, s->npairs, s->pairs_capacity, new)) return;
  if (!mck_table_add(&s->pair_table, hash, (uint32_t)s->npairs - 1)) {
    s->npairs--;
    return;
  }
  race.attachment = mck_attachments_find(&s->attachments, low, mck_sweep_begin_of(s, x->epoch),
                                         mck_sweep_end_of(s, x->epoch));
  struct mck_finding *f = mck_race_tell_in_epoch(s->decide->findings, &race, x->epoch,
                                                 s->window->fences[x->epoch - 1 - s->window->base].site);
  if (f) map_bytes(s, f, &race, x, y, is_swapped);
  else s->npairs = MCK_FINDINGS_MAX;
}
