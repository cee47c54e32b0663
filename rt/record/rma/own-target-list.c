// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The short form of operations on the own part of a window (own-target-list.h). What completes one of them completes
// all of its list: they have one window and one target.
#include "record/rma/own-target-list.h"
#include <stdlib.h>

enum { RECENT_BITS = 8, ROOM = 64 };
struct list {
  struct mck_own_target *targets;
  unsigned n, room;
  uint16_t recent[1 << RECENT_BITS]; // by address and place: a loop may put to the same bytes again
};
struct mck_own_targets {
  struct list lists[2]; // [1]: late
  struct mck_window *window;
  struct mck_own_targets *next;
};
static struct mck_own_targets *all;

struct mck_own_hull mck_own_hull;
_Atomic unsigned mck_nown_targets;

static inline void count(unsigned n) {
  atomic_store_explicit(&mck_nown_targets, n, memory_order_relaxed);
  if (!n) mck_own_hull = (struct mck_own_hull){UINTPTR_MAX, 0};
}
static inline unsigned counted(void) { return atomic_load_explicit(&mck_nown_targets, memory_order_relaxed); }

static inline void clear(struct list *l) {
  if (!l->n) return;
  unsigned n = l->n;
  l->n = 0;
  count(counted() - n);
}

static __attribute__((noinline)) struct mck_own_targets *start(struct mck_window *w) {
  struct mck_own_targets *o = calloc(1, sizeof *o);
  if (!o) return NULL;
  o->window = w, o->next = all, all = w->own_targets = o;
  if (!counted()) count(0);
  return o;
}

static __attribute__((noinline)) bool grow(struct list *l) {
  unsigned room = l->room ? 2 * l->room : ROOM;
  if (room > MCK_OWN_TARGETS_MAX) return false;
  struct mck_own_target *more = realloc(l->targets, room * sizeof *more);
  if (!more) return false;
  l->targets = more, l->room = room;
  return true;
}

static inline bool are_same(const struct mck_own_target *a, const struct mck_own_target *b) {
  return a->address == b->address && a->count == b->count && a->low == b->low && a->high == b->high &&
         a->type == b->type && a->generation == b->generation && a->site == b->site && a->fn == b->fn &&
         a->is_written == b->is_written;
}

MCK_HOT void mck_own_target_add(struct mck_window *w, const struct mck_own_target *t, bool is_late) {
  struct mck_own_targets *o = MCK_LIKELY(w->own_targets != NULL) ? w->own_targets : start(w);
  if (MCK_UNLIKELY(!o)) return;
  struct list *l = &o->lists[is_late];
  uint16_t *recent = &l->recent[((uintptr_t)t->address + t->site) * 0x9e3779b97f4a7c15u >> (64 - RECENT_BITS)];
  if (*recent < l->n && are_same(&l->targets[*recent], t)) return;
  if (MCK_UNLIKELY(l->n == l->room) && !grow(l)) return;
  *recent = (uint16_t)l->n, l->targets[l->n++] = *t;
  atomic_store_explicit(&mck_nown_targets, counted() + 1, memory_order_relaxed);
  if ((uintptr_t)t->low < mck_own_hull.low) mck_own_hull.low = (uintptr_t)t->low;
  if ((uintptr_t)t->high > mck_own_hull.high) mck_own_hull.high = (uintptr_t)t->high;
}

void mck_own_target_complete(struct mck_window *w, bool is_late) {
  if (w->own_targets) clear(&w->own_targets->lists[is_late]);
}

void mck_own_target_end_lists(struct mck_window *w) {
  struct mck_own_targets *o = w->own_targets, **at = &all;
  if (!o) return;
  while (*at != o) at = &(*at)->next;
  *at = o->next, w->own_targets = NULL;
  for (int i = 0; i < 2; i++) clear(&o->lists[i]), free(o->lists[i].targets);
  free(o);
}

void mck_own_target_empty(mck_own_target_enter *enter) {
  for (struct mck_own_targets *o = all; o; o = o->next)
    for (int i = 0; i < 2; i++) {
      struct list *l = &o->lists[i];
      for (unsigned k = 0; k < l->n; k++) enter(o->window, &l->targets[k], i);
      clear(l);
    }
}

void mck_own_target_forget_addresses(void) {
  while (all) mck_own_target_end_lists(all->window);
}
