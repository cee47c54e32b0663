// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ends of many buffers. These are mostly neighbours of one kind, so what is counted (ranges by kind, marks by
// page) is counted once for a row of them. All calls are made under the lock.
#pragma once
#include "abi.h"
#include "object/object.h"
#include "record/access/touched-range.h"
#include "record/strand/strand-buffer.h"

// Ended, but not counted yet: as many marks of page, and ranges of kind.
struct mck_buffer_release {
  uintptr_t page;
  int pages;
  unsigned kind, ranges;
  bool is_loaded;
};

static inline void mck_buffer_release_flush_page(struct mck_buffer_release *e) {
  if (e->pages) mck_filter_mark_page(e->page, -e->pages, e->is_loaded), e->pages = 0;
}
static inline void mck_buffer_release_flush_ranges(struct mck_buffer_release *e) {
  if (e->ranges) mck_range_set_uncount(e->kind, e->ranges), e->ranges = 0;
}
static inline void mck_buffer_release_flush(struct mck_buffer_release *e) {
  mck_buffer_release_flush_page(e), mck_buffer_release_flush_ranges(e);
}

// false: nothing was done, since the buffer is in the list of a window (mck_buffer_end).
static inline bool mck_buffer_release_add(struct mck_buffer_release *e, struct mck_buffer *b) {
  if (!b->is_active) return true;
  if (MCK_UNLIKELY(b->window != NULL)) return false;
  b->is_active = false;
  if (MCK_UNLIKELY(mck_strand_has_memory || mck_thread_is_parallel)) mck_strand_buffer_end(b);
  if (MCK_LIKELY(b->range.is_listed)) {
    b->range.is_listed = false;
    if (MCK_UNLIKELY(b->range.kind != e->kind)) mck_buffer_release_flush_ranges(e), e->kind = b->range.kind;
    e->ranges++;
  }
  if (!b->is_marked) return true;
  b->is_marked = false;
  if (MCK_UNLIKELY(mck_nwindows)) mck_touched_guard(b->low, b->high, -1);
  uintptr_t page = (uintptr_t)b->low >> MCK_PAGE_SHIFT;
  if (MCK_UNLIKELY(page != ((uintptr_t)b->high - 1) >> MCK_PAGE_SHIFT)) {
    mck_filter_mark_pages((uintptr_t)b->low, (uintptr_t)b->high, -1, b->is_written);
    return true;
  }
  if (MCK_UNLIKELY(page != e->page || b->is_written != e->is_loaded))
    mck_buffer_release_flush_page(e), e->page = page, e->is_loaded = b->is_written;
  e->pages++;
  return true;
}
