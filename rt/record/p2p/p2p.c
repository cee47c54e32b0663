// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sends and receives, blocking and nonblocking (MPI-3.1 3.2, 3.4, 3.7, 3.10): the event before the call, the match or
// the request after it.
#include "record/access/touched-range.h"
#include "record/buffer/buffer-in-use.h"
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call-object.h"
#include "record/call/call.h"
#include "record/call/wait-mark.h"
#include "record/object/new-request.h"
#include "record/p2p/completed-request.h"
#include "record/p2p/message-event.h"
#include "record/p2p/plain-message.h"
#include "record/p2p/posting.h"
#include "record/replay/online-run.h"
#include "record/rma/untrue-assertion.h"
#include "record/rma/window-buffer.h"
#include "record/runtime.h"

__attribute__((noinline, cold)) void mck_plain_message_fail(struct mck_call *call, struct mck_args *a, int rc) {
  switch (call->fn) {
  case MCK_FN_MPI_Send: mck_send_after(call, a, rc); break;
  case MCK_FN_MPI_Recv: mck_recv_after(call, a, rc); break;
  case MCK_FN_MPI_Isend: mck_isend_after(call, a, rc); break;
  default: mck_irecv_after(call, a, rc);
  }
  mck_call_leave(call, a, rc);
}

MCK_HOT void mck_send_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  if (MCK_UNLIKELY(call->nuses)) mck_window_message_begin(call);
  call->event = mck_message_log_send(call, mck_message_mode(call->fn), a);
  if (MCK_UNLIKELY(mck_rt.is_online)) mck_online_begin(call->event);
  mck_unlock();
  mck_wait_begin(call->event);
}

MCK_HOT void mck_send_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  if (MCK_UNLIKELY(rc != MPI_SUCCESS)) mck_message_unmake(call->event);
  else if (mck_message_is_left_out(call, call->event, rc))
    call->event = mck_message_log_late(call, MCK_EV_SEND, mck_message_mode(call->fn), a);
}

MCK_HOT void mck_recv_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  uint8_t forced = mck_receive_force(a);
  call->event = mck_message_log_receive(call, forced, a);
  mck_unlock();
  if (mck_receive_is_wild(a) || MCK_UNLIKELY(mck_nwindows)) mck_receive_want_status(call, a);
  mck_wait_begin(call->event);
}

MCK_HOT void mck_recv_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  if (mck_message_is_left_out(call, call->event, rc)) call->event = mck_message_log_late(call, MCK_EV_RECV, 0, a);
  if (MCK_UNLIKELY(!mck_receive_has_match(rc))) mck_message_unmake(call->event);
  else if (mck_receive_is_wild(a)) mck_match_write(call->event, a->status, a->status == &call->status);
  if (MCK_UNLIKELY(mck_nwindows)) mck_assertion_received(call, a, rc);
}

// MPI_Sendrecv: both halves proceed at once (MPI-3.1 3.10).
void mck_sendrecv_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  uint8_t forced = mck_receive_force(a);
  if (MCK_UNLIKELY(mck_nwindows)) mck_window_message_begin(call);
  call->events[0] = mck_message_log_send(call, a->source == MPI_PROC_NULL ? 0 : MCK_FLAG_PART, a);
  if (MCK_UNLIKELY(mck_rt.is_online)) mck_online_begin(call->events[0]);
  call->events[1] = mck_message_log_receive(call, forced | (a->dest == MPI_PROC_NULL ? 0 : MCK_FLAG_PART), a);
  mck_unlock();
  if (mck_receive_is_wild(a) || MCK_UNLIKELY(mck_nwindows)) mck_receive_want_status(call, a);
  mck_wait_begin(call->events[0] != MCK_NONE ? call->events[0] : call->events[1]);
}

void mck_sendrecv_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  if (mck_message_is_left_out(call, call->events[0], rc) && a->dest != MPI_PROC_NULL)
    mck_message_log_late(call, MCK_EV_SEND, 0, a);
  if (mck_message_is_left_out(call, call->events[1], rc) && a->source != MPI_PROC_NULL)
    call->events[1] = mck_message_log_late(call, MCK_EV_RECV, 0, a);
  if (MCK_UNLIKELY(!mck_receive_has_match(rc)))
    mck_message_unmake(call->events[0]), mck_message_unmake(call->events[1]);
  else if (mck_receive_is_wild(a)) mck_match_write(call->events[1], a->status, a->status == &call->status);
  if (MCK_UNLIKELY(mck_nwindows)) mck_assertion_received(call, a, rc);
}

MCK_HOT void mck_isend_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  call->scratch = mck_request_held(call, a->request);
  call->event = mck_message_log_send(call, mck_message_mode(call->fn) | MCK_FLAG_NONBLOCKING, a);
  if (MCK_UNLIKELY(mck_rt.is_online)) mck_online_begin(call->event);
  if (MCK_UNLIKELY(call->nuses)) mck_window_message_posted(call);
  mck_post_begin(call);
}

MCK_HOT void mck_isend_after(struct mck_call *call, struct mck_args *a, int rc) {
  bool is_ours = mck_post_end(call, rc == MPI_SUCCESS ? a->request : NULL);
  if (mck_message_is_left_out(call, call->event, rc))
    call->event = mck_message_log_late(call, MCK_EV_SEND, mck_message_mode(call->fn) | MCK_FLAG_NONBLOCKING, a);
  if (MCK_UNLIKELY(rc != MPI_SUCCESS)) mck_message_unmake(call->event), mck_window_buffer_unmake(call->event);
  else if (MCK_LIKELY(call->event != MCK_NONE && is_ours)) {
    struct mck_request *r = mck_request_track(call, a->request, MCK_REQUEST_SEND);
    if (r) {
      r->event = call->event, r->is_active = true;
      if (MCK_LIKELY(!call->is_doubtful))
        mck_buffer_begin(mck_request_buffer(r, 0, NULL), a->sendbuf, a->sendcount, mck_call_type(call, a->sendtype),
                         false, call->site, call->fn);
    }
  } else mck_request_untracked(call, a->request);
  mck_unlock();
}

MCK_HOT void mck_irecv_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  call->scratch = mck_request_held(call, a->request);
  uint8_t forced = mck_receive_force(a);
  call->event = mck_message_log_receive(call, forced | MCK_FLAG_NONBLOCKING, a);
  if (MCK_UNLIKELY(call->nuses)) mck_window_message_posted(call);
  mck_post_begin(call);
}

MCK_HOT void mck_irecv_after(struct mck_call *call, struct mck_args *a, int rc) {
  bool is_ours = mck_post_end(call, rc == MPI_SUCCESS ? a->request : NULL);
  if (mck_message_is_left_out(call, call->event, rc))
    call->event = mck_message_log_late(call, MCK_EV_RECV, MCK_FLAG_NONBLOCKING, a);
  if (MCK_UNLIKELY(rc != MPI_SUCCESS)) mck_message_unmake(call->event), mck_window_buffer_unmake(call->event);
  else if (MCK_LIKELY(call->event != MCK_NONE && is_ours)) mck_receive_track(call, a, mck_receive_is_wild(a));
  else mck_request_untracked(call, a->request);
  mck_unlock();
}
