// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Origin datatypes against target datatypes (transfer-size.c). Under the lock.
#pragma once
#include "record/call/call-args.h"
#include "record/call/call.h"

void mck_check_transfer(struct mck_call *call, const struct mck_args *a);
