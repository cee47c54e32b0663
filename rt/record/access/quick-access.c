// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The short way of a single access: its place sets marks, and the page has been touched before in this interval. The
// gates of instrumented code call it before they save any register of vectors, so this file is compiled without them
// (rt/CMakeLists.txt), and calls nothing that may use them.
#include "abi.h"
#include "record/access/touch-marks.h"
#include "record/call/thread-level.h"
#include "record/runtime.h"
#include "thread/thread-order.h"

enum { CELL = 1 << MCK_CELL_SHIFT, CELLS = MCK_KNOWN_PAGE / CELL, WHOLE = MCK_MARK_PARTS };

// Marks the parts of a cell that are new. false: another place has marked it.
static bool mark_parts(struct mck_known_page *page, uint8_t *known, uint16_t *mark, unsigned parts, unsigned tag,
                       bool is_store) {
  unsigned before = *known, new = parts & ~(before >> (is_store ? MCK_MARK_SHIFT : 0)), old = *mark;
  unsigned now = before | new | (is_store ? new << MCK_MARK_SHIFT : 0);
  if (!new) return true;
  if (old && (old | WHOLE) != tag) return false;
  *mark = (uint16_t)(old | (tag & ~(unsigned)WHOLE) | new);
  *known = (uint8_t)now;
  page->loaded = (uint16_t)(page->loaded + ((now & WHOLE) == WHOLE && (before & WHOLE) != WHOLE));
  page->stored = (uint16_t)(page->stored + (now >> MCK_MARK_SHIFT == WHOLE && before >> MCK_MARK_SHIFT != WHOLE));
  return true;
}

static inline bool mark_whole(struct mck_known_page *page, uint8_t *known, uint16_t *mark, unsigned tag,
                              bool is_store) {
  if (MCK_UNLIKELY(*known)) return mark_parts(page, known, mark, WHOLE, tag, is_store);
  *known = is_store ? WHOLE << MCK_MARK_SHIFT | WHOLE : WHOLE;
  *mark = (uint16_t)tag;
  page->loaded++;
  page->stored = (uint16_t)(page->stored + is_store);
  return true;
}

static inline const struct mck_mark_place *find_place(const void *pc, uint64_t what) {
  unsigned number = mck_mark_number(pc);
  const struct mck_mark_place *p = &mck_mark_places[number];
  if (MCK_UNLIKELY(p->pc != pc)) p = &mck_mark_places[number ^ 1];
  return p->pc == pc && p->what == what ? p : NULL;
}

// No buffer is looked at: a page in which one is in use is marked twice, so it is not open.
static inline bool add(uintptr_t address, uint64_t what, const struct mck_mark_place *p) {
  uint64_t size = what >> 8, offset = address - p->first, number = offset / MCK_KNOWN_PAGE;
  bool is_store = what & MCK_SIGNAL_STORE;
  if (address - p->low > p->span || (offset + size - 1) / MCK_KNOWN_PAGE != number) return false;
  struct mck_known_page *page = &p->pages[number];
  if (!page->is_open) return false;
  uint8_t *known = mck_known_table + (uint32_t)address / CELL;
  uint16_t *mark = &p->cells[offset / CELL][is_store];
  page->is_marked = true;
  if (MCK_LIKELY(size >= CELL)) {
    if ((offset | size) % CELL || !mark_whole(page, known, mark, p->tag, is_store)) return false;
    for (uint64_t i = 1; i < size / CELL; i++)
      if (!mark_whole(page, &known[i], &mark[2 * i], p->tag, is_store)) return false;
  } else {
    unsigned parts = ((1u << size / 2) - 1) << offset % CELL / 2;
    if ((size != 4 && size != 2) || offset & (size - 1) || !mark_parts(page, known, mark, parts, p->tag, is_store))
      return false;
  }
  if (MCK_UNLIKELY(page->loaded == CELLS)) mck_known_complete_page(p->known, number, is_store);
  return true;
}

// what: size << 8 | flags.
MCK_EXPORT MCK_HOT bool __mck_access_quick(uintptr_t address, uint64_t what, const void *pc) {
  const struct mck_mark_place *p = find_place(pc, what);
  if (!p || mck_depth || !mck_is_plain) return false;
  mck_depth_set(1); // before it is asked for other threads (thread-level.c)
  bool is_noted = !mck_is_locked() && !mck_thread_is_parallel && mck_rt.is_ready && add(address, what, p);
  mck_depth_set(0);
  return is_noted;
}
