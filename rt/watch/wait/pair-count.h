// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pair counts: numbers by a key of three words, for calls between pairs of ranks. Private to the room watch.
#pragma once
#include "base/base.h"

struct mck_tally_entry {
  uint64_t a, b, c;
  uint64_t n;
  bool is_used;
};
struct mck_tally {
  struct mck_tally_entry *entries;
  size_t count, capacity;
};
// The number of this key, 0 when new; NULL: out of memory.
uint64_t *mck_tally_at(struct mck_tally *tally, uint64_t a, uint64_t b, uint64_t c);
uint64_t mck_tally_get(const struct mck_tally *tally, uint64_t a, uint64_t b, uint64_t c);
void mck_tally_free(struct mck_tally *tally);
