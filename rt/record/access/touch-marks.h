// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks: which place of the source was the first since the last event to load a cell of 8 bytes of a window, and which
// was the first to store to it. A place that signals single accesses again and again (a gather of coordinates) sets
// them (quick-access.c) instead of having ranges or bitmaps of its own in the slots of touched-range.c. When an event
// comes, what is marked is written as pieces of each place. Marks are set only for what is recorded as known at the
// same time (known-access.h), so a cell is marked once. All calls are made under the lock.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "record/access/access-budget.h"
#include "record/access/known-access.h"

struct mck_window;
struct mck_touched;
// What a place has marked in one window, while it is written: the piece so far, and the pieces before it.
struct mck_marked_pieces {
  const void *pc; // NULL: no place has this number
  uint64_t low, high;
  struct mck_access_pieces pieces; // also the site and whether it stores
};
// A mark: the number of the place << MCK_MARK_SHIFT, and a bit for each 2 bytes of the cell that it touched. 0: none.
// So a mark stands for exactly the bytes that its place has touched.
enum { MCK_MARK_SHIFT = 4, MCK_MARK_PARTS = 15, MCK_MARK_PLACES_LOG = 10, MCK_MARK_PLACES = 1 << MCK_MARK_PLACES_LOG };
enum { MCK_MARK_LARGEST = 64 }; // bytes of an access that sets marks; a longer one is better kept as a range
typedef uint16_t mck_mark_value, mck_mark[2]; // of loads, of stores
struct mck_marks {
  mck_mark *cells; // of the cells from the first page of the window on; NULL: there are none
  struct mck_marked_pieces *places;
  uint16_t used[MCK_MARK_PLACES]; // the numbers that are in use
  unsigned nused;
};

// A place that takes the short way until the next event, in one window; by its number, which is that of its address or
// the next. It sets marks, or it only looks whether its ranges are recorded already.
struct mck_mark_place {
  const void *pc;        // NULL: none
  uint64_t what;         // size << 8 | flags of each access; of ranges only the flags count
  uintptr_t first;       // the first page of the window
  uint64_t span;         // how far from the window's first byte an access may begin; of ranges: the bytes of the window
  uint16_t begin;        // where the window begins in its first page
  uint16_t tag;          // the mark of a whole cell
  uint8_t bits;          // what is recorded of a whole cell
  uint8_t kind;          // the number of whole cells of an access, or enum mck_mark_kind
  uint16_t stores;       // 1: it stores
  mck_mark_value *marks; // of loads or of stores: every second one
  struct mck_known_page *pages; // from the first page on
  struct mck_known_pages *known;
};
enum mck_mark_kind { MCK_MARK_PART, MCK_MARK_LOOKS = 255 }; // PART: an access of a part of one cell
extern struct mck_mark_place mck_mark_places[MCK_MARK_PLACES];
static inline unsigned mck_mark_number(const void *pc) {
  return (unsigned)((uintptr_t)pc * 0x9e3779b97f4a7c15u >> (64 - MCK_MARK_PLACES_LOG));
}

void mck_marks_begin(struct mck_marks *m, uint64_t npages); // of the window; without room for marks there are none
void mck_marks_end(struct mck_marks *m, uint64_t npages);
// From now on the place sets marks, if a number is free.
void mck_marks_let(struct mck_window *w, const void *pc, uint64_t size, uint32_t site, uint8_t flags);
// From now on the place, which signals ranges that are recorded already, looks whether they are.
void mck_marks_let_look(struct mck_window *w, const void *pc, bool is_store);
void mck_marks_stop(void);                  // no place takes the short way any more, up to the next event
void mck_marks_flush(struct mck_window *w); // writes and clears all marks
