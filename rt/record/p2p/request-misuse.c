// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests used against their life cycle: inactive, active, complete (MPI-3.1 3.7.3, 3.9).
#include <stdarg.h>
#include <stdio.h>
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/check/checks.h"
#include "record/check/handle-report.h"
#include "record/error/local-finding.h"
#include "record/p2p/request-misuse.h"
#include "record/runtime.h"

void mck_request_misused(struct mck_call *call, enum mck_check check, const struct mck_request *r, const char *format,
                         ...) {
  if (mck_depth > 1 || mck_rt.is_profiler) return; // a PMPI_ call may have started, completed or freed it
  char text[512];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  mck_lock();
  struct mck_finding *f = mck_local_add(check, mck_call_site(call), r ? r->site : MCK_NONE);
  if (mck_check_severity(check) == MCK_ERROR) {
    call->nfindings++;
    if (mck_rt.log.header) atomic_store(&mck_rt.log.header->refused, 1u + call->fn);
  }
  mck_finding_text(f, "%s", text);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  if (r) mck_finding_place(f, mck_rt.rank, r->site, "the request was made by %s", mck_fn_names[r->fn]);
  mck_local_done(f);
  mck_unlock();
}

void mck_request_unknown(struct mck_call *call, const char *what, MPI_Request request) {
  if (!mck_rt.is_ready || mck_depth > 1 || request == MPI_REQUEST_NULL) return;
#ifdef OPEN_MPI
  if (!request)
    mck_local_report(call, MCK_CHECK_HANDLE_UNKNOWN, "%s of %s is no request handle (0)", what, mck_fn_names[call->fn]);
#endif
  // Another thread, a callback or a PMPI_ call may have got the same value for a new request.
  if (mck_rt.is_multiple || mck_rt.is_request_unseen) return;
  const struct mck_request *r = mck_request_find_freed(request);
  if (r) mck_handle_report_stale(call, what, "request", "completed or freed", r->fn, r->site, r->free_site);
}

void mck_check_request(struct mck_call *call, const char *what, MPI_Request request) {
  if (!mck_rt.is_ready) return;
  if (request == MPI_REQUEST_NULL) { // MPI_Request_get_status takes a null handle (MPI-3.1 3.7.6)
    if (call->fn != MCK_FN_MPI_Request_get_status) mck_request_null(call, what);
    return;
  }
  mck_lock();
  // A generalized request may be freed before its operation is complete (MPI-3.1 12.2): the operation still uses the
  // handle.
  const struct mck_request *stale = call->fn == MCK_FN_MPI_Grequest_complete ? mck_request_find_freed(request) : NULL;
  if (!mck_request_find(request, NULL) && !(stale && stale->kind == MCK_REQUEST_GENERALIZED))
    mck_request_unknown(call, what, request);
  mck_unlock();
}

void mck_request_null(struct mck_call *call, const char *what) {
  mck_local_report(call, MCK_CHECK_HANDLE_NULL, "%s of %s is a null request handle", what, mck_fn_names[call->fn]);
}

// Operations that may not be freed or cancelled while they are active: nonblocking collectives (MPI-3.1 5.12),
// request-based RMA (11.3.5).
static const char *forbidden(const struct mck_request *r) {
  return r->kind == MCK_REQUEST_COLL  ? "a nonblocking collective operation"
         : r->kind == MCK_REQUEST_RMA ? "an RMA operation"
                                      : NULL;
}

void mck_request_check_free(struct mck_call *call, const struct mck_request *r) {
  if (!r->is_active) return;
  const char *what = forbidden(r);
  if (what)
    mck_request_misused(call, MCK_CHECK_REQUEST_FREE, r, "%s of %s, which must be completed", mck_fn_names[call->fn],
                        what);
  // 3.7.3: the program cannot know when the buffer may be used. A cancelled request may be freed (3.8.4).
  else if (r->kind == MCK_REQUEST_RECV && !r->is_cancelled && !r->is_over)
    mck_request_misused(call, MCK_CHECK_REQUEST_FREE_ACTIVE, r,
                        "%s of a receive that is not complete: nobody will know when its data is there",
                        mck_fn_names[call->fn]);
}

void mck_request_check_cancel(struct mck_call *call, const struct mck_request *r) {
  const char *what = forbidden(r);
  if (what)
    mck_request_misused(call, MCK_CHECK_REQUEST_CANCEL, r, "%s of %s, which cannot be cancelled",
                        mck_fn_names[call->fn], what);
  else if (r->is_persistent && !r->is_active)
    mck_request_misused(call, MCK_CHECK_REQUEST_CANCEL, r, "%s of a persistent request that is not active",
                        mck_fn_names[call->fn]);
}

bool mck_request_check_start(struct mck_call *call, const struct mck_request *r) {
  if (r->is_persistent && !r->is_active) return true;
  if (!r->is_persistent)
    mck_request_misused(call, MCK_CHECK_REQUEST_NOT_PERSISTENT, r, "%s of a request that is not persistent",
                        mck_fn_names[call->fn]);
  else
    mck_request_misused(call, MCK_CHECK_REQUEST_START_ACTIVE, r,
                        "%s of a request that is active: it was started before and is not complete",
                        mck_fn_names[call->fn]);
  return false;
}

// A wait for nothing is legal, but seldom intended (option pedantic).
void mck_request_check_idle(struct mck_call *call, const struct mck_request *r) {
  const char *name = mck_fn_names[call->fn];
  if (!r)
    mck_request_misused(call, MCK_CHECK_REQUEST_WAIT_NULL, NULL, "%s of nothing but null requests returns at once",
                        name);
  else if (r->is_started)
    mck_request_misused(call, MCK_CHECK_REQUEST_WAIT_INACTIVE, r,
                        "%s of an inactive persistent request returns at once", name);
  else
    mck_request_misused(call, MCK_CHECK_REQUEST_NOT_STARTED, r, "%s of a persistent request that was never started",
                        name);
}
