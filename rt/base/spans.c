// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/spans.h"
#include <stdatomic.h>

enum { LEVELS = 10, SHIFT0 = 4, STEP = 3, CELLS = 4096 };   // cells of 16 B, 128 B, ... 256 MiB; on the last level lies what is longer
// low, high: hull of all ranges of the level, while there are any; operations are posted along an array as a rule, so that the next range lies outside.
struct level { uintptr_t low, high; unsigned count; };
struct set { struct mck_span *cells[CELLS]; struct level levels[LEVELS]; unsigned used; };   // used: bit of each level that is not empty
static struct set sets[2];   // [1]: written

_Atomic unsigned mck_nspans;

static unsigned shift_of(unsigned level) { return level == LEVELS - 1 ? 63 : SHIFT0 + STEP * level; }

static unsigned level_of(uint64_t length) {
  if (length <= 1u << SHIFT0) return 0;
  unsigned bits = 64 - (unsigned)__builtin_clzll(length - 1), level = (bits - SHIFT0 + STEP - 1) / STEP;
  return level < LEVELS ? level : LEVELS - 1;
}

static struct mck_span **cell_of(struct set *set, unsigned level, uint64_t number) {
  return &set->cells[((number + level) * 0x9e3779b97f4a7c15u) >> 52];
}

void mck_spans_add(struct mck_span *s) {
  struct set *set = &sets[s->is_written];
  s->level = (uint8_t)level_of(s->high - s->low);
  struct level *level = &set->levels[s->level];
  struct mck_span **cell = cell_of(set, s->level, s->low >> shift_of(s->level));
  if ((s->next = *cell)) s->next->at = &s->next;
  *cell = s, s->at = cell;
  if (!level->count++) level->low = s->low, level->high = s->high, set->used |= 1u << s->level;
  if (s->low < level->low) level->low = s->low;
  if (s->high > level->high) level->high = s->high;
  s->is_listed = true;
  atomic_store_explicit(&mck_nspans, atomic_load_explicit(&mck_nspans, memory_order_relaxed) + 1, memory_order_relaxed);
}

void mck_spans_remove(struct mck_span *s) {
  if (!s->is_listed) return;
  struct set *set = &sets[s->is_written];
  if ((*s->at = s->next)) s->next->at = s->at;
  if (!--set->levels[s->level].count) set->used &= ~(1u << s->level);
  s->is_listed = false;
  atomic_store_explicit(&mck_nspans, atomic_load_explicit(&mck_nspans, memory_order_relaxed) - 1, memory_order_relaxed);
}

static inline bool is_met(const struct mck_span *s, uintptr_t low, uintptr_t high) { return s->low < high && low < s->high; }

static struct mck_span *find_on(struct set *set, unsigned level, uintptr_t low, uintptr_t high, mck_spans_judge *judge, void *context) {
  if (low >= set->levels[level].high || high <= set->levels[level].low) return NULL;
  unsigned shift = shift_of(level);
  uint64_t first = low >> shift, n = ((high - 1) >> shift) - first + 1;
  if (first) first--, n++;
  bool is_all = n >= CELLS;
  for (uint64_t i = 0; i < (is_all ? CELLS : n); i++)
    for (struct mck_span *s = is_all ? set->cells[i] : *cell_of(set, level, first + i); s; s = s->next)   // others share the cell's place
      if (is_met(s, low, high) && s->level == level && (is_all || s->low >> shift == first + i) && judge(s, context)) return s;
  return NULL;
}

struct mck_span *mck_spans_find(uintptr_t low, uintptr_t high, bool is_written, mck_spans_judge *judge, void *context) {
  for (int i = 1; i >= !is_written; i--)
    for (unsigned left = sets[i].used; left; left &= left - 1) {
      struct mck_span *found = find_on(&sets[i], (unsigned)__builtin_ctz(left), low, high, judge, context);
      if (found) return found;
    }
  return NULL;
}
