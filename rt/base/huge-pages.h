// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Huge pages: large arrays that are used from one end to the other, in pages of 2 MiB where the system has them. To get
// memory in pages of 4 KiB takes as long as a pass over a log.
#pragma once
#include "base/base.h"

void *mck_base_alloc_large(size_t bytes); // free() it

// One such array whose pages the arrays of several logs share.
struct mck_slices {
  char *memory; // free() it
  size_t used, size;
};
static inline size_t mck_slice_size(size_t bytes) { return (bytes + 63) & ~(size_t)63; }
// bytes: the sum of mck_slice_size of all slices. Returns false when out of memory.
bool mck_slices_open(struct mck_slices *slices, size_t bytes);
void *mck_slices_take(struct mck_slices *slices, size_t bytes);
