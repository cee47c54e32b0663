// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that is certainly mapped: the kernel need not be asked whether its bytes can be read. A question to the kernel
// takes as long as the hash of 64 KiB.
#define _GNU_SOURCE 1
#include <link.h>
#include "record/buffer/heap.h"
#include "record/content/content-words.h"

extern void *__libc_stack_end; // of ld.so: where the stack of the first thread begins

// Functions that have not returned. Stacks of other threads are mapped, and the kernel keeps such mappings further away
// from the first thread's (mmap_base: 128 MiB at least).
static bool is_stack(uintptr_t low, uintptr_t high) {
  enum { FAR = 64 << 20 };
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0), top = (uintptr_t)__libc_stack_end;
  return low >= frame && high <= top && top - frame < FAR;
}

struct span {
  uintptr_t low, high;
};
static int find_data(struct dl_phdr_info *info, size_t size, void *found) { // the first object is the program itself
  struct span *data = found;
  (void)size;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD || !(p->p_flags & PF_W)) continue;
    data->low = info->dlpi_addr + p->p_vaddr, data->high = data->low + p->p_memsz;
  }
  return 1;
}
static bool is_data(uintptr_t low, uintptr_t high) {
  static struct span data;
  if (!data.high) data.low = data.high = 1, dl_iterate_phdr(find_data, &data);
  return low >= data.low && high <= data.high;
}

// A heap block that was not freed. To look for the begin of a large block takes long, so the last ones are remembered;
// the shadow says whether they still exist.
static bool is_heap(uintptr_t low, uintptr_t high) {
  enum { LAST = 4 };
  static struct mck_heap_shadow_block last[LAST];
  static unsigned next;
  struct mck_heap_shadow_block block;
  for (unsigned i = 0; i < LAST; i++) {
    size_t size;
    if (low >= last[i].low && high <= last[i].low + last[i].size)
      if (mck_heap_shadow_at(last[i].low, &size) && size == last[i].size) return true;
  }
  if (!mck_heap_is_seen() || !mck_heap_find((const void *)low, &block) || high > block.low + block.size) return false;
  last[next++ % LAST] = block;
  return true;
}

bool mck_content_is_sure(const void *address, uint64_t n) {
  uintptr_t low = (uintptr_t)address, high = low + n;
  return high >= low && (is_stack(low, high) || is_data(low, high) || is_heap(low, high));
}
