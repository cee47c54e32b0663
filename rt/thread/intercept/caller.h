// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who calls: only threads and synchronization of the program count, not those of MPI's library, of libc or of OpenMP's
// library (which tells of its own, ompt-tool.c).
#pragma once
#include "base/base.h"

// Whether the code belongs to the program: to the executable, to an object that was recompiled, or to the library of
// C++, which acts for it.
bool mck_caller_find(uintptr_t place);
void mck_caller_add(const void *inside); // an object that was recompiled

// Answers by page of code; 0: not known yet.
enum { MCK_CALLER_PAGES = 1024, MCK_CALLER_OURS = 1 };
extern _Atomic uint64_t mck_caller_pages[MCK_CALLER_PAGES]; // page << 1 | whether it is the program's
static inline bool mck_caller_is_program(const void *place) {
  uint64_t page = (uintptr_t)place >> 12;
  uint64_t known = __atomic_load_n((uint64_t *)&mck_caller_pages[page % MCK_CALLER_PAGES], __ATOMIC_RELAXED);
  return known >> 1 == page ? known & MCK_CALLER_OURS : mck_caller_find((uintptr_t)place);
}
