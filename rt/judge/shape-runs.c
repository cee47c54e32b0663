// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run-length encoding of the messages of a channel: runs of equal shapes.
#include "judge/index.h"

bool mck_runs_append(struct mck_runs *runs, uint32_t n, uint32_t shape) {
  runs->n += n;
  if (runs->count && runs->items[runs->count - 1].shape == shape) return runs->items[runs->count - 1].n += n, true;
  struct mck_run run = {n, shape};
  return MCK_PUSH(runs->items, runs->count, runs->capacity, run);
}

void mck_runs_cut(struct mck_runs *runs, uint64_t n) {
  if (n >= runs->n) return;
  runs->n = n;
  runs->count = 0;
  for (size_t i = 0; n; runs->count = ++i) {
    if (runs->items[i].n > n) runs->items[i].n = (uint32_t)n;
    n -= runs->items[i].n;
  }
}
