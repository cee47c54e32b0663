// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Persistent requests (MPI-3.1 3.9): the event is made with the request and appended at each start. The buffer is in
// use from the start to the completion.
#include "record/access/touched-range.h"
#include "record/buffer/buffer-in-use.h"
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call-object.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/object/new-request.h"
#include "record/p2p/message-event.h"
#include "record/p2p/request-misuse.h"
#include "record/replay/online-run.h"
#include "record/replay/persistent-wildcard.h"
#include "record/rma/untrue-assertion.h"
#include "record/rma/window-buffer.h"
#include "record/runtime.h"

static void init_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  call->scratch = mck_request_held(call, a->request);
  mck_unlock();
}

static void define_send_buffer(struct mck_call *call, const struct mck_args *a, struct mck_request *r) {
  struct mck_buffer *b = mck_request_buffer(r, 0, NULL);
  if (a->dest != MPI_PROC_NULL && !call->is_doubtful)
    mck_buffer_define(b, a->sendbuf, a->sendcount, mck_call_type(call, a->sendtype), false, call->fn);
}

static void define_receive_buffer(struct mck_call *call, const struct mck_args *a, struct mck_request *r) {
  struct mck_buffer *b = mck_request_buffer(r, 1, NULL);
  if (a->source != MPI_PROC_NULL && !call->is_doubtful)
    mck_buffer_define(b, a->recvbuf, a->recvcount, mck_call_type(call, a->recvtype), true, call->fn);
}

static void init_after(struct mck_call *call, struct mck_args *a, int rc, bool is_send) {
  struct mck_event e = {.kind = MCK_EV_PAD}; // stays so for MPI_PROC_NULL: nothing to log
  mck_lock();
  call->scratch = call->scratch && mck_rt.is_multiple ? NULL : call->scratch;
  mck_message_make(&e, call, is_send ? MCK_EV_SEND : MCK_EV_RECV, a);
  struct mck_request *r = rc != MPI_SUCCESS || !mck_rt.is_ready
                              ? NULL
                              : mck_request_track(call, a->request, is_send ? MCK_REQUEST_SEND : MCK_REQUEST_RECV);
  if (r) {
    r->start = e;
    r->is_persistent = true;
    r->is_wild = !is_send && mck_receive_is_wild(a);
    if (MCK_UNLIKELY(mck_replay_is_on) && r->is_wild && e.kind != MCK_EV_PAD)
      mck_persistent_wildcard_define(a, *a->request);
    if (is_send) define_send_buffer(call, a, r);
    else define_receive_buffer(call, a, r);
  }
  mck_unlock();
}

void mck_send_init_before(struct mck_call *call, struct mck_args *a) { init_before(call, a); }
void mck_send_init_after(struct mck_call *call, struct mck_args *a, int rc) { init_after(call, a, rc, true); }
void mck_recv_init_before(struct mck_call *call, struct mck_args *a) { init_before(call, a); }
void mck_recv_init_after(struct mck_call *call, struct mck_args *a, int rc) { init_after(call, a, rc, false); }

// With a decision (a rerun), the start is that of a specific receive, as the library sees it.
static __attribute__((noinline, cold)) void narrow(struct mck_request *r, MPI_Request *request, struct mck_event *e) {
  int source = MPI_ANY_SOURCE, tag = MPI_ANY_TAG;
  uint8_t forced = mck_persistent_wildcard_start(r, request, &source, &tag);
  if (forced & MCK_FLAG_FORCED_SOURCE) e->msg.peer = source, e->flags &= (uint8_t)~MCK_FLAG_ANY_SOURCE;
  if (forced & MCK_FLAG_FORCED_TAG) e->msg.tag = tag, e->flags &= (uint8_t)~MCK_FLAG_ANY_TAG;
  e->flags |= forced;
}

static void start_one(struct mck_call *call, const char *what, MPI_Request *request, const MPI_Request *variable) {
  mck_persistent_wildcard_look(request, 1);
  struct mck_request *r = mck_request_find(*request, variable);
  if (*request == MPI_REQUEST_NULL) mck_request_null(call, what);
  else if (!r && !mck_request_is_shared(*request)) mck_request_unknown(call, what, *request);
  if (!r || !mck_request_check_start(call, r)) return;
  r->start.site = mck_call_site(call);
  struct mck_event e = r->start;
  e.fn = r->fn;
  if (MCK_UNLIKELY(mck_replay_is_on) && r->is_wild && e.kind != MCK_EV_PAD) narrow(r, request, &e);
  r->event = e.kind == MCK_EV_PAD ? MCK_NONE : mck_message_append(call, &e);
  if (MCK_UNLIKELY(mck_nwindows)) mck_window_message_started(r, call->site);
  if (MCK_UNLIKELY(mck_rt.is_online)) mck_online_begin(r->event);
  r->is_active = r->is_started = true, r->is_over = false;
  for (int i = 0; i < 2; i++) {
    struct mck_buffer *b = &r->buffers[i];
    if (r->used >> i & 1 && b->low) mck_buffer_restart(b, call->site);
  }
  if (MCK_UNLIKELY(mck_nwindows)) mck_assertion_begin(r);
}

void mck_start_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  if (a->request) start_one(call, "request", a->request, mck_call_variable(call, a->request, 0));
}
void mck_start_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)call, (void)a, (void)rc;
  mck_unlock();
}
void mck_startall_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  for (int i = 0; i < a->incount && a->requests; i++)
    start_one(call, "array_of_requests", &a->requests[i], mck_call_variable(call, a->requests, i));
}
void mck_startall_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)call, (void)a, (void)rc;
  mck_unlock();
}
