// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Range set: byte ranges that come and go (the buffers of active operations), and the question which of them overlap a
// range. Ranges are sorted by length into levels, and on each level by the cell in which they begin. A cell is as large
// as the longest range of its level. So a range that overlaps another one begins in the cells of that range or in the
// cell before. Adding, removing and asking cost a few cells, however many ranges there are, as long as they are of
// about one length. Ranges that are written and ranges that are only read are kept apart: thousands of sends from one
// buffer are not compared with each other. Callers hold a lock.
//
// A new range waits in a list until something asks for bytes within the hull of all ranges; only then is it put into
// its cell. Mostly nothing does: loops post buffers beside each other, and complete them.
//
// A removed range stays in its cell until the cell is searched, or in the list; or until the same struct is added
// again. Mostly the next round of a loop adds it with the same bytes; then no link changes. So the memory of the struct
// must stay, or the range must be forgotten (mck_range_set_forget).
#pragma once
#include <stdatomic.h>
#include "base/base.h"

struct mck_byte_range {
  uintptr_t low, high;        // the owner may change them while the range is not listed
  bool is_written, is_listed; // is_listed: it is in the set
  uint8_t kind;               // its level, and whether it is written: ranges of one kind are counted together
  bool is_linked;             // it is in a cell, listed or not; false in a new struct
  uint16_t cell;
  bool is_waiting;                   // it is in the list of those that wait, listed or not; false in a new struct
  struct mck_byte_range *next, **at; // the list of its cell
};

// They are atomic: a call asks whether there are any ranges before it takes the lock.
extern _Atomic unsigned mck_range_set_size;
void mck_range_set_add(struct mck_byte_range *range);    // low < high and is_written are set
void mck_range_set_forget(struct mck_byte_range *range); // its memory will be freed
void mck_range_set_forget_hulls(void); // none will be added or asked for: no address of a buffer is kept
enum { MCK_RANGE_SET_LEVELS = 10 };
extern struct mck_range_set {
  unsigned counts[2 * (MCK_RANGE_SET_LEVELS + 1)]; // listed ranges, by kind: 2 * level + is_written; the last level:
                                                   // they wait
  unsigned sizes[2];                               // [1]: written
  struct mck_range_hull {
    uintptr_t low, high;
  } hulls[2]; // of all ranges since there was none
} mck_range_set;
static inline void mck_range_set_uncount(unsigned kind, unsigned n) { // n ranges of this kind are not listed any more
  mck_range_set.counts[kind] -= n, mck_range_set.sizes[kind & 1] -= n;
  atomic_store_explicit(&mck_range_set_size, atomic_load_explicit(&mck_range_set_size, memory_order_relaxed) - n,
                        memory_order_relaxed);
}
static inline void mck_range_set_remove(struct mck_byte_range *s) { // no effect if the range is not listed
  if (s->is_listed) s->is_listed = false, mck_range_set_uncount(s->kind, 1);
}
// Some listed range is written.
static inline bool mck_range_set_has_written(void) { return mck_range_set.sizes[1] != 0; }
static inline bool mck_range_set_is_near(int i, uintptr_t low, uintptr_t high) {
  const struct mck_range_hull *hull = &mck_range_set.hulls[i];
  return mck_range_set.sizes[i] && low < hull->high && hull->low < high;
}
// A first look at what mck_range_set_find would say; false: it finds nothing.
static inline bool mck_range_set_may_meet(uintptr_t low, uintptr_t high, bool is_written) {
  return mck_range_set_is_near(1, low, high) || (is_written && mck_range_set_is_near(0, low, high));
}
// Is this overlap a conflict? false: the search goes on.
typedef bool mck_range_set_judge(const struct mck_byte_range *range, void *context);
// The first range that overlaps [low, high), where one of both is written and judge returns true; NULL: none.
struct mck_byte_range *mck_range_set_find(uintptr_t low, uintptr_t high, bool is_written, mck_range_set_judge *judge,
                                          void *context);
