// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cells: what a window's memory was touched by between two events, once that is in more pieces than option
// touched_budget allows. Each cell of 8 bytes keeps which of its bytes were loaded and which stored, and the place that
// did each first. Nothing is lost that a verdict needs: between two events no access of this process is ordered before
// another one against other ranks, so the first of each kind stands for all (a last one would say the same); only the
// line that a finding names is one of several. All under the lock.
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct mck_cells;
typedef void mck_cells_write(void *context, uint32_t site, uint8_t flags, uint64_t offset, uint64_t size);
// n pieces of size bytes, stride apart. false: too much to be worth it, nothing is noted. Bytes of a cell of which
// another place has some are written at once.
bool mck_cells_add(struct mck_cells **cells, uint32_t site, uint8_t flags, uint64_t offset, uint64_t size, uint32_t n,
                   uint64_t stride, mck_cells_write *write, void *context);
void mck_cells_flush(struct mck_cells *cells, mck_cells_write *write,
                     void *context); // all that is noted, ascending; empty again
void mck_cells_end(struct mck_cells *cells);
