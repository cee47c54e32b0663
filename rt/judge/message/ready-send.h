// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ready sends: a ready send "may be started only if the matching receive is already posted; otherwise the operation is
// erroneous and its outcome is undefined" (MPI-3.1 3.4). ready-send.c decides which ready sends are certainly right or
// wrong.
//
// By messages and collectives a rank knows which calls the others had entered. If it knows at the send that the receive
// was posted, the send is right. If the receiver knew of the send when it posted the receive, the send is wrong.
// Otherwise it is left to chance. That is a warning, made only where the logs have everything that may order the two.
#pragma once
#include "judge/whole/whole.h"

void mck_whole_judge_ready(const struct mck_whole *whole);
static inline bool mck_ready_is(const struct mck_event *e) {
  return e->kind == MCK_EV_SEND && (e->flags & MCK_MODE_MASK) == MCK_FLAG_READY && mck_event_is_sent(e);
}
