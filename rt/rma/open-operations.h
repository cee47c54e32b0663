// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Open: what of a log's windows is not over at its end, so that it must stay when the log is cut
// (judge/cut/remaining-log.c): operations that are not complete at their target, and the locks that are held. All else
// was over at the cut on all ranks, and whatever comes behind it comes after.
#pragma once
#include "log/log.h"

struct mck_rma_open {
  uint32_t *events;
  size_t count, capacity; // ascending; buffers of operations in window memory, too
  bool is_exposed;        // a start or a post is open: only both sides together know what it completes
};
bool mck_rma_find_open(struct mck_rma_open *open, const struct mck_reader *log); // false: out of memory
void mck_rma_open_free(struct mck_rma_open *open);
