// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "record/strand/clean-page.h"
#include "base/range-set.h"
#include "record/strand/strand-buffer.h"

struct mck_clean_page mck_clean_pages[MCK_CLEAN_PAGES];
_Atomic uint32_t mck_page_uses[MCK_CLEAN_PAGES];

bool mck_strand_access_is_clean(uintptr_t low, uint64_t size) { return mck_access_is_clean(low, size); }

void mck_clean_page_used(uintptr_t low, uintptr_t high) {
  uintptr_t first = low >> MCK_PAGE_SHIFT, last = (high - 1) >> MCK_PAGE_SHIFT;
  if (last - first >= MCK_CLEAN_PAGES) last = first + MCK_CLEAN_PAGES - 1;
  for (uintptr_t p = first; p <= last; p++)
    atomic_fetch_add_explicit(&mck_page_uses[p % MCK_CLEAN_PAGES], 1, memory_order_relaxed);
}

static bool stop(const struct mck_byte_range *range, void *context) {
  (void)range, (void)context;
  return true;
}

static void look(uintptr_t page, const struct mck_strand *self) {
  uintptr_t from = page << MCK_PAGE_SHIFT, to = from + ((uintptr_t)1 << MCK_PAGE_SHIFT);
  uint32_t uses = atomic_load_explicit(&mck_page_uses[page % MCK_CLEAN_PAGES], memory_order_relaxed);
  if (mck_range_set_find(from, to, true, stop, NULL) || !mck_strand_uses_are_before(from, to)) return;
  struct mck_clean_page *clean = mck_clean_page_of(page, self->id);
  atomic_fetch_add_explicit(&clean->changes, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&clean->page, page, memory_order_relaxed);
  atomic_store_explicit(&clean->strand, self->id, memory_order_relaxed);
  atomic_store_explicit(&clean->era, mck_thread_era(), memory_order_relaxed);
  atomic_store_explicit(&clean->uses, uses, memory_order_relaxed);
  atomic_fetch_add_explicit(&clean->changes, 1, memory_order_release);
}

// What the strand has now may be taken back at the begin of a section of a lock, so nothing is noted within one.
void mck_clean_page_look(uintptr_t low, uint64_t size) {
  const struct mck_strand *self = mck_strand_self;
  uintptr_t first = low >> MCK_PAGE_SHIFT, last = (low + size - 1) >> MCK_PAGE_SHIFT;
  if (!self || mck_nwindows || self->nheld || self->is_unsure || last - first >= MCK_CLEAN_RANGE) return;
  for (uintptr_t page = first; page <= last; page++)
    if (!mck_page_is_clean(page, self)) look(page, self);
}
