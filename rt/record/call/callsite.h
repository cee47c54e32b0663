// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the source does with the result of a call (callsite.c).
#pragma once
#include "record/call/call.h"

bool mck_callsite_is_unused(const struct mck_call *call); // the source does not use the call's result
