// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stacks of calls from code that was not recompiled: libraries such as HDF5 or Boost.MPI, and programs that the runtime
// was loaded into. Such code keeps no frame pointers, so its frames are found by the unwind tables (DWARF) that C++
// exceptions use. That takes microseconds; so a walk is kept with the places of the return addresses that it read, and
// where these are still there, the stack is the same.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { MCK_FOREIGN_DEPTH = 64 };
struct mck_foreign_stack {
  unsigned n;
  uintptr_t pcs[MCK_FOREIGN_DEPTH];
  const uintptr_t *slots[MCK_FOREIGN_DEPTH]; // where each return address lies; NULL: it is not there (a signal's frame)
};
// pc, frame: the call's return address and the frame pointer of the wrapper that was called. The walk stays in
// [frame, end). Returns false where there are no unwind tables.
bool mck_foreign_stack_walk(struct mck_foreign_stack *stack, const void *pc, const void *frame, uintptr_t end);
// The site of the last walk of this thread from there; MCK_NONE: there is none, or the stack is another one.
uint32_t mck_foreign_stack_find(const void *pc, const void *frame);
void mck_foreign_stack_keep(const struct mck_foreign_stack *stack, const void *pc, const void *frame, uint32_t site);

// The return addresses behind the code at pc that a signal has interrupted, pc + 1 first. For the handler of that
// signal and of those that the walk itself may raise, which mck_foreign_stack_escape ends. prepare loads the unwinder
// before.
void mck_foreign_stack_prepare(void);
unsigned mck_foreign_stack_of_signal(uintptr_t pc, uintptr_t low, uintptr_t end, uintptr_t *pcs, unsigned max);
void mck_foreign_stack_escape(void);
