// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the places that set marks, and writes what they marked.
#include "record/access/touch-marks.h"
#include <string.h>
#include "object/object.h"
#include "record/access/reserved-memory.h"
#include "record/access/touched-range.h"
#include "record/access/touched-window.h"

enum { CELL = 1 << MCK_CELL_SHIFT, CELLS = MCK_KNOWN_PAGE / CELL, PART = 2, GROUP = 8 };

struct mck_mark_place mck_mark_places[MCK_MARK_PLACES] __attribute__((aligned(64)));

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

// The place with this address: a number that no other place has, here or in another window. -1: there is none.
static int take_number(struct mck_marks *m, const void *pc) {
  unsigned number = mck_mark_number(pc);
  if (!m->cells) return -1;
  if (mck_mark_places[number ^ 1].pc == pc || !is_free(m, number, pc)) number ^= 1;
  if (!is_free(m, number, pc)) return -1;
  if (!m->places[number].pc) m->used[m->nused++] = (uint16_t)number;
  return (int)number;
}

static struct mck_mark_place *set_place(struct mck_window *w, unsigned number, const void *pc, bool is_store) {
  struct mck_known_pages *s = &w->touched->known;
  struct mck_mark_place *p = &mck_mark_places[number];
  *p = (struct mck_mark_place){.pc = pc,
                               .what = is_store ? MCK_SIGNAL_STORE : 0,
                               .first = s->base,
                               .span = w->size,
                               .begin = (uint16_t)((uintptr_t)w->base - s->base),
                               .tag = (uint16_t)(number << MCK_MARK_SHIFT | MCK_MARK_PARTS),
                               .bits = is_store ? MCK_MARK_PARTS << MCK_MARK_SHIFT | MCK_MARK_PARTS : MCK_MARK_PARTS,
                               .kind = MCK_MARK_LOOKS,
                               .stores = is_store,
                               .marks = &w->touched->marks.cells[0][is_store],
                               .pages = s->pages,
                               .known = s};
  return p;
}

void mck_marks_let(struct mck_window *w, const void *pc, uint64_t size, uint32_t site, uint8_t flags) {
  struct mck_marks *m = &w->touched->marks;
  if (size > w->size || size > MCK_MARK_LARGEST || (size > CELL && size % CELL)) return;
  int number = take_number(m, pc);
  if (number < 0) return;
  struct mck_marked_pieces *p = &m->places[number];
  if (p->pc && p->pieces.site != MCK_NONE && (p->pieces.site != site || p->pieces.flags != flags)) return;
  *p = (struct mck_marked_pieces){.pc = pc, .pieces = {.site = site, .flags = flags}};
  struct mck_mark_place *place = set_place(w, (unsigned)number, pc, flags & MCK_ACCESS_STORE);
  place->what |= size << 8;
  place->span -= size;
  place->kind = size < CELL ? MCK_MARK_PART : (uint8_t)(size / CELL);
}

void mck_marks_let_look(struct mck_window *w, const void *pc, bool is_store) {
  struct mck_marks *m = &w->touched->marks;
  int number = take_number(m, pc);
  if (number < 0 || m->places[number].pc) return;
  m->places[number] = (struct mck_marked_pieces){.pc = pc, .pieces = {.site = MCK_NONE}};
  set_place(w, (unsigned)number, pc, is_store);
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

// Of the cells of a group. Most of a page may have none.
static inline bool has_marks(const mck_mark *cells) {
  uint64_t words[GROUP * sizeof *cells / sizeof(uint64_t)];
  memcpy(words, cells, sizeof words);
  return words[0] | words[1] | words[2] | words[3];
}

static void write_page(struct mck_window *w, struct mck_marks *m, uint64_t page) {
  mck_mark *cells = &m->cells[page * CELLS];
  // The window may begin within a cell; then it has only the parts behind that.
  uint64_t base = w->touched->known.base + page * MCK_KNOWN_PAGE - (uintptr_t)w->base;
  for (unsigned group = 0; group < CELLS; group += GROUP) {
    if (!has_marks(cells + group)) continue;
    for (unsigned i = group; i < group + GROUP; i++) {
      if (cells[i][0]) note_mark(w, m, base + i * CELL, cells[i][0]);
      if (cells[i][1]) note_mark(w, m, base + i * CELL, cells[i][1]);
    }
    memset(cells + group, 0, GROUP * sizeof *cells);
  }
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
