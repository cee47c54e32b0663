// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers of RMA operations that lie in window memory themselves. While the operation is not complete at its origin,
// MPI loads the origin buffer and stores into the result buffer. An access of another rank to those bytes conflicts
// with that like with a load or store of ours (MPI-3.1 11.7). Each buffer is an ACCESS directly behind its operation;
// the judge knows when the operation is over.
#include "record/rma/attached-memory.h"
#include "record/rma/repeated-events.h"
#include "record/rma/window-buffer.h"
#include "record/runtime.h"
#include "record/access/touched-range.h"

// A buffer of more blocks, or of more pieces in a dynamic window, is left out.
enum { BLOCKS_MAX = 8, PARTS_MAX = 1024 };

static void write_access(const struct mck_window *w, uint8_t flags, uint32_t site, const char *low, uint64_t size,
                         uint64_t n, int64_t stride) {
  const char *high = low + size;
  if (size > INT32_MAX || n > UINT32_MAX || (n > 1 && (stride < (int64_t)size || stride > INT32_MAX))) return;
  if (n > 1) high += (n - 1) * (uint64_t)stride;
  if (n > 1 && (low < w->base || high > w->base + w->size)) return;
  if (low < w->base) low = w->base;
  if (high > w->base + w->size) high = w->base + w->size;
  struct mck_event *e = low < high && mck_rt.is_ready ? mck_log_reserve(&mck_rt.log, 1) : NULL;
  if (!e) return;
  e->kind = MCK_EV_ACCESS, e->flags = flags, e->fn = (uint16_t)w->owner, e->site = site;
  e->access.win = w->object.id, e->access.size = n > 1 ? (uint32_t)size : (uint32_t)(high - low),
  e->access.offset = w->origin + (uint64_t)(low - w->base);
  e->access.n = (uint32_t)n, e->access.stride = n > 1 ? (int32_t)stride : 0;
  mck_repeated_commit();
}

struct attached {
  const struct mck_window *window;
  uint8_t flags;
  uint32_t site;
};
static void write_attached(void *context, const char *low, const char *high) {
  const struct attached *a = context;
  struct mck_window w = {.object = a->window->object,
                         .base = (char *)(uintptr_t)low,
                         .size = (uint64_t)(high - low),
                         .origin = (uintptr_t)low};
  write_access(&w, a->flags, a->site, low, w.size, 1, 0);
}

static void log_attached(struct attached *a, const char *address, int64_t count, const struct mck_type *t) {
  if (t->is_dense)
    mck_attached_each(a->window, address + t->low, address + (count - 1) * t->extent + t->high, write_attached, a);
  else
    for (int64_t k = 0; count <= PARTS_MAX && k < count; k++)
      for (uint32_t i = 0; i < t->nblocks; i++) {
        const char *low = address + k * t->extent + t->blocks[i].offset;
        mck_attached_each(a->window, low, low + t->blocks[i].length, write_attached, a);
      }
}

void mck_window_buffer_log(const void *address, int64_t count, const struct mck_type *t, bool is_written,
                           uint32_t site) {
  if (!mck_nwindows || !t || count <= 0 || !t->nblocks || t->nblocks > BLOCKS_MAX || t->extent <= 0) return;
  int64_t span;
  if (__builtin_mul_overflow(count - 1, t->extent, &span)) return;
  const char *first = (const char *)address + t->low, *end = (const char *)address + span + t->high;
  uint8_t flags = MCK_ACCESS_BUFFER | (is_written ? MCK_ACCESS_STORE : 0);
  for (const struct mck_window *w = mck_windows; w; w = w->next) {
    if (w->attached) log_attached(&(struct attached){w, flags, site}, address, count, t);
    if (first >= w->base + w->size || end <= w->base || w->origin)
      continue; // origin: found with the window that it belongs to
    if (t->is_dense) write_access(w, flags, site, first, (uint64_t)(end - first), 1, 0);
    else
      for (uint32_t i = 0; i < t->nblocks; i++)
        write_access(w, flags, site, (const char *)address + t->blocks[i].offset, t->blocks[i].length, (uint64_t)count,
                     t->extent);
  }
}

MCK_HOT bool mck_window_buffer_is_outside(const void *low, const void *high) {
  for (const struct mck_window *w = mck_windows; w; w = w->next)
    if (w->attached || ((const char *)low < w->base + w->size && (const char *)high > w->base)) return false;
  return true;
}

// MPI has refused the operation, which is this event.
void mck_window_buffer_unmake(uint32_t event) {
  struct mck_event *first = mck_rt.log.first;
  while (&first[++event] < mck_rt.log.next && first[event].kind == MCK_EV_ACCESS &&
         first[event].flags & MCK_ACCESS_BUFFER)
    mck_event_unmake(&first[event]);
}
