// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Byte maps of buffers (buffer-map.h). The pieces of both sides are looked at near the first byte that they share.
#include "record/buffer/buffer-map.h"
#include <stdio.h>
#include "record/call/call.h"

enum { STEPS_MAX = 1 << 14 };

// A side as pieces by number: block i of element k is piece k * nblocks + i.
static int64_t count_of(const struct mck_map_side *s) {
  if (!s->bytes) return (int64_t)s->pieces->count;
  return s->bytes->type ? s->bytes->count * (int64_t)s->bytes->type->nblocks : 1;
}

static void piece_of(const struct mck_map_side *s, int64_t number, const char **low, const char **high) {
  const struct mck_bytes *b = s->bytes;
  if (!b) {
    *low = s->pieces->low + (uint64_t)number * s->pieces->stride, *high = *low + s->pieces->size;
    return;
  }
  *low = b->low, *high = b->high;
  if (!b->type) return;
  const struct mck_block *block = &b->type->blocks[number % b->type->nblocks];
  *low = b->address + number / b->type->nblocks * b->type->extent + block->offset;
  *high = *low + block->length;
}

static const char *low_of(const struct mck_map_side *s) { return s->bytes ? s->bytes->low : s->pieces->low; }

// The number of a piece near an address, before it.
static int64_t number_at(const struct mck_map_side *s, const char *address) {
  const struct mck_bytes *b = s->bytes;
  int64_t behind = address - low_of(s);
  if (behind <= 0) return 0;
  if (!b) return behind / (int64_t)s->pieces->stride;
  if (!b->type || b->type->extent <= 0) return 0;
  int64_t element = behind / b->type->extent;
  return (element < b->count ? element : b->count - 1) * (int64_t)b->type->nblocks;
}

static bool touches(const struct mck_map_side *s, const char *low, const char *high) {
  if (s->bytes) return mck_bytes_touch_range(s->bytes, low, high);
  const struct mck_pieces *p = s->pieces;
  for (int64_t k = number_at(s, low); k < (int64_t)p->count; k++) {
    const char *begin = p->low + (uint64_t)k * p->stride;
    if (begin >= high) return false;
    if (begin + p->size > low) return true;
  }
  return false;
}

static const char *find_shared(const struct mck_map_side *a, const struct mck_map_side *b) {
  int64_t first = number_at(a, low_of(b)), end = count_of(a);
  for (int64_t n = first; n < end && n < first + STEPS_MAX; n++) {
    const char *low, *high;
    piece_of(a, n, &low, &high);
    if (touches(b, low, high)) return low > low_of(b) ? low : low_of(b);
  }
  return NULL;
}

static void add(struct mck_byte_map *map, unsigned use, const struct mck_map_side *s, const char *shared,
                const char *base) {
  int64_t n = count_of(s), at = number_at(s, shared), from = at - STEPS_MAX / 2, to = at + STEPS_MAX;
  for (int64_t k = from < 0 ? 0 : from; k < n && k < to; k++) {
    const char *low, *high;
    piece_of(s, k, &low, &high);
    mck_map_add(map, use, low - base, high - base);
  }
  if (map && (from > 0 || to < n)) map->uses[use].is_cut = true;
}

void mck_buffer_map_bytes(struct mck_finding *f, const char *memory, const char *base, struct mck_map_side first,
                          struct mck_map_side second) {
  bool is_known = f && (!first.bytes || first.bytes->is_known) && (!second.bytes || second.bytes->is_known);
  const char *shared = is_known ? find_shared(&first, &second) : NULL;
  if (!shared) return;
  struct mck_byte_map *map = mck_map_begin(f, 0, shared - base, "%s", memory);
  add(map, 0, &first, shared, base);
  add(map, 1, &second, shared, base);
}

void mck_buffer_map_add(struct mck_finding *f, const struct mck_buffer *b, struct mck_map_side first,
                        struct mck_map_side second) {
  char memory[128];
  snprintf(memory, sizeof memory, b->is_target ? "part of the own window that %s uses" : "buffer of %s",
           mck_fn_names[b->fn]);
  mck_buffer_map_bytes(f, memory, b->address ? b->address : b->low, first, second);
}
