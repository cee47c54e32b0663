// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Completed clock: what a rank knows of the others: for each log the number of events that it knows to be over. Only
// logs that do something to a window have a component. A clock is shared until somebody changes it: most messages say
// nothing new.
#pragma once
#include "base/base.h"

struct mck_clock {
  uint32_t users;
  bool may_know_all; // the rank has learned something that no log has: it may know whatever was done
  uint32_t known[];
};
struct mck_clock *mck_clock_new(uint32_t size); // NULL: out of memory
static inline struct mck_clock *mck_clock_share(struct mck_clock *c) { return c->users++, c; }
void mck_clock_drop(struct mck_clock *c); // may be NULL
// *own becomes at least other, and at least value at component (MCK_NONE: none). false: out of memory.
bool mck_clock_join(struct mck_clock **own, uint32_t size, const struct mck_clock *other, uint32_t component,
                    uint32_t value);
bool mck_clock_assume_all(struct mck_clock **own, uint32_t size);
