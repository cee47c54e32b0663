// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fence epoch: what may order two accesses between two fences of their window. No operation is complete before the
// closing fence, so only a load or store of the target can come before an operation, and only along messages or
// collectives within the epoch: the target tells something behind the load or store, and the origin learns something
// before the operation. Where either is missing, the sweep over the epoch has decided (judge/window/fence-sweep.c);
// where both are there, it leaves the pair to the walk, which knows what the messages order.
#pragma once
#include <stdbool.h>
#include "log/event.h"

// May others learn something by this event? May its rank?
static inline bool mck_epoch_tells(const struct mck_event *e) {
  const uint64_t kinds = 1ull << MCK_EV_SEND | 1ull << MCK_EV_COLL | 1ull << MCK_EV_CALL | 1ull << MCK_EV_FENCE |
                         1ull << MCK_EV_SYNC;
  return e->kind < 64 && kinds >> e->kind & 1;
}
static inline bool mck_epoch_learns(const struct mck_event *e) {
  const uint64_t kinds = 1ull << MCK_EV_RECV | 1ull << MCK_EV_MPROBE | 1ull << MCK_EV_PROBE | 1ull << MCK_EV_WAIT |
                         1ull << MCK_EV_DONE | 1ull << MCK_EV_COLL | 1ull << MCK_EV_CALL | 1ull << MCK_EV_FENCE |
                         1ull << MCK_EV_SYNC;
  return e->kind < 64 && kinds >> e->kind & 1;
}
_Static_assert(MCK_EV_SYNC < 64 && MCK_EV_FENCE < 64 && MCK_EV_COLL < 64 && MCK_EV_CALL < 64, "a bit for each kind");
