// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of a process on its own part of a window (own-target.c). Under the lock.
#pragma once
#include "record/call/call-args.h"
#include "record/call/call.h"

struct mck_window;
// MPI has accepted the operation, whose buffers are not in use yet (mck_operation_begin).
void mck_own_target_check(struct mck_call *call, const struct mck_args *a, const struct mck_window *w);
