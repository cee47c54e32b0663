// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cover: what was done to the bytes of one process, as intervals that do not overlap, each with a list that the caller
// keeps. Costs what is touched, not what is there: a treap, since accesses come in any order.
#pragma once
#include "base/hash-table.h"
#include "log/event.h"

struct mck_cover_node {
  uint64_t low, high;
  uint32_t left, right, weight, list;
}; // list: the caller's, MCK_NONE: empty
struct mck_cover {
  struct mck_cover_node *nodes;
  size_t count, capacity;
  uint32_t root; // + 1; 0: empty
  uint32_t random;
  struct mck_table begins; // by low: most accesses are to where one was before
};
struct mck_cover_sink {
  void *context;
  uint32_t (*copy)(void *context, uint32_t list); // of an interval that is cut in two
  uint32_t (*visit)(void *context, uint32_t list, uint64_t low,
                    uint64_t high); // gives the list that it has from now on
};
// Visits all of [low, high), as intervals that end there. false: out of memory.
bool mck_cover_visit(struct mck_cover *cover, uint64_t low, uint64_t high, const struct mck_cover_sink *sink);
void mck_cover_free(struct mck_cover *cover);
