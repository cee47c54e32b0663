// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heap blocks, as far as heap.c sees the allocation calls.
#pragma once
#include "base/heap-shadow.h"

// Whether the program's allocations come to us, and glibc's allocator is behind us. It is found out once.
bool mck_heap_is_seen(void);
bool mck_heap_find(const void *address,
                   struct mck_heap_shadow_block *block); // the block that holds address, as far as is known
// Whether all that we know agrees that the block exists. It is asked before anything is concluded; the head of the
// block must be mapped.
bool mck_heap_is_certain(const struct mck_heap_shadow_block *block);
