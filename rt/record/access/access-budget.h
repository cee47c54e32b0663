// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many pieces of a window's memory are written to the log. Between two events a window may have as many as the
// option touched_budget says; beyond that only cells are kept (access-cell.h). All pieces in a log may fill a quarter
// of log_limit; beyond that nothing is written.
#pragma once
#include "record/access/access-cell.h"

struct mck_window;
// n pieces of size bytes, stride apart, of one place; n 0: none.
struct mck_access_pieces {
  uint32_t site, n;
  uint8_t flags;
  uint64_t offset, size, stride;
};
// Notes the next piece of the place in p; pieces at equal distances are written as one. end: no more come.
void mck_access_pieces_add(struct mck_access_pieces *p, struct mck_window *w, uint64_t offset, uint64_t size);
void mck_access_pieces_end(struct mck_access_pieces *p, struct mck_window *w);
struct mck_access_budget {
  struct mck_access_pieces pending; // not written yet
  uint64_t since;                   // pieces since the last event
  bool is_flushing;                 // what touched-range.c kept until the event is written now
  struct mck_cells *cells;
};
void mck_access_budget_write(struct mck_access_budget *budget, struct mck_window *w, uint32_t site, uint8_t flags,
                             uint64_t offset, uint64_t size, uint32_t n, uint64_t stride);
// Most pieces are the next one at a constant stride.
static inline bool mck_access_pieces_next(struct mck_access_pieces *p, uint64_t offset, uint64_t size) {
  bool is_next = p->n > 1 && p->n < UINT32_MAX && offset == p->offset + p->n * p->stride && size == p->size;
  p->n += is_next;
  return is_next;
}
static inline bool mck_access_budget_next(struct mck_access_budget *budget, uint32_t site, uint8_t flags,
                                          uint64_t offset, uint64_t size) {
  struct mck_access_pieces *p = &budget->pending;
  return budget->is_flushing && site == p->site && flags == p->flags && mck_access_pieces_next(p, offset, size);
}
void mck_access_budget_restart(void);  // a new log has begun
bool mck_access_budget_is_spent(void); // some accesses of the run are not in the log
void mck_access_budget_flush(struct mck_access_budget *budget, struct mck_window *w);
