// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slots of the hash table: adding, growing, freeing (hash-table.h).
#include "base/hash-table.h"
#include <stdlib.h>

static void put(struct mck_slot *slots, uint32_t mask, uint32_t hash, uint32_t next) {
  uint32_t at = hash & mask;
  while (slots[at].next) at = (at + 1) & mask;
  slots[at] = (struct mck_slot){hash, next};
}

bool mck_table_add(struct mck_table *table, uint64_t hash, uint32_t number) {
  if (!table->slots || table->count >= table->mask / 2) {
    uint64_t size = table->slots ? 2 * ((uint64_t)table->mask + 1) : 64;
    if (size > (uint64_t)1 << 31) return false;
    struct mck_slot *slots = calloc(size, sizeof *slots);
    if (!slots) return false;
    for (uint64_t i = 0; table->slots && i <= table->mask; i++)
      if (table->slots[i].next) put(slots, (uint32_t)size - 1, table->slots[i].hash, table->slots[i].next);
    free(table->slots);
    table->slots = slots;
    table->mask = (uint32_t)size - 1;
  }
  put(table->slots, table->mask, (uint32_t)hash, number + 1);
  table->count++;
  return true;
}

void mck_table_free(struct mck_table *table) {
  free(table->slots);
  *table = (struct mck_table){0};
}
