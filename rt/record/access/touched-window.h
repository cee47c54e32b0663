// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses to one window that are kept until the next event: private to window-watch.c, touched-range.c,
// touch-marks.c and quick-access.c.
#pragma once
#include "record/access/access-budget.h"
#include "record/access/element-map.h"
#include "record/access/known-access.h"
#include "record/access/touch-marks.h"

enum { MCK_TOUCHED_SLOTS = 256, MCK_TOUCHED_WORD = 64 };

// One place of the source and kind of access: a range of n pieces, or a bitmap (bits is not NULL).
struct mck_touched_slot {
  const void *pc, *frame;
  uint32_t site, size, n, jumps;
  uint64_t offset, stride;
  uint8_t flags;            // MCK_ACCESS_*
  uint8_t shift;            // bits: log2 of the bytes of an element
  uint64_t *bits, *summary; // summary: a bit for each word of bits that is not 0
  uint64_t first, last;     // the words of summary that may not be 0 lie between these
  uint64_t previous;        // the last offset that was set
  uint32_t page;            // the page of the last signalled access
  uint8_t nsignalled;       // signalled accesses in this page, one after the other, up to a limit
  uint8_t nsingle;          // single accesses of this place, up to a limit
};
struct mck_touched {
  struct mck_touched_slot slots[MCK_TOUCHED_SLOTS];
  uint64_t noted[MCK_TOUCHED_SLOTS / MCK_TOUCHED_WORD]; // a bit for each slot in which something was noted
  bool is_dirty;
  struct mck_access_budget budget;
  char *memory; // for bitmaps
  uint64_t size, used;
  struct mck_known_pages known; // without pages: not used for this window
  // What else lies in the window: buffers in use, memory of other windows. If there is any, all accesses are signalled.
  int nothers;
  struct mck_element_maps maps;
  struct mck_marks marks;
};
