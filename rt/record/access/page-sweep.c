// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each page has a map of its own. It is never unmapped, and only its number of elements ever changes, between none
// and all. So whatever another thread has read of it when the place moves on, the byte that it then sets is that of
// the element it accesses. Such a byte may be set after its page was added to what is recorded. It is found when the
// threads are known (mck_is_locked): then all pages are looked at once more, and there are no sweeps any more.
#include "record/access/page-sweep.h"
#include <sys/mman.h>
#include "record/access/element-map.h"
#include "record/call/stack.h"
#include "record/access/reserved-memory.h"
#include "record/runtime.h"
#include "record/access/known-access.h"
#include "record/access/touched-range.h"

enum { PAGE = MCK_KNOWN_PAGE };

struct fold {
  struct mck_window *window;
  struct mck_mapped_place *place;
};
static void note(void *context, uintptr_t low, uint64_t size) {
  const struct fold *f = context;
  const struct mck_mapped_place *m = f->place;
  mck_touched_add_run(f->window, m->sweep.pc, m->sweep.frame, m->site, m->flags, low - (uintptr_t)f->window->base,
                      size);
}

// page counts from the first page of the window, as in what is recorded.
static uint8_t *marks_of(const struct mck_mapped_place *m, const struct mck_known_pages *known, uint64_t page) {
  // The first element may begin in the second page of the window.
  uint64_t first = (m->whole.map.base - known->base) / PAGE;
  return page < first ? NULL : m->memory + ((page - first) * PAGE >> m->shift);
}

static void fold(struct mck_window *w, struct mck_mapped_place *m, struct mck_known_pages *known, uint64_t page) {
  uint8_t *marks = marks_of(m, known, page);
  if (marks) mck_known_fold(known, page, marks, m->shift, m->flags & MCK_ACCESS_STORE, note, &(struct fold){w, m});
}

void mck_page_sweep_suspend(struct mck_mapped_place *m) {
  if (m->sweep.page != MCK_NO_PAGE) m->sweep.maps[m->sweep.page].map.elements = 0;
}

static bool has_room(struct mck_mapped_place *m, const struct mck_known_pages *known) {
  if (m->sweep.nmaps >= known->npages) return true;
  struct mck_place_map *maps = mck_memory_reserve(known->npages * sizeof *maps);
  if (!maps) return false;
  m->sweep.maps = maps,
  m->sweep.nmaps = known->npages; // the old maps stay where they are: instrumented code may still read them
  return true;
}

static void move(struct mck_mapped_place *m, const struct mck_known_pages *known, uint64_t page,
                 const struct mck_pieces *a) {
  uint8_t *marks = marks_of(m, known, page);
  if (!marks || !has_room(m, known)) return;
  struct mck_page_sweep *f = &m->sweep;
  struct mck_place_map *map = &f->maps[page];
  uintptr_t low = known->base + page * PAGE, high = low + PAGE, first = m->whole.map.base,
            end = first + (m->elements << m->shift);
  if (first > low) marks += (first - low) >> m->shift, low = first;
  if (high > end) high = end;
  if (!map->place) *map = (struct mck_place_map){{low, 0, marks}, m};
  if (f->page == MCK_NO_PAGE || f->pc != a->pc || f->frame != a->frame)
    m->site = mck_stack_site(a->pc, a->frame), f->pc = a->pc, f->frame = a->frame;
  f->page = page;
  if (page < f->lowest) f->lowest = page;
  if (page > f->highest) f->highest = page;
  map->map.elements = (high - low) >> m->shift;
  __atomic_store_n(a->map, &map->map, __ATOMIC_RELEASE);
}

// Whether a place that is at this page has set the byte of this access.
static bool is_set(const struct mck_element_maps *set, const struct mck_known_pages *known, const struct mck_pieces *a,
                   uint8_t flags, uint64_t page) {
  for (const struct mck_mapped_place *m = set->places; m; m = m->next) {
    if (m->sweep.page != page || a->size != (uint64_t)1 << m->shift || (flags & ~m->flags)) continue;
    if (marks_of(m, known, page)[(uintptr_t)a->low % PAGE >> m->shift]) return true;
  }
  return false;
}

bool mck_page_sweep_add(struct mck_window *w, struct mck_element_maps *set, struct mck_known_pages *known,
                        const struct mck_pieces *a, uint8_t flags, bool is_settled) {
  if ((a->size != 4 && a->size != 8) || (uintptr_t)a->low & (a->size - 1)) return false;
  uint64_t page = mck_known_page(known, (uintptr_t)a->low);
  bool is_noted = is_set(set, known, a, flags, page), is_elsewhere;
  struct mck_mapped_place *m = mck_element_map_find(w, set, a, flags, &is_elsewhere);
  if (is_elsewhere || (m && m->is_used)) return is_noted;
  if (m && m->sweep.page != MCK_NO_PAGE && (is_settled || page - m->sweep.page + 1 <= 2)) {
    // A page beside the last one: what was accessed there goes on here. Where all of it is recorded, the place has
    // nothing more to do there.
    fold(w, m, known, m->sweep.page);
    is_settled |= mck_known_complete_page(known, m->sweep.page, m->flags & MCK_ACCESS_STORE);
  }
  if (!is_settled) return is_noted;
  if (!m) m = mck_element_map_start(w, set, a, flags);
  if (!m) return is_noted;
  mck_page_sweep_suspend(m);
  move(m, known, page, a);
  return is_noted;
}

void mck_page_sweep_flush(struct mck_window *w, struct mck_element_maps *set, struct mck_known_pages *known) {
  for (struct mck_mapped_place *m = set->places; m; m = m->next) {
    struct mck_page_sweep *f = &m->sweep;
    uint64_t from = f->page, to = f->page;
    if (MCK_UNLIKELY(mck_is_locked()) && f->lowest <= f->highest)
      from = f->lowest, to = f->highest, f->lowest = UINT64_MAX;
    if (from == MCK_NO_PAGE) continue;
    mck_page_sweep_suspend(m);
    f->page = MCK_NO_PAGE;
    // A place with a map of the whole window sets bytes for what is recorded, too: all are written with that map.
    for (uint64_t page = from; page <= to && !m->is_used; page++) fold(w, m, known, page);
  }
}

void mck_page_sweep_end(struct mck_mapped_place *m) {
  m->sweep.page = MCK_NO_PAGE;
  // Not unmapped: the pointer of the place may still point there.
  if (m->sweep.maps) madvise(m->sweep.maps, m->sweep.nmaps * sizeof *m->sweep.maps, MADV_DONTNEED);
}
