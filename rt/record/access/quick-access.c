// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The short way of an access: its place sets marks, and the page has been touched before in this interval; or it is a
// range of a place whose ranges were recorded already. The
// gates of instrumented code call it before they save any register of vectors, so this file is compiled without them
// (rt/CMakeLists.txt), and calls nothing that may use them.
#include "abi.h"
#include "record/access/touch-marks.h"
#include "record/call/thread-level.h"
#include "record/runtime.h"
#include "record/strand/clean-page.h"
#include "thread/thread-order.h"

// Not inlined: the registers that it needs are saved where it is called only.
#define MCK_APART __attribute__((noinline))
enum { CELL = 1 << MCK_CELL_SHIFT, CELLS = MCK_KNOWN_CELLS, WHOLE = MCK_MARK_PARTS };

// --- parts of cells, and cells of which something is recorded already ---
// Marks the parts of a cell that are new. false: another place has marked it.
static bool mark_parts(struct mck_known_page *page, uint8_t *known, mck_mark_value *mark, unsigned parts,
                       const struct mck_mark_place *p) {
  bool is_store = p->what & MCK_SIGNAL_STORE;
  unsigned before = *known, new = parts & ~(before >> (is_store ? MCK_MARK_SHIFT : 0)), old = *mark;
  unsigned now = before | new | (is_store ? new << MCK_MARK_SHIFT : 0);
  if (!new) return true;
  if (old && (old | WHOLE) != p->tag) return false;
  *mark = (uint16_t)(old | (p->tag & ~(unsigned)WHOLE) | new);
  *known = (uint8_t)now;
  page->loaded = (uint16_t)(page->loaded + ((now & WHOLE) == WHOLE && (before & WHOLE) != WHOLE));
  page->stored = (uint16_t)(page->stored + (now >> MCK_MARK_SHIFT == WHOLE && before >> MCK_MARK_SHIFT != WHOLE));
  return true;
}

static bool mark_part(struct mck_known_page *page, uint8_t *known, mck_mark_value *mark, uint64_t offset,
                      const struct mck_mark_place *p) {
  uint64_t size = p->what >> 8;
  if ((size != 4 && size != 2) || offset & (size - 1)) return false;
  return mark_parts(page, known, mark, ((1u << size / 2) - 1) << offset % CELL / 2, p);
}

// --- whole cells ---
static bool mark_cells(struct mck_known_page *page, uint8_t *known, mck_mark_value *mark,
                       const struct mck_mark_place *p) {
  const unsigned bits = p->bits;
  for (unsigned i = 0; i < p->kind; i++) {
    if (!known[i]) {
      known[i] = (uint8_t)bits;
      mark[2 * i] = p->tag;
      page->loaded++;
      page->stored = (uint16_t)(page->stored + p->stores);
    } else if ((known[i] & bits) != bits && !mark_parts(page, &known[i], &mark[2 * i], WHOLE, p)) return false;
  }
  return true;
}

static MCK_APART bool complete(const struct mck_mark_place *p, uint64_t number) {
  mck_known_complete_page(p->known, number, p->what & MCK_SIGNAL_STORE);
  return true;
}

// No buffer is looked at: a page in which one is in use is marked twice, so it is not open.
static MCK_APART bool add(uintptr_t address, const struct mck_mark_place *p) {
  uint64_t offset = address - p->first, number = offset / MCK_KNOWN_PAGE;
  if (offset - p->begin > p->span) return false;
  struct mck_known_page *page = &p->pages[number];
  if (!page->is_open) return false;
  uint8_t *known = mck_known_table + (uint32_t)address / CELL;
  mck_mark_value *mark = &p->marks[offset / CELL * 2];
  page->is_marked = true;
  if (p->kind == MCK_MARK_PART) {
    if (!mark_part(page, known, mark, offset, p)) return false;
  } else if (offset % CELL || offset / CELL % CELLS + p->kind > CELLS || !mark_cells(page, known, mark, p)) {
    return false;
  }
  return page->loaded == CELLS ? complete(p, number) : true;
}

// The same in the commonest case: one cell of which nothing is recorded. It calls nothing whose result it looks at, so
// it needs no stack.
static inline bool add_cell(uintptr_t address, const struct mck_mark_place *p) {
  uint64_t offset = address - p->first, number = offset / MCK_KNOWN_PAGE;
  if (MCK_UNLIKELY(p->kind != 1 || offset % CELL || offset - p->begin > p->span)) return add(address, p);
  struct mck_known_page *page = &p->pages[number];
  uint8_t *known = mck_known_table + (uint32_t)address / CELL;
  if (MCK_UNLIKELY(*known || !page->is_open)) return add(address, p);
  *known = p->bits;
  p->marks[offset / CELL * 2] = p->tag;
  page->is_marked = true;
  page->loaded++;
  page->stored = (uint16_t)(page->stored + p->stores);
  return MCK_UNLIKELY(page->loaded == CELLS) ? complete(p, number) : true;
}

// --- ranges: a stencil loads each row at several places, and only the first one is new ---
static bool is_recorded(uintptr_t address, uint64_t size, bool is_store, const struct mck_mark_place *p) {
  uint64_t offset = address - p->first;
  if ((offset | size) % CELL || size > p->span || offset - p->begin > p->span - size) return false;
  for (uint64_t at = offset / CELL, end = (offset + size) / CELL, next; at < end; at = next) {
    uint64_t number = at / CELLS;
    const struct mck_known_page *page = &p->pages[number];
    next = end < (number + 1) * CELLS ? end : (number + 1) * CELLS;
    if (!page->is_open) return false;
    if (mck_known_is_all(page, is_store)) continue;
    if (is_store || !mck_known_is_run(page, (unsigned)(at - number * CELLS), (unsigned)(next - number * CELLS)))
      return false;
  }
  return true;
}

// --- the way in ---
// Another thread may wait until this one has left (thread-level.c). What is asked for comes behind the depth.
static inline bool enter(void) {
  if (MCK_UNLIKELY(mck_depth || !mck_is_plain)) return false;
  mck_depth_set(1);
  if (MCK_LIKELY(!mck_is_locked() && !mck_thread_is_parallel && mck_rt.is_ready)) return true;
  mck_depth_set(0);
  return false;
}
static inline bool leave(bool is_noted) {
  mck_depth_set(0);
  return is_noted;
}

// The place has the other number, or it is one of ranges, or it has no number.
static MCK_APART bool try_other(uintptr_t address, uint64_t what, const void *pc) {
  const struct mck_mark_place *p = &mck_mark_places[mck_mark_number(pc)];
  if (p->pc != pc) p = &mck_mark_places[mck_mark_number(pc) ^ 1];
  if (p->pc != pc)
    return mck_thread_is_parallel && !(what & (MCK_SIGNAL_STRING | MCK_SIGNAL_END)) &&
           mck_access_is_clean(address, what >> 8);
  if (!enter()) return false;
  if (p->what == what) return leave(add(address, p));
  return leave(p->kind == MCK_MARK_LOOKS && p->what == (what & 255) &&
               is_recorded(address, what >> 8, what & MCK_SIGNAL_STORE, p));
}

// what: size << 8 | flags.
MCK_EXPORT MCK_HOT bool __mck_access_quick(uintptr_t address, uint64_t what, const void *pc) {
  const struct mck_mark_place *p = &mck_mark_places[mck_mark_number(pc)];
  if (MCK_UNLIKELY(p->pc != pc || p->what != what)) return try_other(address, what, pc);
  return enter() && leave(add_cell(address, p));
}
