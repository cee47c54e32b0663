// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a request's operation, for other rooms (completion.c, completion-array.c, message-event.c). Under the
// lock.
#pragma once
#include "object/object.h"
#include "record/call/call.h"

// is_ignored: the status is ours, because the program gave MPI_STATUS_IGNORE.
void mck_request_matched(struct mck_request *r, const MPI_Status *status,
                         bool is_ignored); // a wildcard receive: its event gets its match
void mck_match_write(uint32_t event, const MPI_Status *status, bool is_ignored);
bool mck_complete_owns(const MPI_Status *status);    // is it a status of our own, in a call over an array?
void mck_request_end_buffers(struct mck_request *r); // they are no longer in use
// The i-th request of a call over an array. NULL: unknown.
const struct mck_request *mck_complete_listed(const struct mck_call *call, int i);
void mck_complete_end_thread(void); // the thread ends
void mck_complete_abandon(void);    // the thread has left its calls by a jump: their scratch memory is free
