// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes accesses to window memory to the log, within the budget.
#include "record/access/access-budget.h"
#include "record/error/local-finding.h"
#include "record/rma/repeated-events.h"
#include "record/runtime.h"

enum { SIZE_MAX_LOG = 30 };

static uint64_t total; // pieces in this log
static bool is_spent;

// A quarter of what a log may hold: the rest of the run is worth more than the rest of its loads and stores.
static bool is_full(const struct mck_window *w) {
  if (total < ((uint64_t)mck_options.log_limit << 20) / MCK_UNIT / 4) return false;
  is_spent = true;
  struct mck_finding *f = mck_local_add(MCK_CHECK_INCOMPLETE, MCK_NONE, (uint64_t)mck_options.log_limit);
  mck_finding_text(f,
                   "window memory was touched in more than %llu pieces: races of later loads and stores are not found",
                   (unsigned long long)total);
  mck_finding_place(f, mck_rt.rank, w->object.site, "the last one was of a window of %s", mck_fn_names[w->object.fn]);
  mck_finding_why(f, "they fill a quarter of what a log may hold (option log_limit)");
  mck_local_done(f);
  return true;
}

void mck_access_budget_restart(void) { total = 0; }
bool mck_access_budget_is_spent(void) { return is_spent; }

static void write_piece(struct mck_window *w, uint32_t site, uint8_t flags, uint64_t offset, uint64_t size, uint32_t n,
                        uint64_t stride) {
  if (is_full(w)) return;
  if (!mck_rt.is_ready) return;
  const struct mck_event *before = mck_rt.log.next;
  struct mck_unit unit = mck_access_unit(flags, (uint16_t)w->owner, site, w->object.id, (uint32_t)size,
                                         w->origin + offset, n, (int32_t)stride);
  if (mck_repeated_put(unit, false) == MCK_NONE) return;
  total += mck_rt.log.next != before;
  if (!w->is_stored && (flags & (MCK_ACCESS_STORE | MCK_ACCESS_FREED)) == MCK_ACCESS_STORE)
    w->is_stored = true, w->stored = site, w->stored_fn = -1;
}

void mck_access_pieces_end(struct mck_access_pieces *p, struct mck_window *w) {
  if (p->n == 2) write_piece(w, p->site, p->flags, p->offset, p->size, 1, 0), p->offset += p->stride, p->n = 1;
  if (p->n) write_piece(w, p->site, p->flags, p->offset, p->size, p->n, p->n > 1 ? p->stride : 0);
  p->n = 0;
}

static bool is_next(struct mck_access_pieces *p, uint64_t offset, uint64_t size) {
  if (!p->n || p->size != size) return false;
  if (p->n == 1 && offset > p->offset + size && offset - p->offset <= INT32_MAX) p->stride = offset - p->offset;
  else if (p->n == 1 || offset != p->offset + p->n * p->stride || p->n == UINT32_MAX) return false;
  p->n++;
  return true;
}

static void add_part(struct mck_access_pieces *p, struct mck_window *w, uint64_t offset, uint64_t size) {
  if (is_next(p, offset, size)) return;
  mck_access_pieces_end(p, w);
  p->offset = offset, p->size = size, p->n = 1;
}

void mck_access_pieces_add(struct mck_access_pieces *p, struct mck_window *w, uint64_t offset, uint64_t size) {
  const uint64_t most = (uint64_t)1 << SIZE_MAX_LOG;
  for (; size > most; offset += most, size -= most) add_part(p, w, offset, most);
  add_part(p, w, offset, size);
}

// The last piece is kept until it is known whether the next ones lie at the same distances: coordinates of points are
// touched by other places than those between them.
static void write_joined(struct mck_access_budget *t, struct mck_window *w, uint32_t site, uint8_t flags,
                         uint64_t offset, uint64_t size) {
  struct mck_access_pieces *p = &t->pending;
  if (p->site != site || p->flags != flags) {
    mck_access_pieces_end(p, w);
    p->site = site, p->flags = flags;
  }
  add_part(p, w, offset, size);
}

static void write_cells(void *window, uint32_t site, uint8_t flags, uint64_t offset, uint64_t size) {
  write_piece(window, site, flags, offset, size, 1, 0);
}

static void say_beyond(const struct mck_window *w) {
  struct mck_finding *f = mck_local_add(MCK_CHECK_UNCHECKED, w->object.site, w->object.id);
  mck_finding_text(f,
                   "memory of a window was touched in more than %lld pieces between two calls of MPI: of each 8 bytes "
                   "only the first load and the first store "
                   "are kept, so a report of a race may name only these",
                   (long long)mck_options.touched_budget);
  mck_finding_place(f, mck_rt.rank, w->object.site, "the window was made by %s", mck_fn_names[w->object.fn]);
  mck_finding_why(f, "option touched_budget keeps more; no race is lost by it");
  mck_local_done(f);
}

void mck_access_budget_write(struct mck_access_budget *t, struct mck_window *w, uint32_t site, uint8_t flags,
                             uint64_t offset, uint64_t size, uint32_t n, uint64_t stride) {
  if (!t->is_flushing && t->since++ >= (uint64_t)mck_options.touched_budget) {
    bool is_first = !t->cells;
    if (mck_cells_add(&t->cells, site, flags, offset, size, n, stride, write_cells, w)) {
      if (is_first) say_beyond(w);
      return;
    }
  }
  for (uint64_t done = 0; done < size;) { // n > 1: a piece of size is small enough
    uint64_t part = size - done > 1u << SIZE_MAX_LOG ? 1u << SIZE_MAX_LOG : size - done;
    if (n == 1) write_joined(t, w, site, flags, offset + done, part);
    else write_piece(w, site, flags, offset + done, part, n, stride);
    done += part;
  }
}

void mck_access_budget_flush(struct mck_access_budget *t, struct mck_window *w) {
  mck_access_pieces_end(&t->pending, w);
  mck_cells_flush(t->cells, write_cells, w);
  t->is_flushing = false;
  t->since = 0;
}
