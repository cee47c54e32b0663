// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages of which nothing is to be looked at again. The pages of past operations stay marked until the era ends
// (strand-buffer.h), and a program may compute on them for long. Once a strand is ordered behind all that is kept of
// a page, all that it does there later is so, too: clocks only grow. So it is looked at again only when an operation
// has used the page since, or for a sample. What such accesses leave out: they are not kept, so a later post in
// another strand is not compared with them (docs/design/threads.md).
#pragma once
#include <stdatomic.h>
#include "record/access/access-sample.h"
#include "record/access/touched-range.h"
#include "record/runtime.h"
#include "thread/thread-core.h"
#include "abi.h"

struct mck_clean_page {     // written under the lock, read without it
  _Atomic uint32_t changes; // odd: it is being written
  _Atomic uint32_t strand, era, uses;
  _Atomic uintptr_t page;
};
enum { MCK_CLEAN_PAGES = 4096, MCK_CLEAN_RANGE = 16 }; // range: the pages of an access
extern struct mck_clean_page mck_clean_pages[MCK_CLEAN_PAGES];
// How often a use of such a page has begun or ended (pages that are MCK_CLEAN_PAGES apart count together).
extern _Atomic uint32_t mck_page_uses[MCK_CLEAN_PAGES];

static inline struct mck_clean_page *mck_clean_page_of(uintptr_t page, uint32_t strand) {
  return &mck_clean_pages[(page ^ (uintptr_t)strand * 0x9e3779b1u) % MCK_CLEAN_PAGES];
}

static inline bool mck_page_is_clean(uintptr_t page, const struct mck_strand *self) {
  struct mck_clean_page *clean = mck_clean_page_of(page, self->id);
  uint32_t changes = atomic_load_explicit(&clean->changes, memory_order_acquire);
  bool is_it = atomic_load_explicit(&clean->page, memory_order_relaxed) == page &&
               atomic_load_explicit(&clean->strand, memory_order_relaxed) == self->id &&
               atomic_load_explicit(&clean->era, memory_order_relaxed) ==
                   atomic_load_explicit(&mck_strand_era, memory_order_relaxed) &&
               atomic_load_explicit(&clean->uses, memory_order_relaxed) ==
                   atomic_load_explicit(&mck_page_uses[page % MCK_CLEAN_PAGES], memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  return is_it && !(changes & 1) && changes == atomic_load_explicit(&clean->changes, memory_order_relaxed);
}

// Without the lock. Over windows each access counts.
static inline bool mck_access_is_clean(uintptr_t low, uint64_t size) {
  const struct mck_strand *self = mck_strand_self;
  if (!self || mck_nwindows || !size || atomic_load_explicit(&mck_access_sample_is_on, memory_order_relaxed))
    return false;
  uintptr_t first = low >> MCK_PAGE_SHIFT, last = (low + size - 1) >> MCK_PAGE_SHIFT;
  if (last - first >= MCK_CLEAN_RANGE) return false;
  while (first <= last && mck_page_is_clean(first, self)) first++;
  return first > last;
}

// The calling strand has looked at an access there. Under the lock, while several strands live.
void mck_clean_page_look(uintptr_t low, uint64_t size);
// A use of [low, high) begins or ends, or may be one of several strands from now on. Under the lock.
void mck_clean_page_used(uintptr_t low, uintptr_t high);
