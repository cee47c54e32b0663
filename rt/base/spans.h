// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set of byte ranges that come and go, asked for those that a range meets: the buffers of active operations. Ranges are sorted by length into
// levels, and on each level by the cell (as large as the longest range of the level) in which they begin, so whatever meets a range begins in its
// own cells or in the one before. Adding, removing and asking cost a few cells, however many ranges there are, as long as they are of about one length. What is written and what
// is only read are kept apart: thousands of sends from one buffer do not meet each other. Callers hold a lock.
#pragma once
#include "base/base.h"

struct mck_span {
  uintptr_t low, high;
  bool is_written, is_listed;
  uint8_t level;
  struct mck_span *next, **at;   // in its cell
};

// Atomic: a call asks whether there are any before it takes the lock.
extern _Atomic unsigned mck_nspans;
void mck_spans_add(struct mck_span *span);      // low < high and is_written are set
void mck_spans_remove(struct mck_span *span);   // nothing if it is not listed
// Is the meeting of the two a conflict indeed? false: look on.
typedef bool mck_spans_judge(const struct mck_span *span, void *context);
// The first range that meets [low, high) where one of both is written, and of which judge says so; NULL: none.
struct mck_span *mck_spans_find(uintptr_t low, uintptr_t high, bool is_written, mck_spans_judge *judge, void *context);
