// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access intervals: what was done to the bytes of one process, as intervals that do not overlap, each with a list that
// the caller keeps. The cost is that of the bytes that are touched, not of the memory that is there. It is a treap,
// since accesses come in any order.
#pragma once
#include "base/hash-table.h"
#include "log/event.h"

struct mck_interval {
  uint64_t low, high;
  uint32_t left, right, weight;
  uint32_t list; // the caller's, MCK_NONE: empty
};
struct mck_intervals {
  struct mck_interval *nodes;
  size_t count, capacity;
  uint32_t root; // + 1; 0: empty
  uint32_t random;
  struct mck_table begins; // by low: most accesses are to bytes that were touched before
};
struct mck_interval_sink {
  void *context;
  // Copies the list of an interval that is cut in two.
  uint32_t (*copy)(void *context, uint32_t list);
  // Returns the list that the interval has from now on.
  uint32_t (*visit)(void *context, uint32_t list, uint64_t low, uint64_t high);
};
// Visits all of [low, high), as intervals that end there. false: out of memory.
bool mck_intervals_visit(struct mck_intervals *intervals, uint64_t low, uint64_t high,
                         const struct mck_interval_sink *sink);
void mck_intervals_free(struct mck_intervals *intervals);
