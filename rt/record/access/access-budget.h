// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written: pieces of a window's memory on their way into the log, and how many there may be: of a window between two
// events (option touched_budget; beyond that only cells are kept, access-cell.h), and of all in a log (a quarter of
// log_limit; beyond that nothing).
#pragma once
#include "record/access/access-cell.h"

struct mck_window;
struct mck_written {
  uint64_t since;   // pieces since the last event
  bool is_flushing; // what comes now is what touched-range.c has kept till the event
  struct mck_cells *cells;
};
void mck_written_add(struct mck_written *written, const struct mck_window *w, uint32_t site, uint8_t flags,
                     uint64_t offset, uint64_t size, uint32_t n, uint64_t stride);
void mck_written_recycled(void); // the log begins again
void mck_written_flush(struct mck_written *written, const struct mck_window *w);
