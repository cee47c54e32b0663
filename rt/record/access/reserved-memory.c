// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that does not come from the heap, and takes space only where it is touched.
#include "record/access/reserved-memory.h"
#include <stddef.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include "record/runtime.h"

void *mck_memory_reserve(uint64_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  madvise(memory, size, MADV_DONTDUMP);
  return memory;
}

// Where other threads may still read the memory, its addresses stay mapped.
void mck_memory_release(void *memory, uint64_t size) {
  if (!memory) return;
  if (mck_is_locked() || !__libc_single_threaded) madvise(memory, size, MADV_DONTNEED);
  else munmap(memory, size);
}
