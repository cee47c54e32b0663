// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes that two buffers have in common, through their type maps (MPI-3.1 4.1). The maps of two halos or columns of one
// array interleave, so that their hulls overlap in every iteration: what was found to be disjoint is remembered.
#include "record/buffer/byte-overlap.h"
#include "record/access/touched-range.h"

enum { STEPS_MAX = 1 << 16 };

// Elements of b that may overlap [low, high).
static void elements(const struct mck_bytes *b, const char *low, const char *high, int64_t *first, int64_t *last) {
  const struct mck_type *t = b->type;
  int64_t from = low - b->address - t->high, to = high - b->address - t->low;
  *first = from < 0 ? 0 : from / t->extent;
  *last = to < 0 ? -1 : to / t->extent;
  if (*last >= b->count) *last = b->count - 1;
}

// Copies on top of each other, or backwards, are not worth being exact.
static bool is_plain(const struct mck_bytes *b) {
  return b->is_known && (!b->type || (b->type->extent > 0 && b->type->nblocks));
}

bool mck_bytes_touch_range(const struct mck_bytes *b, const char *low, const char *high) {
  if (low >= b->high || high <= b->low || !is_plain(b)) return false;
  if (!b->type) return true;
  const struct mck_type *t = b->type;
  int64_t first, last;
  elements(b, low, high, &first, &last);
  for (int64_t k = first; k <= last; k++) {
    int64_t from = low - b->address - k * t->extent, to = high - b->address - k * t->extent;
    uint32_t i = 0, n = t->nblocks;
    while (i < n) { // the first block that ends behind from
      uint32_t middle = (i + n) / 2;
      if (t->blocks[middle].offset + (int64_t)t->blocks[middle].length > from) n = middle;
      else i = middle + 1;
    }
    if (i < t->nblocks && t->blocks[i].offset < to) return true;
  }
  return false;
}

// Pieces outside of the hull are left out.
bool mck_bytes_touch_pieces(const struct mck_bytes *b, const struct mck_pieces *a) {
  if (a->count == 1) return mck_bytes_touch_range(b, a->low, a->high);
  int64_t below = b->low - (a->low + a->size), above = b->high - a->low;
  if (above <= 0) return false;
  uint64_t k = below < 0 ? 0 : (uint64_t)below / a->stride, end = ((uint64_t)above - 1) / a->stride + 1;
  if (end > a->count) end = a->count;
  for (const char *low = a->low + k * a->stride; k < end; k++, low += a->stride)
    if (mck_bytes_touch_range(b, low, low + a->size)) return true;
  return false;
}

// The bytes lie in pieces of one length, a stride apart. is_piece: there is only one piece, or no gap.
struct comb {
  int64_t stride, length;
  uintptr_t low;
  bool is_piece;
};
static bool comb_of(const struct mck_bytes *b, struct comb *c) {
  const struct mck_type *t = b->type;
  c->low = (uintptr_t)b->low;
  c->is_piece = !t || (t->nblocks == 1 && b->count == 1);
  c->stride = 0, c->length = b->high - b->low;
  if (c->is_piece) return true;
  c->stride = t->nblocks == 1 ? t->extent : t->stride;
  c->length = (int64_t)t->blocks[0].length;
  return c->stride > 0 && (b->count == 1 || t->extent % c->stride == 0);
}

// Columns of one matrix: they are disjoint if they are so in one row.
static bool are_disjoint_combs(const struct mck_bytes *a, const struct mck_bytes *b) {
  struct comb x, y;
  if (!comb_of(a, &x) || !comb_of(b, &y) || (x.is_piece && y.is_piece)) return false;
  int64_t stride = x.is_piece ? y.stride : x.stride;
  if (!(x.is_piece || x.stride == stride) || !(y.is_piece || y.stride == stride)) return false;
  uint64_t behind = (y.low - x.low) % (uint64_t)stride;
  if (y.low < x.low) behind = ((uint64_t)stride - (x.low - y.low) % (uint64_t)stride) % (uint64_t)stride;
  return behind >= (uint64_t)x.length && (uint64_t)stride - behind >= (uint64_t)y.length;
}

// Both are one element: their blocks are sorted.
static bool merge(const struct mck_bytes *a, const struct mck_bytes *b) {
  const struct mck_block *x = a->type->blocks, *x_end = x + a->type->nblocks, *y = b->type->blocks,
                         *y_end = y + b->type->nblocks;
  int64_t by = b->address - a->address;
  while (x < x_end && y < y_end) {
    int64_t x_low = x->offset, y_low = y->offset + by;
    if (x_low + (int64_t)x->length <= y_low) x++;
    else if (y_low + (int64_t)y->length <= x_low) y++;
    else return true;
  }
  return false;
}

static bool overlap(const struct mck_bytes *a, const struct mck_bytes *b) {
  if (!a->type) return mck_bytes_touch_range(b, a->low, a->high);
  if (!b->type) return mck_bytes_touch_range(a, b->low, b->high);
  if (a->count == 1 && b->count == 1) return merge(a, b);
  int64_t first, last, steps = 0;
  elements(a, b->low, b->high, &first, &last);
  for (int64_t k = first; k <= last; k++)
    for (uint32_t i = 0; i < a->type->nblocks; i++) {
      if (++steps > STEPS_MAX) return false;
      const char *low = a->address + k * a->type->extent + a->type->blocks[i].offset;
      if (mck_bytes_touch_range(b, low, low + a->type->blocks[i].length)) return true;
    }
  return false;
}

bool mck_bytes_overlap(const struct mck_bytes *a, const struct mck_bytes *b) {
  enum { REMEMBERED = 4096 };
  static uint64_t disjoint[REMEMBERED];
  if (a->low >= b->high || b->low >= a->high || !is_plain(a) || !is_plain(b)) return false;
  if (!a->type && !b->type) return true;
  if (are_disjoint_combs(a, b)) return false;
  uint64_t words[] = {(uintptr_t)a->address,
                      (uint64_t)a->count,
                      (uintptr_t)a->type,
                      a->type ? a->type->generation : 0,
                      (uintptr_t)a->high,
                      (uintptr_t)b->address,
                      (uint64_t)b->count,
                      (uintptr_t)b->type,
                      b->type ? b->type->generation : 0,
                      (uintptr_t)b->high};
  uint64_t hash = mck_base_hash(words, sizeof words, 7) | 1;
  uint64_t *slot = &disjoint[hash >> 32 & (REMEMBERED - 1)];
  if (*slot == hash) return false;
  if (overlap(a, b)) return true;
  *slot = hash;
  return false;
}
