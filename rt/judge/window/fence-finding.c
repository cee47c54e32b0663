// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the judge of fence epochs says: one finding for a place, or for two, however often they meet.
#include "judge/window/fence-sweep.h"
#include "report/byte-range-text.h"

static const char *const access_names[] = {[SWEEP_STORE] = "store", [SWEEP_LOAD] = "load"};

// An operation beyond the target's window (MPI-3.1 11.3.1): one finding for a place.
void sweep_say_stray(struct sweep *s, uint64_t low, uint64_t length, uint32_t epoch, const struct sweep_like *like) {
  struct mck_findings *all = s->decide->findings;
  for (size_t i = 0; i < all->count; i++) {
    struct mck_finding *f = &all->items[i];
    if (f->check == MCK_CHECK_RMA_RANGE && f->nplaces && f->places[0].rank == like->rank &&
        f->places[0].site == like->site) {
      f->count++;
      return;
    }
  }
  if (s->strays_said++ >= MCK_FINDINGS_MAX) return;
  struct mck_finding *f = mck_findings_add(all, MCK_CHECK_RMA_RANGE, like->rank);
  if (!f) return;
  if (s->is_dynamic) {
    mck_spells_say_stray(f, &s->spells, mck_judge_fn(like->fn), (int)s->decide->judge->rank, low, low + length,
                         sweep_begin_of(s, epoch), sweep_end_of(s, epoch));
    mck_finding_place(f, like->rank, like->site, "%s from rank %d", mck_judge_fn(like->fn), like->rank);
    return;
  }
  mck_finding_text(f, "%s goes beyond the window of its target", mck_judge_fn(like->fn));
  mck_finding_why(f, "it touches bytes %lld..%lld of the window of rank %u, which has %llu", (long long)low,
                  (long long)(low + length - 1), s->decide->judge->rank, (unsigned long long)s->win->body->size);
  mck_finding_place(f, like->rank, like->site, "%s from rank %d", mck_judge_fn(like->fn), like->rank);
}

// An assertion of a fence that is not true (MPI-3.1 11.5.5): one finding for a place.
void sweep_say_lie(struct sweep *s, const struct mck_fence *fence, const char *mode, const struct sweep_like *l) {
  struct mck_findings *all = s->decide->findings;
  int me = (int)s->decide->judge->rank;
  for (size_t i = 0; i < all->count; i++) {
    struct mck_finding *f = &all->items[i];
    if (f->check == MCK_CHECK_ARG_ASSERT && f->rank == me && f->nplaces > 1 && f->places[0].site == fence->site &&
        f->places[1].site == l->site && f->places[1].rank == l->rank) {
      f->count++;
      return;
    }
  }
  if (s->strays_said++ >= MCK_FINDINGS_MAX) return;
  struct mck_finding *f = mck_findings_add(all, MCK_CHECK_ARG_ASSERT, me);
  if (!f) return;
  mck_finding_text(f, "%s of MPI_Win_fence is not true", mode);
  mck_finding_place(f, me, fence->site, "MPI_Win_fence on rank %d", me);
  if (l->kind == SWEEP_STORE) mck_finding_place(f, me, l->site, "store before it");
  else mck_finding_place(f, l->rank, l->site, "%s from rank %d behind it", mck_judge_fn(l->fn), l->rank);
}

static void place(struct mck_finding *f, const struct sweep_like *l, bool is_second) {
  const char *conflicts = is_second ? "conflicts with " : "";
  if (sweep_is_buffer(l))
    mck_finding_place(f, l->rank, l->site, "%s%s, whose %s buffer this is, from rank %d", conflicts,
                      mck_judge_fn(l->fn), l->kind == SWEEP_STORE ? "result" : "origin", l->rank);
  else if (sweep_is_access(l))
    mck_finding_place(f, l->rank, l->site, "%s%s by rank %d", conflicts,
                      sweep_is_change(l) ? mck_judge_fn(l->fn)
                      : l->is_freed      ? "free"
                                         : access_names[l->kind],
                      l->rank);
  else mck_finding_place(f, l->rank, l->site, "%s%s from rank %d", conflicts, mck_judge_fn(l->fn), l->rank);
}

static int order_likes(const struct sweep_like *a, const struct sweep_like *b) {
  if (sweep_is_access(a) != sweep_is_access(b)) return sweep_is_access(a) ? 1 : -1;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  if (a->site != b->site) return a->site < b->site ? -1 : 1;
  return (int)a->kind - (int)b->kind;
}

static bool is_same_pair(const struct sweep_like *a, const struct sweep_like *b) {
  return a->kind == b->kind && a->rank == b->rank && a->site == b->site;
}

void sweep_report(struct sweep *s, const struct sweep_interval *x, const struct sweep_interval *y) {
  const struct sweep_like *a = &s->groups[x->group].like, *b = &s->groups[y->group].like;
  if (order_likes(a, b) > 0) {
    const struct sweep_like *swap = a;
    a = b;
    b = swap;
  }
  uint64_t hash = mck_table_mix((uint64_t)a->site << 32 | b->site,
                                (uint64_t)(uint32_t)a->rank << 32 | (uint32_t)b->rank);
  uint32_t at, id;
  MCK_TABLE_EACH (&s->pair_table, hash, at, id) {
    const struct sweep_pair *p = &s->pairs[id];
    if (is_same_pair(&s->groups[p->a].like, a) && is_same_pair(&s->groups[p->b].like, b)) {
      s->decide->findings->items[p->finding].count++;
      return;
    }
  }
  if (s->npairs >= MCK_FINDINGS_MAX) return;
  struct sweep_pair new = {a == &s->groups[x->group].like ? x->group : y->group,
                           a == &s->groups[x->group].like ? y->group : x->group, s->decide->findings->count};
  if (!MCK_PUSH(s->pairs, s->npairs, s->pairs_capacity, new)) return;
  if (!mck_table_add(&s->pair_table, hash, (uint32_t)s->npairs - 1)) {
    s->npairs--;
    return;
  }
  unsigned me = s->decide->judge->rank;
  struct mck_finding *f = mck_findings_add(s->decide->findings,
                                           sweep_is_atomicity(a, b)                   ? MCK_CHECK_RMA_ATOMICITY
                                           : sweep_is_buffer(a) || sweep_is_buffer(b) ? MCK_CHECK_RMA_RACE_LOCAL
                                                                                      : MCK_CHECK_RMA_RACE,
                                           (int)me);
  if (!f) {
    s->npairs = MCK_FINDINGS_MAX;
    return;
  }
  uint64_t low = x->low > y->low ? x->low : y->low, high = x->high < y->high ? x->high : y->high;
  const struct mck_win_def *w = s->win;
  const char *what = sweep_is_atomicity(a, b) ? "accesses that are not atomic to each other" : "race";
  char range[MCK_RANGE_SIZE];
  const struct mck_spell *spell = mck_spells_find(&s->spells, low, sweep_begin_of(s, x->epoch),
                                                  sweep_end_of(s, x->epoch));
  if (spell) mck_spell_say(range, spell, low, high);
  else mck_range_say(range, w, low, high - 1);
  if (w->name_length)
    mck_finding_text(f, "%s on window \"%.*s\" of rank %u, %s", what, (int)w->name_length, w->name, me, range);
  else mck_finding_text(f, "%s on a window of rank %u, %s", what, me, range);
  mck_finding_why(f, "neither completed before the other: both in fence epoch %u", x->epoch);
  place(f, a, false);
  place(f, b, true);
  mck_finding_place(f, (int)me, s->window->fences[x->epoch - 1 - s->window->base].site,
                    "the epoch was opened by MPI_Win_fence");
  if (!s->is_dynamic) mck_window_place(f, (int)me, w);
  if (spell && !sweep_is_change(a) && !sweep_is_change(b))
    mck_finding_place(f, (int)me, spell->site, "the memory was attached by MPI_Win_attach");
}
