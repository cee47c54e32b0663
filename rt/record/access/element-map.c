// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random updates of a window. Whether a cell was accessed before is as random as the cell, so instrumented code does
// not ask. Each place that jumps about has a byte per element, which it sets; a flush turns the bytes into runs. Each
// place notes its own accesses, whatever other places accessed the same cell, so the line that is reported is one
// that did it.
//
// Other threads may set bytes at any time. What they read of a map may be old: then they set a byte of a window that
// was just flushed, and the next flush finds it. So the memory of a map is never unmapped, and a map is never given
// to another place.
#include <sys/single_threaded.h>
#include "abi.h"
#include "record/access/page-sweep.h"
#include "record/access/element-map.h"
#include "object/object.h"
#include "record/call/stack.h"
#include "record/access/reserved-memory.h"
#include "record/access/touched-range.h"

enum { WINDOW_MIN = 1 << 14, BATCH = 256, WORD = 64, PAGE = 1 << MCK_PAGE_SHIFT };
static struct mck_mapped_place *spare, *batch;
static unsigned nleft;

static struct mck_mapped_place *take(const struct mck_map **owner) {
  for (struct mck_mapped_place **p = &spare; *p; p = &(*p)->next) {
    struct mck_mapped_place *m = *p;
    if (m->owner != owner) continue;
    *p = m->next;
    return m;
  }
  if (!nleft) {
    batch = mck_memory_reserve(BATCH * sizeof *batch);
    if (!batch) return NULL;
    nleft = BATCH;
  }
  return &batch[--nleft];
}

// All maps of a window together take at most as many addresses as the window itself.
struct mck_mapped_place *mck_element_map_start(struct mck_window *w, struct mck_element_maps *set,
                                               const struct mck_pieces *a, uint8_t flags) {
  if (w->size < WINDOW_MIN || a->size & (a->size - 1)) return NULL;
  unsigned shift = (unsigned)__builtin_ctzll(a->size);
  uintptr_t base = ((uintptr_t)w->base + a->size - 1) & ~(uintptr_t)(a->size - 1);
  uint64_t elements = ((uintptr_t)w->base + w->size - base) >> shift, before = base % PAGE >> shift;
  uint64_t per_page = PAGE >> shift, bytes = (before + elements + per_page - 1) / per_page * per_page;
  if (set->size + bytes > w->size + w->size / 64) return NULL;
  uint8_t *memory = mck_memory_reserve(bytes);
  struct mck_mapped_place *m = memory ? take(a->map) : NULL;
  if (!m) {
    mck_memory_release(memory, bytes);
    return NULL;
  }
  struct mck_page_sweep sweep = {
      .maps = m->sweep.maps, .nmaps = m->sweep.nmaps, .page = MCK_NO_PAGE, .lowest = UINT64_MAX};
  *m = (struct mck_mapped_place){.whole = {{base, 0, memory + before}, m},
                                 .owner = a->map,
                                 .window = w,
                                 .next = set->places,
                                 .memory = memory,
                                 .elements = elements,
                                 .bytes = bytes,
                                 .flags = flags,
                                 .shift = (uint8_t)shift,
                                 .sweep = sweep};
  set->places = m, set->size += bytes;
  return m;
}

struct mck_mapped_place *mck_element_map_find(const struct mck_window *w, const struct mck_element_maps *set,
                                              const struct mck_pieces *a, uint8_t flags, bool *is_elsewhere) {
  // This is the place's map, or a map of a window that was freed, or mck.nothing (all zeroes).
  struct mck_mapped_place *m = ((const struct mck_place_map *)(const void *)*a->map)->place;
  *is_elsewhere = m && m->owner == a->map && m->window != w && (*a->map)->elements;
  if (*is_elsewhere) return NULL;
  if (!m || m->owner != a->map || m->window != w)
    for (m = set->places; m && m->owner != a->map;) m = m->next;
  *is_elsewhere = m && (m->flags != flags || (uint64_t)1 << m->shift != a->size);
  return *is_elsewhere ? NULL : m;
}

bool mck_element_map_add(struct mck_window *w, struct mck_element_maps *set, const struct mck_pieces *a, uint8_t flags,
                         bool has_jumped) {
  bool is_elsewhere;
  struct mck_mapped_place *m = mck_element_map_find(w, set, a, flags, &is_elsewhere);
  if (is_elsewhere) return false;
  if (!m && has_jumped) m = mck_element_map_start(w, set, a, flags);
  if (!m || !(m->is_busy || has_jumped)) return false;
  struct mck_map *map = &m->whole.map;
  uint64_t offset = (uintptr_t)a->low - map->base, element = offset >> m->shift;
  if (offset & (a->size - 1) || element >= m->elements) return false;
  if (!map->elements) {
    m->site = mck_stack_site(a->pc, a->frame);
    mck_page_sweep_suspend(m);
    m->is_used = true, map->elements = m->elements;
    *a->map = map;
  }
  map->marks[element] = 1;
  return true;
}

static uint64_t take_word(uint64_t *word) {
  uint64_t value = *word;
  if (!value) return 0;
  if (!__libc_single_threaded) return __atomic_exchange_n(word, 0, __ATOMIC_RELAXED);
  *word = 0;
  return value;
}

static void write_marks(struct mck_window *w, struct mck_mapped_place *m) {
  uint64_t begin = 0, end = 0, noted = 0,
           base = m->whole.map.base / PAGE * PAGE - (uintptr_t)w->base; // the run so far, in elements
  for (uint64_t line = 0; line < m->bytes; line += WORD) {
    uint64_t *words = (uint64_t *)(void *)(m->memory + line);
    if (!(words[0] | words[1] | words[2] | words[3] | words[4] | words[5] | words[6] | words[7])) continue;
    for (unsigned i = 0; i < WORD / 8; i++) {
      uint64_t at = line + i * 8;
      unsigned bits = (unsigned)(take_word(&words[i]) * 0x0102040810204080u >> 56); // byte k becomes bit k
      noted += (unsigned)__builtin_popcount(bits);
      while (bits) {
        unsigned low = (unsigned)__builtin_ctz(bits), length = (unsigned)__builtin_ctz(~(bits >> low));
        if (at + low != end) {
          if (begin != end)
            mck_touched_write(w, m->site, m->flags, base + (begin << m->shift), (end - begin) << m->shift, 1, 0);
          begin = at + low;
        }
        end = at + low + length;
        bits &= bits + (1u << low);
      }
    }
  }
  if (begin != end)
    mck_touched_write(w, m->site, m->flags, base + (begin << m->shift), (end - begin) << m->shift, 1, 0);
  m->is_busy = noted >= mck_element_map_worth(m->elements);
}

void mck_element_map_suspend(struct mck_element_maps *set) {
  for (struct mck_mapped_place *m = set->places; m; m = m->next) {
    m->whole.map.elements = 0;
    mck_page_sweep_suspend(m);
  }
}

void mck_element_map_flush(struct mck_window *w, struct mck_element_maps *set) {
  for (struct mck_mapped_place *m = set->places; m; m = m->next) {
    if (!m->is_used) continue;
    m->whole.map.elements = 0, m->is_used = false;
    write_marks(w, m);
  }
}

void mck_element_map_end(struct mck_element_maps *set) {
  for (struct mck_mapped_place *m = set->places, *next; m; m = next) {
    next = m->next;
    m->whole.map.elements = 0, m->window = NULL;
    mck_page_sweep_end(m);
    mck_memory_release(m->memory, m->bytes);
    m->next = spare, spare = m;
  }
  *set = (struct mck_element_maps){0};
}
