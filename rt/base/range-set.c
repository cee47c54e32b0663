// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The levels and cells of the range set (range-set.h).
#include "base/range-set.h"
#include <string.h>

enum {
  LEVELS = MCK_RANGE_SET_LEVELS,
  SHIFT0 = 4,
  STEP = 3,
  CELLS = 4096,
  WAITING = 2048
}; // cells of 16 B, 128 B, ... 256 MiB; longer ranges lie on the last level
// Ranges of a level that are in cells, and their hull. Operations are mostly posted along an array, so the next range
// lies outside of the hull.
struct set {
  struct mck_byte_range *cells[CELLS];
  struct mck_range_hull hulls[LEVELS];
  unsigned used; // a bit for each level that may hold a range
};
static struct set sets[2]; // [1]: written
static struct mck_byte_range *waiting[WAITING];
static unsigned nwaiting;

_Atomic unsigned mck_range_set_size;
struct mck_range_set mck_range_set;

static unsigned shift_of(unsigned level) { return level == LEVELS - 1 ? 63 : SHIFT0 + STEP * level; }

static unsigned level_of(uint64_t length) {
  if (length <= 1u << SHIFT0) return 0;
  unsigned bits = 64 - (unsigned)__builtin_clzll(length - 1), level = (bits - SHIFT0 + STEP - 1) / STEP;
  return level < LEVELS ? level : LEVELS - 1;
}

static unsigned cell_of(unsigned level, uint64_t number) {
  return (unsigned)(((number + level) * 0x9e3779b97f4a7c15u) >> 52);
}

static inline unsigned kind_of(unsigned level, bool is_written) { return 2 * level + is_written; }

static inline void widen(struct mck_range_hull *hull, const struct mck_byte_range *s, bool is_first) {
  if (is_first || s->low < hull->low) hull->low = s->low;
  if (is_first || s->high > hull->high) hull->high = s->high;
}

static void unlink_range(struct mck_byte_range *s) {
  if ((*s->at = s->next)) s->next->at = s->at;
  s->is_linked = false;
}

// The range is listed, and is in its cell from now on.
static void link_range(struct mck_byte_range *s) {
  struct set *set = &sets[s->is_written];
  unsigned level = level_of(s->high - s->low), cell = cell_of(level, s->low >> shift_of(level)),
           place = cell | (s->is_written ? CELLS : 0);
  if (!s->is_linked || s->cell != place) {
    if (s->is_linked) unlink_range(s);
    struct mck_byte_range **head = &set->cells[cell];
    if ((s->next = *head)) s->next->at = &s->next;
    *head = s, s->at = head, s->cell = (uint16_t)place, s->is_linked = true;
  }
  s->kind = (uint8_t)kind_of(level, s->is_written);
  widen(&set->hulls[level], s, !mck_range_set.counts[s->kind]++);
  set->used |= 1u << level;
}

static __attribute__((noinline)) void settle(void) {
  for (unsigned i = 0; i < nwaiting; i++) {
    struct mck_byte_range *s = waiting[i];
    s->is_waiting = false;
    if (s->is_listed) mck_range_set.counts[s->kind]--, link_range(s);
  }
  nwaiting = 0;
}

MCK_HOT void mck_range_set_add(struct mck_byte_range *s) {
  unsigned i = s->is_written;
  widen(&mck_range_set.hulls[i], s, !mck_range_set.sizes[i]++);
  s->is_listed = true;
  atomic_store_explicit(&mck_range_set_size, atomic_load_explicit(&mck_range_set_size, memory_order_relaxed) + 1,
                        memory_order_relaxed);
  if (MCK_UNLIKELY(s->is_linked)) { // it was searched for last time, and will be again
    link_range(s);
    return;
  }
  s->kind = (uint8_t)kind_of(LEVELS, i);
  mck_range_set.counts[s->kind]++;
  if (MCK_LIKELY(s->is_waiting)) return;
  waiting[nwaiting++] = s, s->is_waiting = true;
  if (MCK_UNLIKELY(nwaiting == WAITING)) settle();
}

void mck_range_set_forget(struct mck_byte_range *s) {
  mck_range_set_remove(s);
  if (s->is_linked) unlink_range(s);
  for (unsigned i = 0; s->is_waiting && i < nwaiting; i++)
    if (waiting[i] == s) waiting[i] = waiting[--nwaiting], s->is_waiting = false;
}

void mck_range_set_forget_hulls(void) {
  for (int i = 0; i < 2; i++) {
    mck_range_set.hulls[i] = (struct mck_range_hull){0};
    memset(sets[i].hulls, 0, sizeof sets[i].hulls);
  }
}

static inline bool is_met(const struct mck_byte_range *s, uintptr_t low, uintptr_t high) {
  return s->low < high && low < s->high;
}

static struct mck_byte_range *find_on(struct set *set, unsigned level, uintptr_t low, uintptr_t high,
                                      mck_range_set_judge *judge, void *context) {
  if (low >= set->hulls[level].high || high <= set->hulls[level].low) return NULL;
  unsigned shift = shift_of(level);
  uint64_t first = low >> shift, n = ((high - 1) >> shift) - first + 1;
  if (first) first--, n++;
  bool is_all = n >= CELLS;
  for (uint64_t i = 0; i < (is_all ? CELLS : n); i++)
    for (struct mck_byte_range *s = set->cells[is_all ? i : cell_of(level, first + i)], *next; s;
         s = next) { // other cells share the place in the table
      next = s->next;
      if (!s->is_listed) unlink_range(s);
      else if (is_met(s, low, high) && s->kind >> 1 == level && (is_all || s->low >> shift == first + i) &&
               judge(s, context))
        return s;
    }
  return NULL;
}

struct mck_byte_range *mck_range_set_find(uintptr_t low, uintptr_t high, bool is_written, mck_range_set_judge *judge,
                                          void *context) {
  if (!mck_range_set_may_meet(low, high, is_written)) return NULL;
  if (nwaiting) settle();
  for (int i = 1; i >= !is_written; i--)
    for (unsigned left = sets[i].used; left; left &= left - 1) {
      unsigned level = (unsigned)__builtin_ctz(left);
      if (!mck_range_set.counts[kind_of(level, i)]) {
        sets[i].used &= ~(1u << level);
        continue;
      }
      struct mck_byte_range *found = find_on(&sets[i], level, low, high, judge, context);
      if (found) return found;
    }
  return NULL;
}
