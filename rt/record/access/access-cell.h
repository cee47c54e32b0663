// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses to a window's memory between two events, once they are more pieces than the option touched_budget
// allows. Each cell of 8 bytes keeps which of its bytes were loaded and which were stored to, and the place that was
// first for each. No verdict is lost: between two events no access of this process is ordered before another one
// against other ranks, so the first of each kind stands for all (the last one would say the same). Only the line that
// a finding names is one of several. All calls are made under the lock.
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct mck_cells;
typedef void mck_cells_write(void *context, uint32_t site, uint8_t flags, uint64_t offset, uint64_t size);
// Notes n pieces of size bytes, stride apart. false: they are too much to be noted, and nothing was. If another place
// has bytes of the same cell, the new bytes are written at once.
bool mck_cells_add(struct mck_cells **cells, uint32_t site, uint8_t flags, uint64_t offset, uint64_t size, uint32_t n,
                   uint64_t stride, mck_cells_write *write, void *context);
// Writes all that is noted, in ascending order; then nothing is noted any more.
void mck_cells_flush(struct mck_cells *cells, mck_cells_write *write, void *context);
void mck_cells_end(struct mck_cells *cells);
