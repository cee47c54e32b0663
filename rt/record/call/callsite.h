// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the source does with the result of a call, and with the status that it fills in (callsite.c).
#pragma once
#include "record/call/call.h"

bool mck_callsite_is_unused(const struct mck_call *call); // the source does not use the call's result
// What the source looks at: MCK_TOLD_ bits and the number of the function (log/event.h); 0: that is not known.
uint32_t mck_callsite_status(const void *pc);
