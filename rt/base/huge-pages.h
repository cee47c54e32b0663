// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Large arrays that are used from one end to the other, in pages of 2 MiB where the system has them: to get memory in
// pages of 4 KiB takes as long as a pass over a log.
#pragma once
#include "base/base.h"

void *mck_base_alloc_large(size_t bytes); // free() it

// One such array for those of several logs, which share its pages.
struct mck_slices {
  char *memory; // free() it
  size_t used, size;
};
static inline size_t mck_slice_size(size_t bytes) { return (bytes + 63) & ~(size_t)63; }
// bytes: the sum of mck_slice_size of what will be taken. false: out of memory.
bool mck_slices_open(struct mck_slices *slices, size_t bytes);
void *mck_slices_take(struct mck_slices *slices, size_t bytes);
