// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thread.request: two threads must not complete one request at the same time (MPI-3.1 12.4.2). Under
// MPI_THREAD_MULTIPLE we know which requests a thread is blocked on (below that level, two threads in MPI at once are
// a finding of thread.level). A request that another thread's completion call finds here is certainly in use: had the
// first call returned, its handle would be stale; and if the value had been given out again, its new request would be
// in the table. Where nothing orders the two threads order alone tells it (strand/strand-request.c): whether the one is
// found at it is luck.
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/error/local-finding.h"
#include "record/p2p/request-threads.h"
#include "record/runtime.h"
#include "record/strand/strand-checks.h"

static size_t nwaited;
enum { UNKNOWN = 16 };
static MPI_Request unknown[UNKNOWN]; // the last ones
static uint32_t nunknown;

void mck_waited_begin(struct mck_call *call, struct mck_request *r) {
  if (mck_depth > 1) return; // the call of a callback
  nwaited += !r->is_waited;
  r->is_waited = true, r->waiter = &mck_depth, r->wait_fn = call->fn, r->wait_site = mck_call_site(call);
}

void mck_waited_end(struct mck_request *r) {
  nwaited -= r->is_waited;
  r->is_waited = false;
}

void mck_waited_forget(MPI_Request request) {
  struct mck_request *r = mck_request_find_detached(request);
  if (r) mck_waited_end(r);
}

static __attribute__((noinline, cold)) void report(struct mck_call *call, const char *what,
                                                   const struct mck_request *r) {
  if (mck_depth > 1 || call->nfindings) return;
  mck_lock();
  struct mck_finding *f = mck_local_add(MCK_CHECK_THREAD_REQUEST, mck_call_site(call), r->wait_site);
  call->nfindings++;
  if (mck_rt.log.header) atomic_store(&mck_rt.log.header->refused, 1u + call->fn);
  mck_finding_text(f, "%s of %s is being completed by another thread, which is in %s", what, mck_fn_names[call->fn],
                   mck_fn_names[r->wait_fn]);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, r->wait_site, "the other thread is in %s", mck_fn_names[r->wait_fn]);
  mck_finding_place(f, mck_rt.rank, r->site, "the request was made by %s", mck_fn_names[r->fn]);
  mck_finding_why(f, "a request can be completed only once, so no two threads may wait for it or test it at the same "
                     "time (MPI-3.1 12.4.2)");
  mck_local_done(f);
  mck_unlock();
}

struct mck_request *mck_waited_check(struct mck_call *call, const char *what, struct mck_request *r,
                                     MPI_Request handle) {
  if (!r && !mck_rt.is_request_unseen) r = mck_request_find_detached(handle);
  if (!r || !r->is_waited || r->waiter == &mck_depth) return r && r->is_detached ? NULL : r;
  if (!mck_strand_request_is_open(call, handle)) report(call, what, r);
  return NULL;
}

void mck_waited_unknown(MPI_Request handle) { unknown[nunknown++ % UNKNOWN] = handle; }
uint32_t mck_waited_unknowns(void) { return nunknown; }
bool mck_waited_was_unknown(MPI_Request handle, uint32_t since) {
  for (uint32_t i = since; i != nunknown && nunknown - since <= UNKNOWN; i++)
    if (unknown[i % UNKNOWN] == handle) return true;
  return nunknown - since > UNKNOWN;
}

void mck_waited_check_all(struct mck_call *call, const char *what, const MPI_Request *handles, int n) {
  for (int i = 0; nwaited && i < n; i++)
    if (handles[i] != MPI_REQUEST_NULL && !mck_request_is_shared(handles[i]))
      mck_waited_check(call, what, mck_request_find(handles[i], NULL), handles[i]);
}
