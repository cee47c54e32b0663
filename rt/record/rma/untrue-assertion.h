// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assertions of synchronizations that this process alone can see to be untrue (MPI-3.1 11.5.5). What other ranks must
// be asked for is in judge/window and rma/untrue-order.c. A receive, a collective or a get that writes into the own
// part of a window is like a store. Only what is certain to have written counts: calls that have returned, by the
// bytes that have come. mck_nwindows is not 0 in most of these.
#pragma once
#include "object/object.h"
#include "record/call/call-args.h"
#include "record/call/call.h"

// Before a fence or post is logged: MPI_MODE_NOSTORE, and this process has stored to its window.
void mck_assertion_check(struct mck_call *call, const struct mck_args *a, struct mck_window *w);
// A synchronization is logged, or the window is new: stores from here on are after it.
void mck_assertion_synced(const struct mck_call *call, struct mck_window *w);
// A blocking receive has returned; without a status of its own nothing is known.
void mck_assertion_received(struct mck_call *call, const struct mck_args *a, int rc);
// A broadcast has returned.
void mck_assertion_broadcast(struct mck_call *call, const struct mck_args *a, int rc);
// A blocking call is about to write these bytes, all of them; it has done so (is_storing).
void mck_assertion_use(struct mck_call *call, const struct mck_use *u);
void mck_assertion_used(struct mck_call *call);
// An operation with a request begins; it is complete (is_in_window, under the lock); it has failed.
void mck_assertion_begin(struct mck_request *r);
void mck_assertion_completed(const struct mck_request *r, const MPI_Status *status);
static inline void mck_assertion_failed(struct mck_request *r) { r->is_in_window = false; }
