// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local buffers of RMA operations (operation-buffer.c): origin, compare and result. All calls are made under the lock.
#pragma once
#include "object/object.h"
#include "record/call/call-args.h"
#include "record/call/call.h"

// Fills in call->uses where the wrapper has not.
void mck_operation_name(struct mck_call *call, const struct mck_args *a);
// The buffers of an operation that MPI has accepted. Without a request they are in use until mck_window_complete. If
// they are those of an earlier operation of the same place, this costs next to nothing.
void mck_operation_begin(struct mck_call *call, int target, struct mck_window *w);
void mck_operation_begin_request(struct mck_call *call, const struct mck_args *a, struct mck_window *w,
                                 struct mck_request *r);
// The entry of a buffer that an operation of the same place has in use already; NULL: there is none. repeat: another
// operation of that place uses it, too.
struct mck_buffer *mck_operation_find(const struct mck_window *w, const struct mck_use *u, uint32_t site, uint16_t fn);
void mck_operation_repeat(const struct mck_call *call, struct mck_buffer *b, int target);
// From the pool that mck_window_complete gives it back to.
struct mck_buffer *mck_operation_take(struct mck_window *w, int target);
void mck_operation_give_back(struct mck_buffer *b);
void mck_operation_forget_addresses(void);                // of those in the pool (mck_request_forget_addresses)
void mck_operation_end_target(struct mck_buffer *target); // what belongs to a request, with its result buffer
// The call completes the window's operations: their buffers are free again. target: -1 for all targets.
void mck_window_complete(struct mck_window *w, int target, struct mck_call *call);
