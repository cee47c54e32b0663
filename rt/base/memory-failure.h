// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Failed allocations of this library. What is missing for lack of memory looks as if it had not happened, so nothing
// may be concluded from data in which an allocation failed: who concludes asks here whether one did.
#pragma once
#include <stdbool.h>

// How many allocations of this library have failed in this process so far, in any thread.
unsigned mck_memory_failures(void);
void mck_memory_fail(void); // counts one; the allocators below call it, and who allocates in another way

// The linker turns each call of malloc and its kin in our libraries into one of memory-failure.c
// (base/memory-wrap.cmake). So no allocation can fail unseen, and no caller has to say so.

// Called at each failed allocation, in its thread; NULL: none. It must not allocate.
void mck_memory_set_hook(void (*hook)(void));
