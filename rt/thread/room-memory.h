// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the room, from the kernel: a recorder may be called by the program's own allocator, under a lock of that
// one. On any thread, with or without the lock of the room.
#pragma once
#include "base/base.h"

void *mck_thread_alloc(size_t size); // zeroes; NULL: there is none
void mck_thread_free(void *memory);
void mck_thread_memory_forked(void);
