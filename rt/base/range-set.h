// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set of byte ranges that come and go, asked for those that a range meets: the buffers of active operations. Ranges
// are sorted by length into levels, and on each level by the cell (as large as the longest range of the level) in which
// they begin, so whatever meets a range begins in its own cells or in the one before. Adding, removing and asking cost
// a few cells, however many ranges there are, as long as they are of about one length. What is written and what is only
// read are kept apart: thousands of sends from one buffer do not meet each other. Callers hold a lock.
//
// A range that is removed stays in its cell until that is searched, or until the same struct is added again: mostly
// with the same bytes, by the next round of a loop, and then nothing is linked anew. So its memory must stay, or be
// forgotten (mck_spans_forget).
#pragma once
#include <stdatomic.h>
#include "base/base.h"

struct mck_span {
  uintptr_t low, high;        // the owner may change them while it is not listed
  bool is_written, is_listed; // is_listed: in the set
  uint8_t kind;               // level, and whether it is written: what is counted together
  bool is_linked;             // in a cell, listed or not; false in a new one
  uint16_t cell;
  struct mck_span *next, **at; // in its cell
};

// Atomic: a call asks whether there are any before it takes the lock.
extern _Atomic unsigned mck_nspans;
void mck_spans_add(struct mck_span *span);    // low < high and is_written are set
void mck_spans_forget(struct mck_span *span); // its memory goes
enum { MCK_SPANS_LEVELS = 10 };
extern unsigned mck_spans_counts[2 * MCK_SPANS_LEVELS];           // listed, by kind
static inline void mck_spans_uncount(unsigned kind, unsigned n) { // n of this kind are not listed any more
  mck_spans_counts[kind] -= n;
  atomic_store_explicit(&mck_nspans, atomic_load_explicit(&mck_nspans, memory_order_relaxed) - n, memory_order_relaxed);
}
static inline void mck_spans_remove(struct mck_span *s) { // nothing if it is not listed
  if (s->is_listed) s->is_listed = false, mck_spans_uncount(s->kind, 1);
}
// Is the meeting of the two a conflict indeed? false: look on.
typedef bool mck_spans_judge(const struct mck_span *span, void *context);
// The first range that meets [low, high) where one of both is written, and of which judge says so; NULL: none.
struct mck_span *mck_spans_find(uintptr_t low, uintptr_t high, bool is_written, mck_spans_judge *judge, void *context);
