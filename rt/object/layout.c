// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of layouts by the hash of their pieces (layout.h).
#include "object/layout.h"

// Loops use the same counts again and again. The table has room for some calls; layouts that are new each time replace
// each other.
enum { LAYOUTS = 64 };
static struct {
  uint64_t key;
  struct mck_type type;
} layouts[LAYOUTS];
static unsigned next;

const struct mck_type *mck_layout_find(uint64_t key) {
  for (unsigned i = 0; i < LAYOUTS; i++)
    if (layouts[i].key == key && layouts[i].type.nblocks) return &layouts[i].type;
  return NULL;
}

const struct mck_type *mck_layout_keep(uint64_t key, struct mck_flat *flat) {
  mck_flat_merge(flat);
  if (flat->is_unknown || !flat->count) return NULL;
  layouts[next].key = key;
  struct mck_type *t = &layouts[next].type;
  next = (next + 1) % LAYOUTS;
  free(t->blocks);
  const struct mck_block *first = &flat->items[0], *last = &flat->items[flat->count - 1];
  *t = (struct mck_type){.generation = t->generation + 1,
                         .blocks = flat->items,
                         .nblocks = (uint32_t)flat->count,
                         .low = first->offset,
                         .high = last->offset + (int64_t)last->length};
  t->extent = t->high - t->low;
  flat->items = NULL, flat->count = flat->capacity = 0;
  return t;
}
