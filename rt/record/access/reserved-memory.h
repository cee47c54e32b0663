// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for notes of accesses. It does not come from the heap: MPI_Win_attach counts pages, and blocks of ours would
// spread the program's over more of them (attached-memory.c).
#pragma once
#include <stdint.h>

void *mck_memory_reserve(uint64_t size); // zeroes; NULL: there are no addresses left
void mck_memory_release(void *memory, uint64_t size);
