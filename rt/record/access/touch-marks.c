// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the places that set marks, and writes what they marked.
#include "record/access/touch-marks.h"
#include <string.h>
#include "object/object.h"
#include "record/access/reserved-memory.h"
#include "record/access/touched-range.h"
#include "record/access/touched-window.h"

enum { CELL = 1 << MCK_CELL_SHIFT, CELLS = MCK_KNOWN_PAGE / CELL, PART = 2, LARGEST = 64 };

struct mck_mark_place mck_mark_places[MCK_MARK_PLACES];

static uint64_t bytes_for(uint64_t npages) {
  return npages * CELLS * sizeof(mck_mark) + MCK_MARK_PLACES * sizeof(struct mck_marked_pieces);
}

void mck_marks_begin(struct mck_marks *m, uint64_t npages) {
  char *memory = mck_memory_reserve(bytes_for(npages));
  if (!memory) return;
  m->cells = (mck_mark *)(void *)memory;
  m->places = (struct mck_marked_pieces *)(void *)(memory + npages * CELLS * sizeof(mck_mark));
}

static void stop(struct mck_marks *m) {
  for (unsigned i = 0; i < m->nused; i++) mck_mark_places[m->used[i]].pc = NULL;
}

void mck_marks_stop(void) {
  for (struct mck_window *w = mck_windows; w; w = w->next) stop(&w->touched->marks);
}

void mck_marks_end(struct mck_marks *m, uint64_t npages) {
  stop(m);
  mck_memory_release(m->cells, bytes_for(npages));
  *m = (struct mck_marks){0};
}

static bool is_free(const struct mck_marks *m, unsigned number, const void *pc) {
  const void *here = m->places[number].pc, *elsewhere = mck_mark_places[number].pc;
  return (!here || here == pc) && (!elsewhere || elsewhere == pc);
}

void mck_marks_let(struct mck_window *w, const void *pc, uint64_t size, uint32_t site, uint8_t flags) {
  struct mck_marks *m = &w->touched->marks;
  struct mck_known_pages *s = &w->touched->known;
  unsigned number = mck_mark_number(pc);
  if (!m->cells || size > w->size || size > LARGEST) return; // a longer one is better kept as a range
  if (mck_mark_places[number ^ 1].pc == pc || !is_free(m, number, pc)) number ^= 1;
  if (!is_free(m, number, pc)) return;
  struct mck_marked_pieces *p = &m->places[number];
  if (!p->pc) m->used[m->nused++] = (uint16_t)number;
  else if (p->pieces.site != site || p->pieces.flags != flags) return;
  *p = (struct mck_marked_pieces){.pc = pc, .pieces = {.site = site, .flags = flags}};
  mck_mark_places[number] = (struct mck_mark_place){.pc = pc,
                                                    .low = (uintptr_t)w->base,
                                                    .first = s->base,
                                                    .span = w->size - size,
                                                    .known = s,
                                                    .pages = s->pages,
                                                    .cells = m->cells,
                                                    .what = size << 8 |
                                                            (flags & MCK_ACCESS_STORE ? MCK_SIGNAL_STORE : 0),
                                                    .tag = (uint16_t)(number << MCK_MARK_SHIFT | MCK_MARK_PARTS)};
}

static inline void end_piece(struct mck_window *w, struct mck_marked_pieces *p) {
  uint64_t size = p->high - p->low;
  if (size && !mck_access_pieces_next(&p->pieces, p->low, size)) mck_access_pieces_add(&p->pieces, w, p->low, size);
}

// Bytes of the window, upwards.
static inline void note(struct mck_window *w, struct mck_marked_pieces *p, uint64_t low, uint64_t size) {
  if (low != p->high) {
    end_piece(w, p);
    p->low = low;
  }
  p->high = low + size;
}

static void note_parts(struct mck_window *w, struct mck_marked_pieces *p, uint64_t low, unsigned parts) {
  while (parts) {
    unsigned first = (unsigned)__builtin_ctz(parts), n = (unsigned)__builtin_ctz(~(parts >> first));
    note(w, p, low + first * PART, (uint64_t)n * PART);
    parts &= parts + (1u << first);
  }
}

static inline void note_mark(struct mck_window *w, struct mck_marks *m, uint64_t low, unsigned mark) {
  struct mck_marked_pieces *p = &m->places[mark >> MCK_MARK_SHIFT];
  unsigned parts = mark & MCK_MARK_PARTS;
  if (MCK_LIKELY(parts == MCK_MARK_PARTS)) note(w, p, low, CELL);
  else note_parts(w, p, low, parts);
}

static void write_page(struct mck_window *w, struct mck_marks *m, uint64_t page) {
  mck_mark *cells = &m->cells[page * CELLS];
  // The window may begin within a cell; then it has only the parts behind that.
  uint64_t base = w->touched->known.base + page * MCK_KNOWN_PAGE - (uintptr_t)w->base;
  for (unsigned i = 0; i < CELLS; i++) {
    uint32_t both;
    memcpy(&both, cells[i], sizeof both);
    if (!both) continue;
    if (cells[i][0]) note_mark(w, m, base + i * CELL, cells[i][0]);
    if (cells[i][1]) note_mark(w, m, base + i * CELL, cells[i][1]);
  }
  memset(cells, 0, CELLS * sizeof *cells);
}

void mck_marks_flush(struct mck_window *w) {
  struct mck_marks *m = &w->touched->marks;
  struct mck_known_pages *s = &w->touched->known;
  if (!m->nused) return;
  for (uint32_t i = 0; i < s->ndirty; i++) {
    struct mck_known_page *page = &s->pages[s->dirty[i]];
    if (page->is_marked) write_page(w, m, s->dirty[i]);
    page->is_marked = false;
  }
  for (unsigned i = 0; i < m->nused; i++) {
    struct mck_marked_pieces *p = &m->places[m->used[i]];
    end_piece(w, p);
    mck_access_pieces_end(&p->pieces, w);
    p->pc = mck_mark_places[m->used[i]].pc = NULL;
  }
  m->nused = 0;
}
