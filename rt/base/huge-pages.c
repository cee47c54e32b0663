// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocates large arrays in huge pages (huge-pages.h).
#include "base/huge-pages.h"
#include <stdlib.h>
#include <sys/mman.h>

void *mck_base_alloc_large(size_t bytes) {
  enum { HUGE_PAGE = 2 << 20, WORTH = 512 << 10 }; // the last page is huge only if so much of it is needed
  void *memory = NULL;
  if (bytes < HUGE_PAGE - WORTH) return malloc(bytes ? bytes : 1);
  size_t rest = bytes % HUGE_PAGE;
  if (rest > WORTH) bytes += HUGE_PAGE - rest;
  if (posix_memalign(&memory, HUGE_PAGE, bytes) != 0) return NULL;
  madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

bool mck_slices_open(struct mck_slices *slices, size_t bytes) {
  *slices = (struct mck_slices){mck_base_alloc_large(bytes), 0, bytes};
  return slices->memory != NULL;
}

void *mck_slices_take(struct mck_slices *slices, size_t bytes) {
  void *slice = slices->memory + slices->used;
  size_t size = mck_slice_size(bytes);
  if (!slices->memory || size > slices->size - slices->used) return NULL;
  slices->used += size;
  return slice;
}
