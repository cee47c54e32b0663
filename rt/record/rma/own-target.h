// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of a process on its own part of a window (own-target.c). Under the lock.
#pragma once
#include "object/object.h"
#include "record/call/call-args.h"
#include "record/call/call.h"

// MPI has accepted the operation. r: its request, whose buffers are in use by now, or NULL.
void mck_own_target_begin(struct mck_call *call, const struct mck_args *a, struct mck_window *w, struct mck_request *r);
void mck_own_target_end(void); // an entry goes back to the pool
