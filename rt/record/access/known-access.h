// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a window was signalled since the last event (struct mck_seen in abi.h): single plain accesses of 2, 4 or 8
// bytes. Instrumented code leaves out what was seen; a page of which all was seen is quiet: the filter does not even
// send its accesses here. Only for memory in which no buffer is in use, of programs with one thread in the runtime. All
// under the lock.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "abi.h"

struct mck_seen_pages {
  uintptr_t base; // the window's first page
  uint64_t npages;
  uint8_t *cells; // NULL: nothing is noted
  struct mck_seen_page {
    uint16_t loaded, stored;
    bool is_dirty, is_quiet;
  } *pages;                // cells that are seen whole
  uint32_t *dirty, ndirty; // pages
};
enum { MCK_SEEN_PAGE = 1 << MCK_PAGE_SHIFT };

void mck_seen_begin(struct mck_seen_pages *s, uintptr_t low, uintptr_t high, bool is_noted);
void mck_seen_end(struct mck_seen_pages *s);
void mck_seen_add(struct mck_seen_pages *s, uintptr_t address, uint64_t size, bool is_store);
void mck_seen_forget(struct mck_seen_pages *s); // an event: all is to be signalled again
void mck_seen_rest(struct mck_seen_pages *s);   // instrumented code is to leave out nothing
static inline uint64_t mck_seen_page(const struct mck_seen_pages *s, uintptr_t address) {
  return (address - s->base) / MCK_SEEN_PAGE;
}

// Takes the bytes that a place has set for one page, one for each 1 << shift (4 or 8) bytes of it, into what was seen,
// gives each run of what was not seen before, and clears them.
typedef void mck_seen_run(void *context, uintptr_t low, uint64_t size);
void mck_seen_fold(struct mck_seen_pages *s, uint64_t page, uint8_t *marks, unsigned shift, bool is_store,
                   mck_seen_run *run, void *context);
bool mck_seen_quiet(struct mck_seen_pages *s, uint64_t page,
                    bool is_store); // is nothing more to be told of it? Then it is quiet from here on
