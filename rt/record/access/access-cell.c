// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages of cells, in a table by their number. A page that was flushed is used again. No memory comes from the heap
// (attached-memory.c says why).
#include "record/access/access-cell.h"
#include <stdlib.h>
#include <string.h>
#include "log/event.h"
#include "record/access/reserved-memory.h"

enum {
  CELL = 8,
  CELLS = 512,
  PAGE = CELL * CELLS,
  PAGES_MAX = 1 << 17,
  SLOTS = 1 << 18,
  BATCH = 64,
  PIECES_MAX = 4096,
  SIZE_MAX_EACH = 1 << 16
};
struct cell {
  uint8_t bytes[2];
  uint16_t unused;
  uint32_t site[2];
}; // of loads, of stores
struct page {
  uint64_t number;
  struct cell cells[CELLS];
};
struct mck_cells {
  struct page *pages[PAGES_MAX]; // the first npages are in use, the first nmade are allocated
  struct page *batches[PAGES_MAX / BATCH];
  uint32_t npages, nmade, last;
  uint32_t slots[SLOTS]; // index of a page + 1, by the page's number
};

static uint32_t slot_of(uint64_t number) { return (uint32_t)(number * 0x9e3779b97f4a7c15u >> 40) & (SLOTS - 1); }

static struct page *find_page(struct mck_cells *c, uint64_t number) {
  uint32_t slot = slot_of(number);
  if (c->npages && c->pages[c->last]->number == number) return c->pages[c->last];
  for (; c->slots[slot]; slot = (slot + 1) & (SLOTS - 1))
    if (c->pages[c->slots[slot] - 1]->number == number) return c->pages[c->last = c->slots[slot] - 1];
  if (c->npages == PAGES_MAX) return NULL;
  if (c->npages == c->nmade) {
    struct page *batch = mck_memory_reserve(BATCH * sizeof *batch);
    if (!batch) return NULL;
    c->batches[c->nmade / BATCH] = batch;
    for (int i = 0; i < BATCH; i++) c->pages[c->nmade++] = &batch[i];
  }
  c->pages[c->npages]->number = number;
  c->slots[slot] = c->npages + 1;
  return c->pages[c->last = c->npages++];
}

// Bytes [low, high) of one cell.
static void add_to(struct cell *cell, uint32_t site, uint8_t flags, uint64_t base, unsigned low, unsigned high,
                   mck_cells_write *write, void *context) {
  unsigned kind = flags & MCK_ACCESS_STORE ? 1 : 0, new = ((1u << high) - (1u << low)) & ~(unsigned)cell->bytes[kind];
  if (!new) return;
  if (!cell->bytes[kind]) cell->site[kind] = site;
  if (cell->site[kind] == site) cell->bytes[kind] |= (uint8_t)new;
  else
    while (new) {
      unsigned first = (unsigned)__builtin_ctz(new), n = (unsigned)__builtin_ctz(~(new >> first));
      write(context, site, flags, base + first, n);
      new &= ~(((1u << n) - 1) << first);
    }
}

static bool has_room(struct mck_cells **cells) {
  if (!*cells) *cells = mck_memory_reserve(sizeof **cells);
  return *cells != NULL;
}

bool mck_cells_add(struct mck_cells **cells, uint32_t site, uint8_t flags, uint64_t offset, uint64_t size, uint32_t n,
                   uint64_t stride, mck_cells_write *write, void *context) {
  if (flags & ~MCK_ACCESS_STORE || size > SIZE_MAX_EACH || n > PIECES_MAX || !has_room(cells))
    return false; // polling loads and stores (flags) are not noted
  for (uint32_t i = 0; i < n; i++) {
    for (uint64_t at = offset + i * stride, end = at + size; at < end;) {
      uint64_t base = at & ~(uint64_t)(CELL - 1), to = end - base < CELL ? end - base : CELL;
      struct page *page = find_page(*cells, at / PAGE);
      if (!page) write(context, site, flags, at, base + to - at);
      else
        add_to(&page->cells[at % PAGE / CELL], site, flags, base, (unsigned)(at - base), (unsigned)to, write, context);
      at = base + to;
    }
  }
  return true;
}

// --- writing ---
struct run {
  uint64_t low, high;
  uint32_t site;
  uint8_t flags;
  mck_cells_write *write;
  void *context;
};

static void add_to_run(struct run *r, uint64_t low, uint64_t high, uint32_t site) {
  if (low == r->high && site == r->site && r->high > r->low) {
    r->high = high;
    return;
  }
  if (r->high > r->low) r->write(r->context, r->site, r->flags, r->low, r->high - r->low);
  r->low = low, r->high = high, r->site = site;
}

static int compare_pages(const void *a, const void *b) {
  const struct page *x = *(struct page *const *)a, *y = *(struct page *const *)b;
  return x->number < y->number ? -1 : x->number > y->number;
}

void mck_cells_flush(struct mck_cells *c, mck_cells_write *write, void *context) {
  if (!c || !c->npages) return;
  qsort(c->pages, c->npages, sizeof *c->pages, compare_pages);
  for (unsigned kind = 0; kind < 2; kind++) {
    struct run run = {.flags = kind ? MCK_ACCESS_STORE : 0, .write = write, .context = context};
    for (uint32_t p = 0; p < c->npages; p++)
      for (unsigned i = 0; i < CELLS; i++) {
        const struct cell *cell = &c->pages[p]->cells[i];
        uint64_t base = c->pages[p]->number * PAGE + i * CELL;
        for (unsigned bytes = cell->bytes[kind]; bytes;) {
          unsigned first = (unsigned)__builtin_ctz(bytes), n = (unsigned)__builtin_ctz(~(bytes >> first));
          add_to_run(&run, base + first, base + first + n, cell->site[kind]);
          bytes &= ~(((1u << n) - 1) << first);
        }
      }
    add_to_run(&run, 0, 0, MCK_NONE);
  }
  for (uint32_t p = 0; p < c->npages; p++) memset(c->pages[p]->cells, 0, sizeof c->pages[p]->cells);
  memset(c->slots, 0, sizeof c->slots);
  c->npages = 0;
}

void mck_cells_end(struct mck_cells *c) {
  for (uint32_t i = 0; c && i < c->nmade / BATCH; i++) mck_memory_release(c->batches[i], BATCH * sizeof *c->batches[i]);
  mck_memory_release(c, sizeof *c);
}
