// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of a process on its own part of a window (own-target.c). Under the lock.
#pragma once
#include "object/object.h"
#include "record/call/call-args.h"
#include "record/call/call.h"

// MPI has accepted the operation. r: its request, whose buffers are in use by now, or NULL.
void mck_own_target_begin(struct mck_call *call, const struct mck_args *a, struct mck_window *w, struct mck_request *r);
// The same of a put, get or accumulate to this process itself whose one buffer, call->uses[0], is dense, has the type
// and the count of the target, and lies in no window (plain-operation.c). Not for dynamic windows.
void mck_own_target_begin_plain(const struct mck_call *call, struct mck_window *w, uint64_t disp);
void mck_own_target_enter_all(void); // a buffer comes near: all that are listed are among the buffers in use now
void mck_own_target_end(void);       // an entry goes back to the pool
