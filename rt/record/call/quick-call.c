// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Test and MPI_Iprobe that find nothing: some programs make four million of them per second. What may be wrong
// with the call shows before the library is called (a stale handle is no active request); such a call takes the long
// way. A test that succeeds, or a call that fails, becomes a call like any other afterwards.
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call.h"
#include "record/call/poll-list.h"
#include "record/call/quick-call.h"
#include "record/call/thread-level.h"
#include "record/replay/replay.h"
#include "record/runtime.h"
#include "standard/matching.h"

static struct mck_request null_request; // stands for the null request, which completes nothing

MCK_HOT struct mck_request *mck_quick_test_begin(const MPI_Request *request, const int *flag, const void *pc,
                                                 const void *frame) {
  if (MCK_UNLIKELY(!request || !flag || !mck_quick_enter(MCK_FN_MPI_Test, pc, frame))) return NULL;
  struct mck_request *r = *request == MPI_REQUEST_NULL ? &null_request : mck_request_find(*request, request);
  // The match of a wildcard comes with the status, which the program may ignore; so does the size of a message.
  bool is_plain = r && !r->is_wild && !r->is_cancelled && !r->is_in_window && !r->has_content;
  if (MCK_LIKELY(is_plain && (r->is_active || r == &null_request))) return r;
  mck_depth_set(0);
  return NULL;
}

static __attribute__((noinline)) void test_after(struct mck_request *r, MPI_Request *request, int *flag,
                                                 MPI_Status *status, int rc, const void *pc, const void *frame) {
  struct mck_call call;
  struct mck_args a = {.request = request, .flag = flag, .status = status, .root = -1000};
  mck_rt.calls--; // counted already
  if (!mck_call_enter(&call, MCK_FN_MPI_Test, pc, frame)) return;
  call.given = &a, call.scratch = r, call.events[0] = false;
  mck_lock();
  mck_test_after(&call, &a, rc);
  mck_call_leave(&call, &a, rc);
}

MCK_HOT void mck_quick_test_end(struct mck_request *r, MPI_Request *request, int *flag, MPI_Status *status, int rc,
                                const void *pc, const void *frame) {
  mck_depth_set(0);
  if (MCK_UNLIKELY(rc != MPI_SUCCESS || (*flag && r != &null_request)))
    test_after(r, request, flag, status, rc, pc, frame);
  else if (!*flag) mck_poll_request(r, MCK_FN_MPI_Test, pc, frame);
  else mck_poll_count(MCK_FN_MPI_Test, pc, frame, true); // a null request: no operation is tested, and none is complete
}

MCK_HOT bool mck_quick_iprobe_begin(int source, int tag, MPI_Comm comm, const int *flag, const MPI_Status *status,
                                    const void *pc, const void *frame) {
  const struct mck_comm *c = mck_comm_last;
  // The message that a wildcard has found comes with the status.
  if (MCK_UNLIKELY(mck_std_is_wild(source, tag) && (status == MPI_STATUS_IGNORE || mck_replay_is_on))) return false;
  if (MCK_UNLIKELY(!flag || !mck_is_plain || mck_rt.is_followed || c->object.handle != (uint64_t)(uintptr_t)comm ||
                   c->object.is_freed))
    return false;
  unsigned npeers = (unsigned)(c->remote_size ? c->remote_size : c->size);
  if (MCK_UNLIKELY(((unsigned)source >= npeers && source != MPI_ANY_SOURCE) ||
                   ((unsigned)tag > 32767 && tag != MPI_ANY_TAG)))
    return false;
  return mck_quick_enter(MCK_FN_MPI_Iprobe, pc, frame);
}

static __attribute__((noinline, cold)) void iprobe_after(struct mck_args *a, int rc, const void *pc,
                                                         const void *frame) {
  struct mck_call call;
  mck_rt.calls--;
  if (!mck_call_enter(&call, MCK_FN_MPI_Iprobe, pc, frame)) return;
  call.given = a;
  call.events[0] = mck_std_is_wild(a->source, a->recvtag), call.events[1] = 0; // as mck_iprobe_before leaves them
  mck_iprobe_after(&call, a, rc);
  mck_call_leave(&call, a, rc);
}

MCK_HOT void mck_quick_iprobe_end(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status, int rc,
                                  const void *pc, const void *frame) {
  mck_depth_set(0);
  if (MCK_UNLIKELY(rc != MPI_SUCCESS ||
                   (*flag && (mck_std_is_wild(source, tag) || !mck_found_again(mck_comm_last, source, tag)))))
    iprobe_after(
        &(struct mck_args){
            .source = source, .recvtag = tag, .comm = comm, .flag = flag, .status = status, .root = -1000},
        rc, pc, frame);
  else if (!*flag) mck_poll_probe(mck_comm_last, source, tag, MCK_FN_MPI_Iprobe, pc, frame);
  else mck_poll.next = NULL; // the message that is there may be received by a call that we do not see
}
