// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// May two accesses meet that the turns of a lock order in one way or the other? Each rank takes a turn and writes
// behind it: either turn may be first, and yet nothing keeps the two writes apart.
#pragma once
#include "rma/possible-order.h"

// Neither of them is known to be before the other, nor can what was read in turns have told it (MCK_POSSIBLE_READ).
// false: they cannot, or it is not known.
bool mck_possible_can_meet(struct mck_possible_order *possible, struct mck_possible_access a,
                           struct mck_possible_access b);
void mck_meeting_close(struct mck_meeting_search *search); // may be NULL
