// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lock around the library's call in MPI_Isend, MPI_Irecv and their kin. Where one thread posts at a time it is
// held: then no other thread comes between a handle and its entry in the table. Under MPI_THREAD_MULTIPLE it is given
// back: threads that nothing orders post in no order, whatever the log says, and those that something orders have their
// order from it. The library gives no handle out twice before it is free, and the call that frees it has taken its
// entry out before. Nor is it held where the arguments are wrong: an error handler of the program may then leave the
// call by a jump (docs/design/threads.md).
#pragma once
#include "record/call/call.h"
#include "record/p2p/request-threads.h"
#include "record/runtime.h"

static inline bool mck_post_is_free(const struct mck_call *call) {
  return MCK_UNLIKELY(call->nfindings) || (MCK_UNLIKELY(mck_rt.is_multiple) && !mck_rt.is_followed);
}

static inline void mck_post_begin(struct mck_call *call) { // behind the event
  if (MCK_LIKELY(!mck_post_is_free(call))) return;
  const struct mck_request *held = call->scratch;
  call->events[0] = held ? held->event : MCK_NONE, call->events[1] = mck_waited_unknowns();
  mck_unlock();
}

// request: NULL if the call has failed. false: another thread has named the request already, before the call that makes
// it has returned.
static inline bool mck_post_end(struct mck_call *call, const MPI_Request *request) {
  if (MCK_LIKELY(!mck_post_is_free(call))) return true;
  mck_lock();
  const struct mck_request *held = call->scratch; // what the variable held may have ended meanwhile
  if (held && mck_rt.is_multiple && (held->is_freed || held->event != call->events[0])) call->scratch = NULL;
  return !request || !mck_rt.is_multiple || mck_request_is_shared(*request) ||
         !mck_waited_was_unknown(*request, call->events[1]);
}
