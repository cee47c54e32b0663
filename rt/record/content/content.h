// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Content: what the buffers of messages and collectives hold is written to the log (option flow), when the library gets
// a buffer and when it gives it back: of sends at the start, of receives at the completion. The room flow compares the
// two ends after the run. Off, it costs one predicted branch in a call that takes the long way. On, all calls do.
#pragma once
#include "object/object.h"
#include "record/call/call-args.h"
#include "record/call/call.h"

extern bool mck_content_is_on;
void mck_content_open(void);                                        // when the log is there
void mck_content_before(struct mck_call *call, struct mck_args *a); // the event of the call is there
void mck_content_after(struct mck_call *call, struct mck_args *a, int rc);
// The library says that the request at index of an array is complete. Its handle must be null then, unless it is
// persistent (MPI-3.1 3.7.5). handles: n, those before the call. Returns the index whose handle is. Under the lock.
int mck_content_index(struct mck_call *call, const struct mck_args *a, const MPI_Request *handles, int n, int index);
// The same with all outcount indices. NULL: they are right; else the right ones, which the caller frees.
int *mck_content_indices(struct mck_call *call, const struct mck_args *a, const MPI_Request *handles, int n);
// The operation of a request with has_content is complete. status NULL: it is not known what became of it. site: of the
// call that says so. Under the lock.
void mck_content_complete(struct mck_request *r, const MPI_Status *status, uint32_t site);
