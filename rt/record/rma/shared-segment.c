// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that other processes gave to a shared window. This process may load from it and store to it directly
// (MPI-3.1 11.2.3). Each part is watched like a window of its own that writes for the real one. So is a large piece
// of memory that is attached to a dynamic window (attached-memory.c).
#include <sys/mman.h>
#include "record/rma/attached-memory.h"
#include "record/access/window-watch.h"
#include "record/rma/shared-segment.h"
#include "record/runtime.h"

enum { SEGMENTS_MAX = 1024 }; // each has a table of places
// Not from the heap: MPI_Win_attach counts pages, and blocks of ours would spread the program's over more of them.
static struct mck_window *pool, *spare;
static unsigned nused;

struct mck_window *mck_segment_take(const struct mck_window *of, char *base, uint64_t size) {
  struct mck_window *s = spare;
  if (!pool) {
    void *memory = mmap(NULL, SEGMENTS_MAX * sizeof *pool, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    pool = memory;
  }
  if (s) spare = s->segments;
  else if (nused < SEGMENTS_MAX) s = &pool[nused++];
  if (!s) return NULL; // there are more than we look at
  *s = (struct mck_window){.object = of->object, .base = base, .size = size};
  if (of->flavor == MPI_WIN_FLAVOR_DYNAMIC) s->origin = (uintptr_t)base;
  return s;
}

static void add(struct mck_window *w, char *base, uint64_t size, uint32_t owner) {
  struct mck_window *s = base && size ? mck_segment_take(w, base, size) : NULL;
  if (!s) return;
  s->owner = owner;
  s->segments = w->segments, w->segments = s;
  mck_window_watch(s);
}

void mck_segments_share(struct mck_window *w, MPI_Win win, int rank) {
  if (w->flavor != MPI_WIN_FLAVOR_SHARED || w->object.id == MCK_NONE || !mck_rt.is_instrumented ||
      w->group_size > SEGMENTS_MAX)
    return;
  for (int r = 0; r < w->group_size; r++) {
    MPI_Aint size = 0;
    int unit;
    void *base = NULL;
    if (r != rank && PMPI_Win_shared_query(win, r, &size, &unit, &base) == MPI_SUCCESS && size > 0)
      add(w, base, (uint64_t)size, (uint32_t)r + 1);
  }
}

void mck_segment_end(struct mck_window *s) {
  mck_window_forget(s);
  s->segments = spare, spare = s;
}

void mck_segments_end(struct mck_window *w) {
  while (w->segments) {
    struct mck_window *s = w->segments;
    w->segments = s->segments;
    mck_segment_end(s);
  }
}
