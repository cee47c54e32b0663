// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who calls. Threads count that the program makes: the executable, an object that was recompiled, or the library of
// C++, which acts for it. Synchronization counts in other libraries, too, since the program may rely on it (a queue of
// a library), but not that of libc, of MPI's library and what it uses, of allocators, nor of OpenMP's library, which
// tells of its own (ompt-tool.c).
#pragma once
#include "base/base.h"

enum { MCK_CALLER_PROGRAM = 1, MCK_CALLER_SYNCHRONIZES = 2, MCK_CALLER_BITS = 2 };
unsigned mck_caller_find(uintptr_t place);
// Before the program has several strands: libraries that order threads by atomic operations of their own, which nobody
// sees, make all order unknown.
void mck_caller_look_at_libraries(void);
void mck_caller_add(const void *inside); // an object that was recompiled

// Answers by page of code: page << MCK_CALLER_BITS | what counts. 0: not known yet.
enum { MCK_CALLER_PAGES = 1024 };
extern _Atomic uint64_t mck_caller_pages[MCK_CALLER_PAGES];
static inline unsigned mck_caller(const void *place) {
  uint64_t page = (uintptr_t)place >> 12;
  uint64_t known = __atomic_load_n((uint64_t *)&mck_caller_pages[page % MCK_CALLER_PAGES], __ATOMIC_RELAXED);
  return known >> MCK_CALLER_BITS == page ? known & ((1 << MCK_CALLER_BITS) - 1) : mck_caller_find((uintptr_t)place);
}
static inline bool mck_caller_is_program(const void *place) { return mck_caller(place) & MCK_CALLER_PROGRAM; }
static inline bool mck_caller_synchronizes(const void *place) { return mck_caller(place) & MCK_CALLER_SYNCHRONIZES; }
