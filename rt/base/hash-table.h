// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hash table: open addressing from a hash to a number. The caller compares the items that the numbers stand for. A slot
// has eight bytes, and an item needs no allocation: the judge makes a look-up for each event of a log.
//
//   uint32_t at, id;
//   MCK_TABLE_EACH(&table, hash, at, id) if (items[id] is it) return id;
//   mck_table_add(&table, hash, id);
#pragma once
#include "base/base.h"

struct mck_slot {
  uint32_t hash, next;
}; // next: number + 1; 0: free
struct mck_table {
  struct mck_slot *slots;
  uint32_t mask, count;
};

#define MCK_TABLE_EACH(t, h, at, id)                                                                                   \
  for ((at) = (uint32_t)(h) & (t)->mask; (t)->slots && (t)->slots[at].next && ((id) = (t)->slots[at].next - 1, true);  \
       (at) = ((at) + 1) & (t)->mask)                                                                                  \
    if ((t)->slots[at].hash == (uint32_t)(h))

// Returns false when out of memory; then nothing has changed.
bool mck_table_add(struct mck_table *table, uint64_t hash, uint32_t number);
void mck_table_free(struct mck_table *table);

// Mixes words. It is cheap, and good enough to use the low bits as they are.
static inline uint64_t mck_table_mix(uint64_t a, uint64_t b) {
  uint64_t h = (a ^ (b + 0x9e3779b97f4a7c15u)) * 0xd6e8feb86659fd93u;
  return h ^ (h >> 32);
}
