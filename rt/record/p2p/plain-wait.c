// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Wait for the usual request, with the same event as completion.c writes.
#include "record/p2p/plain-wait.h"
#include "record/call/call-begin.h"
#include "record/call/call-class.h"
#include "record/call/call-event.h"
#include "record/call/stack.h"
#include "record/call/wait-mark.h"
#include "record/p2p/completion.h"
#include "record/replay/persistent-wildcard.h"
#include "record/runtime.h"

static inline struct mck_request *find(const MPI_Request *request) {
  struct mck_request *r = mck_request_find(*request, request);
  return MCK_LIKELY(r && r->is_active && !r->is_special && r->event != MCK_NONE) ? r : NULL;
}

MCK_HOT bool mck_plain_wait_begin(struct mck_call *call, uint16_t fn, const struct mck_args *a, const void *pc,
                                  const void *frame) {
  if (!mck_plain_may_enter(frame) || MCK_UNLIKELY(!a->request || mck_persistent_wildcard_is_on)) return false;
  mck_lock();
  struct mck_request *r = find(a->request);
  if (MCK_UNLIKELY(!r)) {
    mck_unlock();
    return false;
  }
  mck_plain_enter(call, fn, pc, frame);
  call->given = a, call->scratch = r;
  uint32_t site = mck_call_site(call);
  mck_windows_before_event();
  if (MCK_LIKELY(mck_rt.is_ready))
    call->event = mck_log_put_wait(&mck_rt.log, MCK_EV_WAIT, MCK_WAIT_ALL, fn, site, r->event);
  mck_unlock();
  mck_wait_begin_plain(call->event);
  return true;
}

static __attribute__((noinline, cold)) void end_otherwise(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_after(call, a, rc);
  mck_call_leave(call, a, rc);
}

MCK_HOT void mck_plain_wait_end(struct mck_call *call, struct mck_args *a, int rc) {
  struct mck_request *r = call->scratch;
  struct mck_buffer_release ending = {0};
  mck_lock();
  bool is_plain = rc == MPI_SUCCESS && r->is_active;
  if (MCK_UNLIKELY(!is_plain || !mck_complete_plain(call, r, call->site, &ending))) {
    mck_unlock();
    end_otherwise(call, a, rc);
    return;
  }
  mck_buffer_release_flush(&ending);
  mck_unlock();
  mck_wait_end_plain();
  mck_plain_leave();
}
