// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local buffers of RMA operations that are complete. A loop of puts and flushes has the same buffer in use again and
// again. To mark its pages and list it each time costs more than the library's put. So when such an operation is
// complete its buffer is parked: it is in use no more and in no list, so that nothing is claimed of it, but its pages
// stay marked. That costs accesses to these pages time, and no more: the first one that is signalled ends it. Where
// that happens often nothing is parked. All functions are called under the lock.
#pragma once
#include "object/object.h"

enum { MCK_PARKED_MAX = 8 };
extern struct mck_parked {
  unsigned n;
  int credit;          // nothing is parked without
  uintptr_t low, high; // the hull of their pages
  struct mck_buffer *buffers[MCK_PARKED_MAX];
} mck_parked;

bool mck_parked_add(struct mck_buffer *b);  // instead of mck_buffer_end; false: not this one
bool mck_parked_take(struct mck_buffer *b); // it is about to be in use again; false: it is no longer parked
void mck_parked_end_near(uintptr_t low, uintptr_t high);
void mck_parked_end_all(void); // before windows come and go
// The program has accessed these bytes.
static inline void mck_parked_end_at(uintptr_t low, uintptr_t high) {
  if (MCK_UNLIKELY(mck_parked.n) && low < mck_parked.high && high > mck_parked.low) mck_parked_end_near(low, high);
}
