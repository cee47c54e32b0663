// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which accesses to windows are recorded already: a byte per cell of 8 bytes, and per page of a window the number of
// whole cells.
#include "record/access/known-access.h"
#include <string.h>
#include <sys/mman.h>
#include "base/address-room.h"
#include "object/object.h"
#include "record/access/element-map.h"
#include "record/access/reserved-memory.h"
#include "record/access/touched-range.h"
#include "record/access/touched-window.h"

enum { CELL = 1 << MCK_CELL_SHIFT, CELLS = MCK_KNOWN_CELLS, WORD = 8, LOADED = 15, STORED = LOADED << 4 };

uint8_t *mck_known_table;

// Readable everywhere, which takes no memory. Windows make their part writable.
const uint8_t *mck_known_cells(void) {
  if (mck_known_table) return mck_known_table;
  if (MCK_CELLS > mck_base_address_room()) return NULL;
  void *memory = mmap(NULL, MCK_CELLS + MCK_KNOWN_PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  madvise(memory, MCK_CELLS + MCK_KNOWN_PAGE, MADV_DONTDUMP);
  return mck_known_table = memory;
}

void mck_known_share(void) {
  if (mck_known_table) madvise(mck_known_table, MCK_CELLS, MADV_DONTNEED);
}

static bool make_writable(uint64_t first, uint64_t npages) {
  uint64_t low = first * CELLS & -(uint64_t)MCK_KNOWN_PAGE,
           high = ((first + npages) * CELLS + MCK_KNOWN_PAGE - 1) & -(uint64_t)MCK_KNOWN_PAGE;
  return mprotect(mck_known_table + low, high - low, PROT_READ | PROT_WRITE) == 0;
}

// Bytes that stand for other memory, too, stay.
static void release(uint64_t first, uint64_t npages) {
  uint64_t low = (first * CELLS + MCK_KNOWN_PAGE - 1) & -(uint64_t)MCK_KNOWN_PAGE,
           high = (first + npages) * CELLS & -(uint64_t)MCK_KNOWN_PAGE;
  if (low < high) madvise(mck_known_table + low, high - low, MADV_DONTNEED);
}

static uint64_t size_of(const struct mck_known_pages *s) { return s->npages * (sizeof *s->pages + sizeof *s->dirty); }

void mck_known_begin(struct mck_known_pages *s, uintptr_t low, uintptr_t high, bool is_noted) {
  s->base = low & ~(uintptr_t)(MCK_KNOWN_PAGE - 1);
  s->npages = (high - s->base + MCK_KNOWN_PAGE - 1) / MCK_KNOWN_PAGE;
  uint64_t first = s->base / MCK_KNOWN_PAGE % MCK_PAGES, before = MCK_PAGES - first; // up to the end of the table
  if (!is_noted || !mck_known_table || s->npages > MCK_PAGES) return;
  if (!make_writable(first, s->npages < before ? s->npages : before)) return;
  if (s->npages > before && !make_writable(0, s->npages - before)) return;
  s->pages = mck_memory_reserve(size_of(s));
  s->dirty = (uint32_t *)(void *)(s->pages + s->npages);
}

void mck_known_end(struct mck_known_pages *s) {
  mck_known_forget(s);
  uint64_t first = s->base / MCK_KNOWN_PAGE % MCK_PAGES;
  if (s->pages && s->npages <= MCK_PAGES - first) release(first, s->npages); // else it is in two parts
  mck_memory_release(s->pages, size_of(s));
  *s = (struct mck_known_pages){0};
}

static void forget_page(struct mck_known_pages *s, uint64_t p) {
  struct mck_known_page *page = &s->pages[p];
  if (!page->is_open) return;
  memset(mck_known_cells_of(s, p), 0, CELLS);
  mck_filter_close(s->base / MCK_KNOWN_PAGE + p);
  page->loaded = page->stored = 0, page->is_open = page->is_complete = false;
  memset(page->runs, 0, sizeof page->runs);
}

void mck_known_forget(struct mck_known_pages *s) {
  for (uint32_t i = 0; i < s->ndirty; i++) {
    forget_page(s, s->dirty[i]);
    s->pages[s->dirty[i]].is_dirty = false;
  }
  s->ndirty = 0;
}

void mck_known_drop(uintptr_t number) {
  for (struct mck_window *w = mck_windows; w; w = w->next) {
    struct mck_known_pages *s = &w->touched->known;
    uint64_t p = (number - s->base / MCK_KNOWN_PAGE) % MCK_PAGES;
    if (s->pages && p < s->npages) forget_page(s, p);
  }
}

// NULL: nothing is recorded of this page, which is marked more than once.
static struct mck_known_page *page_of(struct mck_known_pages *s, uint64_t p) {
  struct mck_known_page *page = &s->pages[p];
  if (page->is_open) return page;
  if (!mck_filter_open(s->base / MCK_KNOWN_PAGE + p)) return NULL;
  if (!page->is_dirty) page->is_dirty = true, s->dirty[s->ndirty++] = (uint32_t)p;
  page->is_open = true;
  return page;
}

// Sets bits of one cell, and counts the cell if that made it whole.
static inline void set(struct mck_known_page *page, uint8_t *cell, unsigned bits) {
  unsigned before = *cell, now = before | bits;
  *cell = (uint8_t)now;
  page->loaded += (now & LOADED) == LOADED && (before & LOADED) != LOADED;
  page->stored += (now & STORED) == STORED && (before & STORED) != STORED;
}

MCK_NO_VECTORS bool mck_known_complete_page(struct mck_known_pages *s, uint64_t p, bool is_store) {
  struct mck_known_page *page = &s->pages[p];
  unsigned bits = (page->loaded == CELLS ? MCK_WATCH_LOADS : 0) |
                  (page->stored == CELLS ? MCK_WATCH_LOADS | MCK_WATCH_STORES : 0);
  if (bits) page->is_complete = true, mck_filter_unwatch(s->base / MCK_KNOWN_PAGE + p, (uint8_t)bits);
  return bits & (is_store ? MCK_WATCH_STORES : MCK_WATCH_LOADS);
}

// Perhaps since this access.
static inline bool is_whole(const struct mck_known_page *page) { return page->loaded == CELLS; }

// count cells of one page, of each the bytes of the mask.
static inline void add_few(struct mck_known_pages *s, uint64_t cell, unsigned count, unsigned mask, bool is_store) {
  uint64_t p = cell / CELLS;
  struct mck_known_page *page = page_of(s, p);
  if (!page) return;
  uint8_t *cells = &mck_known_cells_of(s, p)[cell % CELLS];
  for (unsigned i = 0; i < count; i++) set(page, &cells[i], is_store ? mask << 4 | mask : mask);
  if (is_whole(page)) mck_known_complete_page(s, p, is_store);
}

// --- several whole cells: vectors, members of structures, ranges ---
static const uint64_t each = 0x0101010101010101u;
static inline uint64_t word_at(const uint8_t *cells) {
  uint64_t word;
  memcpy(&word, cells, WORD);
  return word;
}

// How many cells of a word have all four bits from this one on.
static inline unsigned count_whole(uint64_t word, unsigned from) {
  uint64_t bits = word >> from;
  return (unsigned)((bits & bits >> 1 & bits >> 2 & bits >> 3 & each) * each >> 56); // at most 8
}

// The bytes of the word at a cell that stand for cells of [first, end).
static inline uint64_t part_of(unsigned at, unsigned first, unsigned end) {
  uint64_t bits = ~(uint64_t)0;
  if (at < first) bits <<= (first - at) * 8;
  if (at + WORD > end) bits &= ~(uint64_t)0 >> (at + WORD - end) * 8;
  return bits;
}

enum { MANY = 4 * WORD };

// Mostly all of a range is new. One look at all of it costs less than a decision for each word.
static bool is_new(const uint8_t *cells, unsigned count) {
  uint64_t any = 0;
  unsigned at = 0;
  for (; at + MANY <= count && !any; at += MANY)
    any = word_at(cells + at) | word_at(cells + at + 8) | word_at(cells + at + 16) | word_at(cells + at + 24);
  for (; at + WORD <= count; at += WORD) any |= word_at(cells + at);
  for (; at < count; at++) any |= cells[at];
  return !any;
}

static inline uint64_t all_of_many(const uint8_t *cells) {
  return word_at(cells) & word_at(cells + 8) & word_at(cells + 16) & word_at(cells + 24);
}

// Rows of a grid with margins never fill a page, and a stencil loads each of them again and again.
static void add_run(struct mck_known_page *page, unsigned first, unsigned end) {
  for (unsigned i = 0; i < 2; i++) {
    struct mck_known_run_of_page *r = &page->runs[i];
    if (first > r->high || end < r->low || r->low == r->high) continue;
    if (first < r->low) r->low = (uint16_t)first;
    if (end > r->high) r->high = (uint16_t)end;
    return;
  }
  page->runs[1] = page->runs[0];
  page->runs[0] = (struct mck_known_run_of_page){(uint16_t)first, (uint16_t)end};
}

// The cells [first, end) of one page.
static void add_cells(struct mck_known_pages *s, uint64_t p, unsigned first, unsigned end, bool is_store) {
  struct mck_known_page *page = page_of(s, p);
  if (!page) return;
  if (mck_known_is_all(page, is_store)) return;
  add_run(page, first, end);
  uint8_t *cells = mck_known_cells_of(s, p);
  if (is_new(cells + first, end - first)) {
    memset(cells + first, is_store ? LOADED | STORED : LOADED, end - first);
    page->loaded = (uint16_t)(page->loaded + end - first);
    page->stored = (uint16_t)(page->stored + (is_store ? end - first : 0));
    first = end;
  }
  uint64_t all = each * (is_store ? LOADED | STORED : LOADED);
  for (unsigned at = first / WORD * WORD; at < end; at += WORD) {
    while (at >= first && at + MANY < end && !(all & ~all_of_many(cells + at))) at += MANY; // what is recorded
    uint64_t before = word_at(cells + at), now = before | (all & part_of(at, first, end));
    if (now == before) continue;
    memcpy(cells + at, &now, WORD);
    if (now == all && (!before || before == each * LOADED)) {
      page->loaded = (uint16_t)(page->loaded + (before ? 0 : WORD));
      page->stored = (uint16_t)(page->stored + (is_store ? WORD : 0));
      continue;
    }
    page->loaded = (uint16_t)(page->loaded + count_whole(now, 0) - count_whole(before, 0));
    page->stored = (uint16_t)(page->stored + count_whole(now, 4) - count_whole(before, 4));
  }
  if (is_whole(page)) mck_known_complete_page(s, p, is_store);
}

static bool has_cells(const struct mck_known_pages *s, uint64_t p, unsigned first, unsigned end, bool is_store) {
  if (mck_known_is_all(&s->pages[p], is_store) || (!is_store && mck_known_is_run(&s->pages[p], first, end)))
    return true;
  const uint8_t *cells = mck_known_cells_of(s, p);
  uint64_t all = each * (is_store ? STORED : LOADED);
  unsigned at = first / WORD * WORD;
  if (at < first || at + WORD > end) {
    if (all & part_of(at, first, end) & ~word_at(cells + at)) return false;
    at += WORD;
  }
  for (; at + MANY <= end; at += MANY)
    if (all & ~all_of_many(cells + at)) return false;
  for (; at < end; at += WORD)
    if (all & part_of(at, first, end) & ~word_at(cells + at)) return false;
  return true;
}

bool mck_known_has(const struct mck_known_pages *s, uintptr_t address, uint64_t size, bool is_store) {
  uint64_t offset = address - s->base;
  if (size <= CELL || (offset | size) % CELL) return false;
  for (uint64_t at = offset / CELL, end = (offset + size) / CELL, next; at < end; at = next) {
    uint64_t p = at / CELLS;
    next = end < (p + 1) * CELLS ? end : (p + 1) * CELLS;
    if (!has_cells(s, p, (unsigned)(at - p * CELLS), (unsigned)(next - p * CELLS), is_store)) return false;
  }
  return true;
}

void mck_known_add(struct mck_known_pages *s, uintptr_t address, uint64_t size, bool is_store) {
  uint64_t offset = address - s->base;
  bool is_pair = size == 2 * CELL && offset % MCK_KNOWN_PAGE != MCK_KNOWN_PAGE - CELL;
  if ((size == CELL || is_pair) && offset % CELL == 0) {
    add_few(s, offset / CELL, is_pair ? 2 : 1, LOADED, is_store);
  } else if (size > CELL) {
    for (uint64_t at = (offset + CELL - 1) / CELL, end = (offset + size) / CELL, next; at < end; at = next) {
      uint64_t p = at / CELLS;
      next = end < (p + 1) * CELLS ? end : (p + 1) * CELLS;
      add_cells(s, p, (unsigned)(at - p * CELLS), (unsigned)(next - p * CELLS), is_store);
    }
  } else {
    if ((size != 4 && size != 2) || offset & (size - 1)) return;
    add_few(s, offset / CELL, 1, ((1u << size / 2) - 1) << offset % CELL / 2, is_store);
  }
}

// Other threads may set bytes at any time. Only bytes that were found set are cleared, so none of theirs is lost.
void mck_known_fold(struct mck_known_pages *s, uint64_t p, uint8_t *marks, unsigned shift, bool is_store,
                    mck_known_run *run, void *context) {
  struct mck_known_page nothing = {0}, *page = page_of(s, p);
  uint8_t no_cells[CELLS], *all = page ? mck_known_cells_of(s, p) : memset(no_cells, 0, sizeof no_cells);
  if (!page) page = &nothing;
  uintptr_t base = s->base + p * MCK_KNOWN_PAGE, low = 0, high = 0; // the run so far
  unsigned count = MCK_KNOWN_PAGE >> shift, bits = is_store ? LOADED | STORED : LOADED,
           wanted = is_store ? STORED : LOADED, per_cell = CELL >> shift;
  if (mck_known_is_all(page, is_store)) {
    memset(marks, 0, count);
    return;
  }
  for (unsigned i = 0; i < count; i += WORD) {
    uint64_t set_here, known = 0;
    memcpy(&set_here, marks + i, WORD);
    if (!set_here) continue;
    uint8_t *cells = all + i / per_cell;
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
