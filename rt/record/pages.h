// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page filter that instrumented code reads (abi.h): pages are counted, so that marking and unmarking nest. Callers hold the lock.
#pragma once
#include "abi.h"
#include "record/runtime.h"

extern uint8_t mck_pages_filter[MCK_PAGES_BYTES];
extern uint32_t mck_pages_marks[MCK_PAGES];
void mck_pages_mark_range(const char *low, const char *high, int by);   // access.c

static inline void mck_page_mark(unsigned i, unsigned by) {
  uint32_t before = mck_pages_marks[i], after = before + by;
  mck_pages_marks[i] = after;
  if (MCK_LIKELY(before && after)) return;   // the filter is right
  uint8_t bit = (uint8_t)(1u << (i & 7));
  if (after) mck_pages_filter[i >> 3] |= bit;
  else mck_pages_filter[i >> 3] &= (uint8_t)~bit;
}

// Most buffers lie in one page.
static inline bool mck_pages_is_one(const struct mck_buffer *b) { return !(((uintptr_t)b->low ^ ((uintptr_t)b->high - 1)) >> MCK_PAGE_SHIFT); }
static inline unsigned mck_page_of(const struct mck_buffer *b) { return (uintptr_t)b->low >> MCK_PAGE_SHIFT & (MCK_PAGES - 1); }
static inline void mck_pages_mark(const struct mck_buffer *b, int by) {
  if (MCK_LIKELY(mck_pages_is_one(b))) mck_page_mark(mck_page_of(b), (unsigned)by);
  else mck_pages_mark_range(b->low, b->high, by);
}

// The ends of many buffers, which are mostly neighbours of one kind: what is counted is counted once for a row of them.
struct mck_ending { unsigned page, pages, kind, spans; };
static inline void mck_ending_flush_page(struct mck_ending *e) {
  if (e->pages) mck_page_mark(e->page, -e->pages), e->pages = 0;
}
static inline void mck_ending_flush_spans(struct mck_ending *e) {
  if (e->spans) mck_spans_uncount(e->kind, e->spans), e->spans = 0;
}
static inline void mck_ending_flush(struct mck_ending *e) { mck_ending_flush_page(e), mck_ending_flush_spans(e); }
// false: nothing was done, it is listed by page (mck_buffer_end).
static inline bool mck_ending_add(struct mck_ending *e, struct mck_buffer *b) {
  if (!b->is_active) return true;
  if (MCK_UNLIKELY(b->is_marked && b->at)) return false;
  b->is_active = false;
  if (MCK_LIKELY(b->span.is_listed)) {
    b->span.is_listed = false;
    if (MCK_UNLIKELY(b->span.kind != e->kind)) mck_ending_flush_spans(e), e->kind = b->span.kind;
    e->spans++;
  }
  if (!b->is_marked) return true;
  b->is_marked = false;
  if (MCK_UNLIKELY(!mck_pages_is_one(b))) return mck_pages_mark_range(b->low, b->high, -1), true;
  unsigned page = mck_page_of(b);
  if (MCK_UNLIKELY(page != e->page)) mck_ending_flush_page(e), e->page = page;
  e->pages++;
  return true;
}
