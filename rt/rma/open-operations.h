// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Open operations: what of a log's windows is not over at its end, so that it must stay when the log is cut
// (judge/cut/remaining-log.c): operations that are not complete at their target, and the locks that are held.
// Everything else was over at the cut on all ranks, and whatever comes behind the cut comes after it.
#pragma once
#include "log/log.h"

struct mck_rma_open {
  uint32_t *events; // ascending; buffers of operations in window memory, too
  size_t count, capacity;
  bool is_exposed; // a start or a post is open: what it completes only both sides together know
};
bool mck_rma_find_open(struct mck_rma_open *open, const struct mck_reader *log); // false: out of memory
void mck_rma_open_free(struct mck_rma_open *open);
