// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests that a call makes, and the variables that hold them (new-request.c). Under the lock.
#pragma once
#include "object/object.h"
#include "record/call/call-args.h"
#include "record/call/call.h"

// The request that the call made. NULL: it is not to be tracked.
struct mck_request *mck_request_track(struct mck_call *call, MPI_Request *at, uint8_t kind);
// The same for a call that left no event. call->scratch: what its variable held.
struct mck_request *mck_request_eventless(struct mck_call *call, struct mck_args *a, uint8_t kind);
// A request made by a call that left no event: its handle is live, and nothing more is known.
void mck_request_untracked(const struct mck_call *call, const MPI_Request *at);
// Before the call: the request that its variable holds. After the call that handle is lost, if it was still in use.
// What a variable held before a call is not looked at. Under Valgrind: the program may not have set it, and Valgrind
// would tell of our look.
extern bool mck_request_skips_held;
void mck_request_find_valgrind(void); // sets it
struct mck_request *mck_request_held(const struct mck_call *call, const MPI_Request *at);
