// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type maps, flattened: blocks are appended in the order of the map, then sorted and merged.
#include "object/type-map.h"

static void add_block(struct mck_flat *f, int64_t offset, uint64_t length) {
  if (!length || f->is_unknown) return;
  if (f->count && offset < f->items[f->count - 1].offset)
    f->is_unordered = true; // the blocks come in the order of the type map
  if (f->count && f->items[f->count - 1].offset + (int64_t)f->items[f->count - 1].length == offset) {
    f->items[f->count - 1].length += length;
    return;
  }
  if (f->count >= (f->most ? f->most : 4 * MCK_TYPE_BLOCKS_MAX) ||
      !MCK_PUSH(f->items, f->count, f->capacity, ((struct mck_block){offset, length})))
    f->is_unknown = true;
}

void mck_flat_add(struct mck_flat *f, const struct mck_type *t, int64_t count, int64_t offset) {
  if (!t || t->nblocks == MCK_NONE) {
    f->is_unknown = true;
    return;
  }
  if (count > 0 && t->nblocks)
    f->is_overlapping |= t->is_overlapping, f->is_unordered |= t->is_unordered || (count > 1 && t->extent < 0),
        f->is_inexact |= t->is_inexact;
  if (t->is_dense) {
    if (count > 0) add_block(f, offset, (uint64_t)(count * t->extent));
    return;
  }
  for (int64_t i = 0; i < count && !f->is_unknown; i++)
    for (uint32_t b = 0; b < t->nblocks; b++)
      add_block(f, offset + i * t->extent + t->blocks[b].offset, t->blocks[b].length);
}

static int by_offset(const void *a, const void *b) {
  int64_t x = ((const struct mck_block *)a)->offset, y = ((const struct mck_block *)b)->offset;
  return (x > y) - (x < y);
}

void mck_flat_merge(struct mck_flat *f) {
  if (!f->count || f->is_unknown) return;
  qsort(f->items, f->count, sizeof *f->items, by_offset);
  size_t n = 0;
  for (size_t i = 1; i < f->count; i++) {
    struct mck_block *last = &f->items[n], *b = &f->items[i];
    int64_t end = last->offset + (int64_t)last->length;
    f->is_overlapping |= b->offset < end;
    if (b->offset <= end) {
      int64_t new_end = b->offset + (int64_t)b->length;
      if (new_end > end) last->length = (uint64_t)(new_end - last->offset);
    } else f->items[++n] = *b;
  }
  f->count = n + 1;
  if (f->count > MCK_TYPE_BLOCKS_MAX) f->is_unknown = true;
}

int64_t mck_type_stride(const struct mck_block *blocks, uint32_t n) {
  int64_t stride = n > 1 ? blocks[1].offset - blocks[0].offset : 0;
  for (uint32_t i = 1; i < n; i++)
    if (blocks[i].length != blocks[0].length || blocks[i].offset - blocks[i - 1].offset != stride) return 0;
  return stride;
}
