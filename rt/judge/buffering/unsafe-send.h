// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unsafe sends: deadlocks that a run escaped only because standard sends were buffered (MPI-3.1 3.5; MUST, Fig. 1c), or
// because a collective did not synchronize (5.14). They are found by a rerun of the logs without buffers
// (synchronous-rerun.h). There is one finding for each cause, which is the set of places that stand still.
#pragma once
#include "judge/whole/whole.h"

void mck_whole_judge_sends(const struct mck_whole *whole);
// Is this a send of which the library decides whether it waits?
static inline bool mck_unsafe_is_standard(const struct mck_event *e) {
  return e->kind == MCK_EV_SEND && !(e->flags & (MCK_MODE_MASK | MCK_FLAG_CANCELLED | MCK_FLAG_LOCAL));
}
