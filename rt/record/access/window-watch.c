// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows whose memory is watched, and what else may lie in that memory.
#include "record/access/window-watch.h"
#include <string.h>
#include "record/access/reserved-memory.h"
#include "record/access/touched-range.h"
#include "record/access/touched-window.h"
#include "record/access/unsignalled.h"
#include "record/buffer/buffer-in-use.h"
#include "record/rma/attached-memory.h"
#include "record/rma/parked-buffer.h"
#include "record/runtime.h"

struct mck_window *mck_windows;
_Atomic unsigned mck_nwindows;
unsigned mck_windows_version;

// For bitmaps.
static uint64_t memory_for(uint64_t size) {
  return (size / 8 + 8 * MCK_TOUCHED_WORD * MCK_TOUCHED_WORD) & ~(uint64_t)7;
}

void mck_window_watch(struct mck_window *w) {
  mck_parked_end_all();
  bool is_dynamic = w->flavor == MPI_WIN_FLAVOR_DYNAMIC; // it has no memory of its own yet (attached-memory.c)
  if (!mck_rt.is_instrumented) mck_unsignalled_is_relevant = true;
  if (!mck_rt.is_instrumented || !mck_options.access || (!is_dynamic && (!w->base || !w->size)) ||
      w->object.id == MCK_NONE)
    return;
  if (!w->touched) // not from the heap: MPI_Win_attach counts the pages of the program's blocks
    w->touched = mck_memory_reserve(sizeof *w->touched);
  if (!w->touched) return;
  memset(w->touched, 0, sizeof *w->touched);
  if (!is_dynamic) {
    w->touched->memory = mck_memory_reserve(memory_for(w->size));
    if (w->touched->memory) w->touched->size = memory_for(w->size);
    // Buffers that are in use already may lie in the window: it is treated as if one always did.
    if (mck_range_set_size) w->touched->nothers = 1;
    else
      mck_known_begin(&w->touched->known, (uintptr_t)w->base, (uintptr_t)w->base + w->size,
                      !mck_is_locked() && !mck_rt.is_profiler);
    if (w->touched->known.pages) mck_marks_begin(&w->touched->marks, w->touched->known.npages);
  }
  w->touched->nothers += mck_touched_share(w->base, w->base + w->size, 1) + mck_attached_in(w->base, w->base + w->size);
  w->next = mck_windows, mck_windows = w, mck_windows_version++;
  mck_nwindows++;
  mck_filter_mark_pages((uintptr_t)w->base, (uintptr_t)w->base + w->size, 1, true);
}

void mck_window_unwatch(struct mck_window *w) {
  mck_parked_end_all();
  for (struct mck_window **p = &mck_windows; *p; p = &(*p)->next) {
    if (*p != w) continue;
    *p = w->next, mck_windows_version++;
    mck_nwindows--;
    mck_touched_share(w->base, w->base + w->size, -1);
    mck_filter_mark_pages((uintptr_t)w->base, (uintptr_t)w->base + w->size, -1, true);
    struct mck_touched *t = w->touched;
    mck_element_map_end(&t->maps);
    mck_cells_end(t->budget.cells);
    mck_memory_release(t->memory, t->size);
    mck_marks_end(&t->marks, t->known.npages);
    mck_known_end(&t->known);
    memset(t, 0, sizeof *t);
    return;
  }
}

void mck_window_forget(struct mck_window *w) {
  mck_window_unwatch(w);
  mck_memory_release(w->touched, sizeof *w->touched);
  w->touched = NULL;
}

static void change_others(struct mck_touched *t, int by) {
  t->nothers += by;
  if (t->nothers) {
    mck_element_map_suspend(&t->maps);
    mck_marks_stop();
  }
}

// Whole pages count, since it is a page that is fully recorded.
static inline bool is_beside(const struct mck_window *w, const char *low, const char *high) {
  const struct mck_known_pages *s = &w->touched->known;
  return (uintptr_t)low < s->base + s->npages * MCK_KNOWN_PAGE && (uintptr_t)high > s->base;
}

void mck_touched_guard(const char *low, const char *high, int by) {
  for (struct mck_window *w = mck_windows; w; w = w->next)
    if (is_beside(w, low, high)) change_others(w->touched, by);
}

bool mck_touched_is_guarded(const char *low, const char *high) {
  for (const struct mck_window *w = mck_windows; w; w = w->next)
    if (is_beside(w, low, high)) return true;
  return false;
}

int mck_touched_share(const char *low, const char *high, int by) {
  int n = 0;
  for (struct mck_window *w = mck_windows; w; w = w->next)
    if (low < w->base + w->size && high > w->base) change_others(w->touched, by), n++;
  return n;
}
