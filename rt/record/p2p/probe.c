// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Probes (MPI-3.1 3.8), and receives of matched messages.
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call-object.h"
#include "record/call/call.h"
#include "record/call/poll-list.h"
#include "record/call/stack.h"
#include "record/call/wait-mark.h"
#include "record/object/new-object.h"
#include "record/object/new-request.h"
#include "record/p2p/completed-request.h"
#include "record/p2p/message-event.h"
#include "record/runtime.h"

// A matched probe takes the message, so matching counts the probe (MPI-3.1 3.8.2).
void mck_probe_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  uint8_t forced = mck_receive_force(a);
  call->event = mck_message_log_probe(call, call->fn == MCK_FN_MPI_Mprobe ? MCK_EV_MPROBE : MCK_EV_PROBE, forced, a);
  mck_unlock();
  mck_receive_want_status(call, a);
  mck_wait_begin(call->event);
}

void mck_probe_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  if (rc == MPI_SUCCESS)
    mck_match_write(call->event, a->status, call->fn == MCK_FN_MPI_Probe && a->status == &call->status);
  else mck_message_unmake(call->event);
}

// A nonblocking probe leaves an event when it has found a message. With wildcards it depends on timing which message
// that is. In any case the send is ordered before what this process does next (MPI-3.1 3.8.1), as with a receive.
static void poll_before(struct mck_call *call, struct mck_args *a) {
  call->events[0] = mck_receive_is_wild(a);
  call->events[1] = MCK_UNLIKELY(mck_replay_is_on) && call->events[0] ? mck_replay_peek(a) : 0;
  if (call->events[0]) mck_receive_want_status(call, a);
}
static uint32_t poll_after(struct mck_call *call, struct mck_args *a, uint8_t kind) {
  if (mck_replay_is_on && call->events[0]) mck_replay_count();
  uint8_t flags = call->events[0] ? (uint8_t)call->events[1] : MCK_FLAG_MATCHED;
  uint32_t event = mck_message_log_probe(call, kind, flags, a);
  if (call->events[0]) mck_match_write(event, a->status, kind == MCK_EV_PROBE && a->status == &call->status);
  return event;
}
// The checks have found the communicator already.
static void probed_in_vain(struct mck_call *call, const struct mck_args *a) {
  if (mck_poll_is_worth(call))
    mck_poll_probe(mck_call_comm(call, a->comm), a->source, a->recvtag, call->fn, call->pc, call->frame);
}

void mck_iprobe_before(struct mck_call *call, struct mck_args *a) { poll_before(call, a); }
void mck_iprobe_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc == MPI_SUCCESS && a->flag && !*a->flag) probed_in_vain(call, a);
  if (rc != MPI_SUCCESS || !*a->flag || a->source == MPI_PROC_NULL) return;
  mck_lock();
  const struct mck_comm *c = mck_call_comm(call, a->comm);
  const void *next = mck_rt.log.next;
  bool is_wildcard = call->events[0]; // each one counts (record/replay/replay.h)
  if (is_wildcard || !mck_found_again(c, a->source, a->recvtag)) {
    call->event = poll_after(call, a, MCK_EV_PROBE);
    if (!is_wildcard) mck_found_add(next, c, a->source, a->recvtag);
  }
  mck_unlock();
}

void mck_mprobe_before(struct mck_call *call, struct mck_args *a) { mck_probe_before(call, a); }
void mck_mprobe_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_probe_after(call, a, rc);
  if (rc == MPI_SUCCESS) mck_new_message(call, a->message, call->event);
}

void mck_improbe_before(struct mck_call *call, struct mck_args *a) {
  poll_before(call, a);
  mck_receive_want_status(call, a);
}
void mck_improbe_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc == MPI_SUCCESS && !*a->flag) probed_in_vain(call, a);
  if (rc != MPI_SUCCESS || !*a->flag || a->source == MPI_PROC_NULL) return;
  mck_lock();
  call->event = poll_after(call, a, MCK_EV_MPROBE);
  mck_unlock();
  mck_new_message(call, a->message, call->event);
}

static uint32_t log_mrecv(struct mck_call *call, struct mck_args *a) {
  struct mck_object *message = mck_object_find(MCK_OBJECT_MESSAGE, (uint64_t)(uintptr_t)*a->message);
  if (call->nfindings || !message || message->is_freed || message->id == MCK_NONE) return MCK_NONE;
  struct mck_event e = {.kind = MCK_EV_MRECV, .fn = call->fn, .site = mck_call_site(call)};
  e.mrecv.mprobe = message->id, e.mrecv.type = mck_message_type_id(call, a->recvtype),
  e.mrecv.count = (uint64_t)a->recvcount;
  return mck_message_append(call, &e);
}

void mck_mrecv_before(struct mck_call *call, struct mck_args *a) {
  mck_old_message(call, "message", a->message);
  mck_lock();
  call->event = log_mrecv(call, a);
  mck_free_begin(call);
  mck_unlock();
  if (MCK_UNLIKELY(mck_nwindows)) mck_receive_want_status(call, a);
}
void mck_mrecv_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_free_end(call, mck_receive_has_match(rc) ? MPI_SUCCESS : rc);
  if (MCK_UNLIKELY(mck_nwindows)) mck_assertion_received(call, a, rc);
}

void mck_imrecv_before(struct mck_call *call, struct mck_args *a) {
  mck_old_message(call, "message", a->message);
  mck_lock();
  call->scratch = mck_request_held(call, a->request);
  call->event = log_mrecv(call, a);
  mck_free_begin(call);
}
void mck_imrecv_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_free_end(call, rc);
  if (rc == MPI_SUCCESS && call->event != MCK_NONE) mck_receive_track(call, a, false);
  else if (rc == MPI_SUCCESS) mck_request_untracked(call, a->request);
  mck_unlock();
}
