// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which accesses to a window are recorded already: a byte per cell of 8 bytes, and per page the number of whole
// cells.
#include "record/access/known-access.h"
#include <string.h>
#include "record/access/element-map.h"
#include "record/access/reserved-memory.h"
#include "record/access/touched-range.h"

enum { CELL = 8, CELLS = MCK_KNOWN_PAGE / CELL, LOADED = 15, STORED = LOADED << 4 };

static uint64_t size_of(const struct mck_known_pages *s) {
  return s->npages * (CELLS + sizeof *s->pages + sizeof *s->dirty);
}

void mck_known_begin(struct mck_known_pages *s, uintptr_t low, uintptr_t high, bool is_noted) {
  s->base = low & ~(uintptr_t)(MCK_KNOWN_PAGE - 1);
  s->npages = (high - s->base + MCK_KNOWN_PAGE - 1) / MCK_KNOWN_PAGE;
  s->cells = is_noted && s->npages < UINT32_MAX ? mck_memory_reserve(size_of(s)) : NULL;
  if (!s->cells) return;
  s->pages = (struct mck_known_page *)(void *)(s->cells + s->npages * CELLS);
  s->dirty = (uint32_t *)(void *)(s->pages + s->npages);
}

void mck_known_suspend(struct mck_known_pages *s) {
  if (mck_known.cells == s->cells) mck_known.ncells = 0;
}

void mck_known_end(struct mck_known_pages *s) {
  mck_known_suspend(s);
  mck_memory_release(s->cells, size_of(s));
  *s = (struct mck_known_pages){0};
}

void mck_known_forget(struct mck_known_pages *s) {
  for (uint32_t i = 0; i < s->ndirty; i++) {
    uint32_t p = s->dirty[i];
    memset(s->cells + (uint64_t)p * CELLS, 0, CELLS);
    if (s->pages[p].is_complete) mck_filter_restore(s->base / MCK_KNOWN_PAGE + p);
    s->pages[p] = (struct mck_known_page){0};
  }
  s->ndirty = 0;
}

static struct mck_known_page *page_of(struct mck_known_pages *s, uint64_t p) {
  struct mck_known_page *page = &s->pages[p];
  if (!page->is_dirty) page->is_dirty = true, s->dirty[s->ndirty++] = (uint32_t)p;
  return page;
}

// Sets bits of one cell, and counts the cell if that made it whole.
static inline void set(struct mck_known_page *page, uint8_t *cell, unsigned bits) {
  unsigned before = *cell, now = before | bits;
  *cell = (uint8_t)now;
  page->loaded += (now & LOADED) == LOADED && (before & LOADED) != LOADED;
  page->stored += (now & STORED) == STORED && (before & STORED) != STORED;
}

bool mck_known_complete_page(struct mck_known_pages *s, uint64_t p, bool is_store) {
  struct mck_known_page *page = &s->pages[p];
  unsigned bits = (page->loaded == CELLS ? MCK_WATCH_LOADS : 0) |
                  (page->stored == CELLS ? MCK_WATCH_LOADS | MCK_WATCH_STORES : 0);
  if (bits) page->is_complete = true, mck_filter_unwatch(s->base / MCK_KNOWN_PAGE + p, (uint8_t)bits);
  return bits & (is_store ? MCK_WATCH_STORES : MCK_WATCH_LOADS);
}

static void add_cell(struct mck_known_pages *s, uint64_t cell, unsigned mask, bool is_store) {
  uint64_t p = cell / CELLS;
  struct mck_known_page *page = page_of(s, p);
  unsigned whole = page->loaded + page->stored;
  set(page, &s->cells[cell], is_store ? mask << 4 | mask : mask);
  if ((unsigned)(page->loaded + page->stored) != whole) mck_known_complete_page(s, p, is_store);
}

// Vectors and members of structures are several whole cells.
static bool is_cells(uint64_t offset, uint64_t size) {
  return size > CELL && size <= MCK_KNOWN_PAGE && !((offset | size) % CELL);
}

bool mck_known_has(const struct mck_known_pages *s, uintptr_t address, uint64_t size, bool is_store) {
  uint64_t offset = address - s->base;
  if (!is_cells(offset, size)) return false;
  unsigned wanted = is_store ? STORED : LOADED;
  for (uint64_t cell = offset / CELL; cell < (offset + size) / CELL; cell++)
    if ((s->cells[cell] & wanted) != wanted) return false;
  return true;
}

void mck_known_add(struct mck_known_pages *s, uintptr_t address, uint64_t size, bool is_store) {
  uint64_t offset = address - s->base;
  if (is_cells(offset, size)) {
    for (uint64_t cell = offset / CELL; cell < (offset + size) / CELL; cell++) add_cell(s, cell, LOADED, is_store);
  } else {
    if ((size != 8 && size != 4 && size != 2) || offset & (size - 1)) return;
    add_cell(s, offset / CELL, ((1u << size / 2) - 1) << offset % CELL / 2, is_store);
  }
  if (mck_known.cells != s->cells || !mck_known.ncells)
    mck_known = (struct mck_known){s->base, s->npages * CELLS, s->cells};
}

// Other threads may set bytes at any time. Only bytes that were found set are cleared, so none of theirs is lost.
void mck_known_fold(struct mck_known_pages *s, uint64_t p, uint8_t *marks, unsigned shift, bool is_store,
                    mck_known_run *run, void *context) {
  enum { WORD = 8 };
  const uint64_t each = 0x0101010101010101u;
  struct mck_known_page *page = page_of(s, p);
  uintptr_t base = s->base + p * MCK_KNOWN_PAGE, low = 0, high = 0; // the run so far
  unsigned count = MCK_KNOWN_PAGE >> shift, bits = is_store ? LOADED | STORED : LOADED,
           wanted = is_store ? STORED : LOADED, per_cell = CELL >> shift;
  if ((is_store ? page->stored : page->loaded) == CELLS) {
    memset(marks, 0, count);
    return;
  }
  for (unsigned i = 0; i < count; i += WORD) {
    uint64_t set_here, known = 0;
    memcpy(&set_here, marks + i, WORD);
    if (!set_here) continue;
    uint8_t *cells = s->cells + p * CELLS + i / per_cell;
    unsigned ncells = WORD / per_cell;
    memcpy(&known, cells, ncells);
    // All of these elements are set, and all are new.
    if (set_here == each && !(known & each * (is_store ? LOADED | STORED : LOADED))) {
      memset(marks + i, 0, WORD);
      known |= each * bits;
      memcpy(cells, &known, ncells);
      page->loaded = (uint16_t)(page->loaded + ncells),
      page->stored = (uint16_t)(page->stored + (is_store ? ncells : 0));
      if (high != base + ((uintptr_t)i << shift)) {
        if (high > low) run(context, low, high - low);
        low = base + ((uintptr_t)i << shift);
      }
      high = base + ((uintptr_t)(i + WORD) << shift);
      continue;
    }
    for (unsigned k = 0; k < WORD; k++) {
      if (!marks[i + k]) continue;
      marks[i + k] = 0;
      uint8_t *cell = cells + k / per_cell;
      unsigned mask = per_cell == 1 ? 0xff : k % 2 ? 0xcc : 0x33; // which bytes of the cell
      uintptr_t at = base + ((uintptr_t)(i + k) << shift);
      if ((*cell & wanted & mask) == (wanted & mask)) continue;
      set(page, cell, bits & mask);
      if (high != at) {
        if (high > low) run(context, low, high - low);
        low = at;
      }
      high = at + ((uintptr_t)1 << shift);
    }
  }
  if (high > low) run(context, low, high - low);
}
