// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests on which a thread is blocked, under MPI_THREAD_MULTIPLE (request-threads.c). Under the lock.
#pragma once
#include "object/object.h"
#include "record/call/call.h"

void mck_waited_begin(struct mck_call *call, struct mck_request *r); // the call is about to block in a completion of r
void mck_waited_end(struct mck_request *r);
void mck_waited_forget(MPI_Request request); // the library gave the value out again, for a request that is in no table
// The request of that handle; r: as found in the table. NULL where another thread is in a completion of it, which is
// reported.
struct mck_request *mck_waited_check(struct mck_call *call, const char *what, struct mck_request *r,
                                     MPI_Request handle);
// A thread names a request that is in no table: another one may just be posting it (p2p/posting.h). since: the number
// at the begin of that post. true: the handle was named, or it is not known.
void mck_waited_unknown(MPI_Request handle);
uint32_t mck_waited_unknowns(void);
bool mck_waited_was_unknown(MPI_Request handle, uint32_t since);
void mck_waited_check_all(struct mck_call *call, const char *what, const MPI_Request *handles, int n);
