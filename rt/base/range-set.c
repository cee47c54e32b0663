// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The levels and cells of the range set (range-set.h).
#include "base/range-set.h"

enum {
  LEVELS = MCK_RANGE_SET_LEVELS,
  SHIFT0 = 4,
  STEP = 3,
  CELLS = 4096
}; // cells of 16 B, 128 B, ... 256 MiB; longer ranges lie on the last level
// The hull of all ranges of the level, while there are any. Operations are mostly posted along an array, so the next
// range lies outside of the hull.
struct hull {
  uintptr_t low, high;
};
struct set {
  struct mck_byte_range *cells[CELLS];
  struct hull hulls[LEVELS];
  unsigned used;
}; // used: a bit for each level that may hold a range
static struct set sets[2]; // [1]: written

_Atomic unsigned mck_range_set_size;
unsigned mck_range_set_counts[2 * LEVELS];

static unsigned shift_of(unsigned level) { return level == LEVELS - 1 ? 63 : SHIFT0 + STEP * level; }

static unsigned level_of(uint64_t length) {
  if (length <= 1u << SHIFT0) return 0;
  unsigned bits = 64 - (unsigned)__builtin_clzll(length - 1), level = (bits - SHIFT0 + STEP - 1) / STEP;
  return level < LEVELS ? level : LEVELS - 1;
}

static unsigned cell_of(unsigned level, uint64_t number) {
  return (unsigned)(((number + level) * 0x9e3779b97f4a7c15u) >> 52);
}

static void unlink_range(struct mck_byte_range *s) {
  if ((*s->at = s->next)) s->next->at = s->at;
  s->is_linked = false;
}

void mck_range_set_add(struct mck_byte_range *s) {
  struct set *set = &sets[s->is_written];
  unsigned level = level_of(s->high - s->low), kind = level + (s->is_written ? LEVELS : 0);
  struct hull *hull = &set->hulls[level];
  unsigned cell = cell_of(level, s->low >> shift_of(level)), place = cell | (s->is_written ? CELLS : 0);
  s->kind = (uint8_t)kind;
  if (!s->is_linked || s->cell != place) {
    if (s->is_linked) unlink_range(s);
    struct mck_byte_range **head = &set->cells[cell];
    if ((s->next = *head)) s->next->at = &s->next;
    *head = s, s->at = head, s->cell = (uint16_t)place, s->is_linked = true;
  }
  if (!mck_range_set_counts[kind]++) *hull = (struct hull){s->low, s->high}, set->used |= 1u << level;
  if (s->low < hull->low) hull->low = s->low;
  if (s->high > hull->high) hull->high = s->high;
  s->is_listed = true;
  atomic_store_explicit(&mck_range_set_size, atomic_load_explicit(&mck_range_set_size, memory_order_relaxed) + 1,
                        memory_order_relaxed);
}

void mck_range_set_forget(struct mck_byte_range *s) {
  mck_range_set_remove(s);
  if (s->is_linked) unlink_range(s);
}

bool mck_range_set_has_written(void) {
  for (unsigned left = sets[1].used; left; left &= left - 1) {
    unsigned level = (unsigned)__builtin_ctz(left);
    if (mck_range_set_counts[LEVELS + level]) return true;
    sets[1].used &= ~(1u << level);
  }
  return false;
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
      else if (is_met(s, low, high) && s->kind % LEVELS == level && (is_all || s->low >> shift == first + i) &&
               judge(s, context))
        return s;
    }
  return NULL;
}

struct mck_byte_range *mck_range_set_find(uintptr_t low, uintptr_t high, bool is_written, mck_range_set_judge *judge,
                                          void *context) {
  for (int i = 1; i >= !is_written; i--)
    for (unsigned left = sets[i].used; left; left &= left - 1) {
      unsigned level = (unsigned)__builtin_ctz(left);
      if (!mck_range_set_counts[i * LEVELS + (int)level]) {
        sets[i].used &= ~(1u << level);
        continue;
      }
      struct mck_byte_range *found = find_on(&sets[i], level, low, high, judge, context);
      if (found) return found;
    }
  return NULL;
}
