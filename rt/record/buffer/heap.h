// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heap blocks, by the allocation calls that heap.c sees.
#pragma once
#include "base/heap-shadow.h"

bool mck_heap_is_seen(void); // do the program's allocations come to us, and is glibc behind us? Asked once
bool mck_heap_find(const void *address,
                   struct mck_shadow_block *block); // the block that holds address, as far as is known
// Does everything agree that it is there? Asked before something is concluded; its head must be mapped.
bool mck_heap_is_certain(const struct mck_shadow_block *block);
