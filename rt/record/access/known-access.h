// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses to a window that are recorded since the last event (cells in abi.h): single plain accesses of 2, 4 or 8
// bytes, and the whole cells of 8 in larger ones and in ranges. Instrumented code does not signal a single access that
// is recorded. When all of a page is recorded, the page filter does not even send its accesses here. This
// is used only for memory in which no buffer is in use, and only for programs with one thread in the runtime. All calls
// are made under the lock.
//
// All windows share one table of cells, by the lower 32 bits of an address. So instrumented code finds a cell without
// knowing the windows. What else shares the cells of a page is seen by the page filter: a page is recorded only while
// it is marked once, and forgotten when it is marked again.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "abi.h"

const uint8_t *mck_known_cells(void); // the table, made when it is first asked for; NULL: there is no room for it
void mck_known_share(void);           // there are several threads from now on
struct mck_known_pages {
  uintptr_t base; // the first page of the window
  uint64_t npages;
  struct mck_known_page {
    uint16_t loaded, stored;                        // number of cells of which all bytes are recorded
    bool is_dirty, is_complete, is_open, is_marked; // is_marked: there are marks (touch-marks.h)
    struct mck_known_run_of_page {
      uint16_t low, high;
    } runs[2];             // ranges of cells that are recorded as loaded: the last two that came as ranges
  } *pages;                // NULL: nothing is recorded
  uint32_t *dirty, ndirty; // the pages that are_dirty
};
enum { MCK_KNOWN_PAGE = 1 << MCK_PAGE_SHIFT };

extern uint8_t *mck_known_table;
static inline uint8_t *mck_known_cells_of(const struct mck_known_pages *s, uint64_t page) {
  return mck_known_table + (s->base / MCK_KNOWN_PAGE + page) % MCK_PAGES * (MCK_KNOWN_PAGE >> MCK_CELL_SHIFT);
}
void mck_known_begin(struct mck_known_pages *s, uintptr_t low, uintptr_t high, bool is_noted);
void mck_known_end(struct mck_known_pages *s);
void mck_known_add(struct mck_known_pages *s, uintptr_t address, uint64_t size, bool is_store);
// Whether an access of several whole cells is recorded. (Instrumented code itself looks at those of up to 16 bytes.)
bool mck_known_has(const struct mck_known_pages *s, uintptr_t address, uint64_t size, bool is_store);
void mck_known_forget(struct mck_known_pages *s); // an event was written: every access is to be signalled again
static inline uint64_t mck_known_page(const struct mck_known_pages *s, uintptr_t address) {
  return (address - s->base) / MCK_KNOWN_PAGE;
}

// --- questions about one page, of cells [first, end) ---
enum { MCK_KNOWN_CELLS = MCK_KNOWN_PAGE >> MCK_CELL_SHIFT };
static inline bool mck_known_is_all(const struct mck_known_page *page, bool is_store) {
  return (is_store ? page->stored : page->loaded) == MCK_KNOWN_CELLS;
}
static inline bool mck_known_is_run(const struct mck_known_page *page, unsigned first, unsigned end) {
  return (page->runs[0].low <= first && end <= page->runs[0].high) ||
         (page->runs[1].low <= first && end <= page->runs[1].high);
}

// The page is marked by something else, too. number: the address shifted.
void mck_known_drop(uintptr_t number);

// Adds the bytes that a place has set in its map for one page to what is recorded, and clears them. There is one byte
// for each 1 << shift (4 or 8) bytes of the page. run is called for each run that was not recorded before.
typedef void mck_known_run(void *context, uintptr_t low, uint64_t size);
void mck_known_fold(struct mck_known_pages *s, uint64_t page, uint8_t *marks, unsigned shift, bool is_store,
                    mck_known_run *run, void *context);
// Whether all of the page is recorded, so that nothing is to be signalled there any more. If so, the page filter does
// not ask for it any longer.
bool mck_known_complete_page(struct mck_known_pages *s, uint64_t page, bool is_store);
