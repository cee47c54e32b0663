// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access order: the one rule by which two accesses to window memory are ordered (completed-before: C1 and C2 of the
// paper, MPI-3.1 11.7). An access comes first if the process of the other one knew, when it issued that one, that the
// first was complete. Who looks for pairs of accesses says what is known of them: the walk over all logs by its clocks
// (completed-before.c), the sweep over one fence epoch by the fences around it (judge/window/fence-sweep.c).
#pragma once
#include <stdbool.h>
#include <stdint.h>

// What the process of an access knew, when it issued it, of the log in which another access is complete: how many of
// its events were over. At least sure, at most possible: what no log has may have told more.
struct mck_known_times {
  uint64_t sure, possible;
};
#define MCK_KNOWN_ALL UINT64_MAX
#define MCK_DONE_LATER UINT32_MAX // not complete before the end of what the finder looks at (= MCK_NONE)

enum mck_access_order {
  MCK_ORDER_COMPLETED, // one completed before the other
  MCK_ORDER_POSSIBLE,  // one may have completed before the other
  MCK_ORDER_NONE       // neither did: accesses that conflict are a race
};

// Did an access that is complete with event done of its log come before one whose process knew so much of that log?
static inline enum mck_access_order mck_access_is_before(uint32_t done, struct mck_known_times known) {
  if (done != MCK_DONE_LATER && done < known.sure) return MCK_ORDER_COMPLETED;
  return known.possible == MCK_KNOWN_ALL || (done != MCK_DONE_LATER && done < known.possible) ? MCK_ORDER_POSSIBLE
                                                                                              : MCK_ORDER_NONE;
}

// In either direction. known_a: what the process of a knew of the log in which b is complete.
static inline enum mck_access_order mck_access_order(uint32_t done_a, struct mck_known_times known_b, uint32_t done_b,
                                                     struct mck_known_times known_a) {
  enum mck_access_order a_first = mck_access_is_before(done_a, known_b),
                        b_first = mck_access_is_before(done_b, known_a);
  return a_first < b_first ? a_first : b_first;
}
