// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of a window that is not its own part: what other processes gave to a shared window, which this process may load and store directly
// (MPI-3.1 11.2.3), and what is attached to a dynamic one (11.2.4). Each is watched like a window of its own that writes for the real one.
#include <stdlib.h>
#include "record/runtime.h"

static void add(struct mck_window *w, char *base, uint64_t size, uint32_t owner, uint64_t lead) {
  struct mck_window *s = base && size ? calloc(1, sizeof *s) : NULL;
  if (!s) return;
  s->object = w->object;
  s->base = base, s->size = size, s->owner = owner, s->lead = lead;
  s->segments = w->segments, w->segments = s;
  mck_window_watch(s);
}

void mck_segments_share(struct mck_window *w, MPI_Win win, int rank) {
  enum { SEGMENTS_MAX = 1024 };   // each has a table of places
  if (w->flavor != MPI_WIN_FLAVOR_SHARED || w->object.id == MCK_NONE || !mck_rt.is_instrumented || w->group_size > SEGMENTS_MAX) return;
  for (int r = 0; r < w->group_size; r++) {
    MPI_Aint size = 0;
    int unit;
    void *base = NULL;
    if (r != rank && PMPI_Win_shared_query(win, r, &size, &unit, &base) == MPI_SUCCESS && size > 0) add(w, base, (uint64_t)size, (uint32_t)r + 1, 0);
  }
}

// In the log displacements of a dynamic window are addresses.
void mck_segments_attach(struct mck_window *w, const void *base, uint64_t size) {
  if (w->flavor == MPI_WIN_FLAVOR_DYNAMIC && w->object.id != MCK_NONE && mck_rt.is_instrumented) add(w, (char *)(uintptr_t)base, size, 0, (uintptr_t)base);
}

static void end(struct mck_window *s) {
  mck_window_unwatch(s);
  free(s->touched);
  free(s);
}

void mck_segments_detach(struct mck_window *w, const void *base) {
  for (struct mck_window **p = &w->segments; *p; p = &(*p)->segments) {
    struct mck_window *s = *p;
    if (s->base != base) continue;
    *p = s->segments;
    end(s);
    return;
  }
}

void mck_segments_end(struct mck_window *w) {
  while (w->segments) {
    struct mck_window *s = w->segments;
    w->segments = s->segments;
    end(s);
  }
}
