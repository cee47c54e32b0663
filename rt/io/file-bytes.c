// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lays bytes through the holes of a view (file-bytes.h). The numbers may come from a damaged log.
#include "io/file-bytes.h"

bool mck_file_view_make(struct mck_file_view *view, uint64_t disp, const struct mck_type_def *type) {
  *view = (struct mck_file_view){.disp = disp};
  if (!type) return true;
  if (!type->body || type->nblocks == MCK_NONE || !type->nblocks || !type->blocks) return false;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < type->nblocks; i++)
    if (type->blocks[i].offset < 0 || __builtin_add_overflow(sum, type->blocks[i].length, &sum)) return false;
  if (type->body->extent <= 0 || !sum || type->body->size != sum) return false;
  view->blocks = type->blocks, view->n = type->nblocks;
  view->size = sum, view->extent = (uint64_t)type->body->extent;
  return true;
}

static bool is_far(uint64_t copies, const struct mck_file_view *view, uint64_t *end) {
  const struct mck_block *last = &view->blocks[view->n - 1];
  return __builtin_mul_overflow(copies, view->extent, end) || __builtin_add_overflow(*end, view->disp, end) ||
         __builtin_add_overflow(*end, (uint64_t)last->offset, end) || __builtin_add_overflow(*end, last->length, end) ||
         *end > INT64_MAX;
}

bool mck_file_bytes(const struct mck_file_view *view, uint64_t offset, uint64_t size, uint64_t max,
                    mck_file_visit *visit, void *context) {
  uint64_t end, low;
  if (!size) return true;
  if (__builtin_add_overflow(offset, size, &end)) return false;
  if (!view->n) {
    if (__builtin_add_overflow(view->disp, end, &end) || end > INT64_MAX) return false;
    return visit(context, view->disp + offset, end);
  }
  uint64_t copy = offset / view->size, skipped = offset % view->size, copies = (end - 1) / view->size - copy + 1;
  if (copies > max / view->n || is_far((end - 1) / view->size, view, &low)) return false;
  uint64_t kept_low = 0, kept_high = 0; // a piece that may go on
  for (; size; copy++)
    for (uint32_t i = 0; i < view->n && size; i++) {
      uint64_t length = view->blocks[i].length;
      if (skipped >= length) {
        skipped -= length;
        continue;
      }
      low = view->disp + copy * view->extent + (uint64_t)view->blocks[i].offset + skipped;
      length -= skipped, skipped = 0;
      if (length > size) length = size;
      size -= length;
      if (low != kept_high || kept_low == kept_high) {
        if (kept_low < kept_high && !visit(context, kept_low, kept_high)) return false;
        kept_low = low;
      }
      kept_high = low + length;
    }
  return visit(context, kept_low, kept_high);
}
