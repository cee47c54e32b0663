// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ready sends: "may be started only if the matching receive is already posted; otherwise the operation is erroneous and
// its outcome is undefined" (MPI-3.1 3.4). What a rank knows at the send is what messages and collectives have told it:
// which calls the others had entered by then. If that includes the receive, the send is right; if the receiver knew of
// the send when it posted the receive, it is wrong; else chance decides, which is a warning, and is said only where all
// that may order the two is in the logs.
#pragma once
#include "judge/whole/whole.h"

void mck_whole_judge_ready(const struct mck_whole *whole);
static inline bool mck_ready_is(const struct mck_event *e) {
  return e->kind == MCK_EV_SEND && (e->flags & MCK_MODE_MASK) == MCK_FLAG_READY && !(e->flags & MCK_FLAG_CANCELLED);
}
