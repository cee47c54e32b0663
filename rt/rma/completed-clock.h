// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clock: what a rank knows of the others: of each log the events before this number. Only logs that do something to a
// window have a component. Shared until somebody changes it: most messages tell nothing new.
#pragma once
#include "base/base.h"

struct mck_clock {
  uint32_t users;
  bool is_dark; // it has heard something that no log tells: whatever was done may be known
  uint32_t known[];
};
struct mck_clock *mck_clock_new(uint32_t size); // NULL: out of memory
static inline struct mck_clock *mck_clock_share(struct mck_clock *c) { return c->users++, c; }
void mck_clock_drop(struct mck_clock *c); // may be NULL
// *own becomes at least other, and at least value at component (MCK_NONE: none). false: out of memory.
bool mck_clock_join(struct mck_clock **own, uint32_t size, const struct mck_clock *other, uint32_t component,
                    uint32_t value);
bool mck_clock_darken(struct mck_clock **own, uint32_t size);
