// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The usual message: one look finds nothing wrong with it, and its event is written. Inline, for the wrappers of the
// four functions that programs send and receive with; each pays as few loads and stores as there can be. Where the look
// says no, nothing was done, and the call goes the usual way through the checks by role (p2p.c), with the same events
// and the same findings. begin: the library is to be called if it returns true. end: the library has returned.
#pragma once
#include "record/buffer/buffer-in-use.h"
#include "record/call/call-args.h"
#include "record/call/call-begin.h"
#include "record/call/call-class.h"
#include "record/call/call-event.h"
#include "record/call/stack.h"
#include "record/call/wait-mark.h"
#include "record/check/plain-arguments.h"
#include "record/object/new-request.h"
#include "record/rma/untrue-assertion.h"
#include "record/rma/window-buffer.h"
#include "record/runtime.h"
#include "record/access/touched-range.h"

struct mck_plain_message {
  const void *buffer;
  int count;
  MPI_Datatype type;
  int peer, tag;
  MPI_Comm comm;
};

// Leaves the objects in the call, which is not entered yet. Without the lock, which only posting needs: below
// MPI_THREAD_SERIALIZED other threads change no objects.
static inline __attribute__((always_inline)) bool
mck_plain_message_look(struct mck_call *call, const struct mck_plain_message *m, unsigned flags) {
  struct mck_comm *c = mck_comm_last;
  struct mck_type *t = mck_type_last;
  if (MCK_UNLIKELY(!mck_are_plain_arguments(c, t, m->comm, m->peer, m->tag, m->type, m->buffer, m->count)))
    return false;
  if (MCK_UNLIKELY(!c->is_logged || mck_rt.is_followed || m->buffer == MPI_IN_PLACE)) return false;
  if (m->count && MCK_UNLIKELY(!m->buffer || !mck_use_is_known(m->buffer, m->count, t, flags | MCK_USE_ONLY)))
    return false;
  if (MCK_UNLIKELY(!mck_window_buffer_is_apart(m->buffer, m->count * t->extent))) return false;
  call->comm = c, call->type = t;
  return true;
}

static inline __attribute__((always_inline)) void
mck_plain_message_log(struct mck_call *call, const struct mck_plain_message *m, uint8_t kind, uint8_t flags) {
  call->event = mck_event_put(call, kind, flags,
                              (struct mck_message_words){mck_call_site(call), call->comm->object.id, m->peer, m->tag,
                                                         call->type->object.id, (uint64_t)m->count});
}

// --- blocking ---
static inline __attribute__((always_inline)) bool
mck_plain_blocking_begin(struct mck_call *call, uint16_t fn, const struct mck_args *a,
                         const struct mck_plain_message *m, bool is_receive, const void *pc, const void *frame) {
  if (!mck_plain_may_enter(frame)) return false;
  if (!mck_plain_message_look(call, m, is_receive ? MCK_USE_WRITTEN | MCK_USE_UP_TO : 0)) return false;
  struct mck_comm *c = call->comm;
  struct mck_type *t = call->type;
  mck_plain_enter(call, fn, pc, frame);
  call->given = a, call->comm = c, call->type = t;
  mck_lock();
  mck_plain_message_log(call, m, is_receive ? MCK_EV_RECV : MCK_EV_SEND, 0);
  mck_unlock();
  mck_wait_begin_plain(call->event);
  return true;
}
#define MCK_PLAIN_MESSAGE(...) (&(const struct mck_plain_message){__VA_ARGS__})
#define mck_plain_send_begin(call, fn, a, pc, frame, ...)                                                              \
  mck_plain_blocking_begin(call, fn, a, MCK_PLAIN_MESSAGE(__VA_ARGS__), false, pc, frame)
// Over windows a receive may be a store to one (record/rma/untrue-assertion.h).
#define mck_plain_recv_begin(call, fn, a, pc, frame, ...)                                                              \
  (!mck_nwindows && mck_plain_blocking_begin(call, fn, a, MCK_PLAIN_MESSAGE(__VA_ARGS__), true, pc, frame))

void mck_plain_message_fail(struct mck_call *call, struct mck_args *a, int rc); // the usual way after the call
static inline void mck_plain_blocking_end(struct mck_call *call, struct mck_args *a, int rc) {
  if (MCK_UNLIKELY(rc != MPI_SUCCESS)) {
    mck_plain_message_fail(call, a, rc);
    return;
  }
  mck_wait_end_plain();
  mck_plain_leave();
}
#define mck_plain_send_end mck_plain_blocking_end
#define mck_plain_recv_end mck_plain_blocking_end

// --- nonblocking: the lock is held until the request is in the table (docs/design/threads.md) ---
static inline __attribute__((always_inline)) bool
mck_plain_post_begin(struct mck_call *call, uint16_t fn, const struct mck_args *a, const struct mck_plain_message *m,
                     bool is_receive, const void *pc, const void *frame) {
  if (!mck_plain_may_enter(frame) || MCK_UNLIKELY(!a->request)) return false;
  unsigned flags = MCK_USE_KEPT | (is_receive ? MCK_USE_WRITTEN | MCK_USE_UP_TO : 0);
  if (!mck_plain_message_look(call, m, flags)) return false;
  struct mck_comm *c = call->comm;
  struct mck_type *t = call->type;
  mck_plain_enter(call, fn, pc, frame);
  call->given = a, call->comm = c, call->type = t;
  mck_lock();
  bool has_none = MCK_UNLIKELY(mck_request_skips_held) || MCK_LIKELY(*a->request == MPI_REQUEST_NULL);
  call->scratch = has_none ? NULL : mck_request_held(call, a->request);
  mck_plain_message_log(call, m, is_receive ? MCK_EV_RECV : MCK_EV_SEND, MCK_FLAG_NONBLOCKING);
  return true;
}

static inline __attribute__((always_inline)) void mck_plain_post_end(struct mck_call *call, struct mck_args *a, int rc,
                                                                     bool is_receive) {
  if (MCK_UNLIKELY(rc != MPI_SUCCESS || call->event == MCK_NONE)) {
    mck_plain_message_fail(call, a, rc);
    return;
  }
  struct mck_request *r = mck_request_track(call, a->request, is_receive ? MCK_REQUEST_RECV : MCK_REQUEST_SEND);
  if (MCK_LIKELY(r != NULL)) {
    r->event = call->event, r->is_active = true;
    mck_buffer_begin(mck_request_buffer(r, is_receive, NULL), is_receive ? a->recvbuf : a->sendbuf,
                     is_receive ? a->recvcount : a->sendcount, call->type, is_receive, call->site, call->fn);
    if (is_receive && MCK_UNLIKELY(mck_nwindows)) mck_assertion_begin(r);
  }
  mck_unlock();
  mck_plain_leave();
}
#define mck_plain_isend_begin(call, fn, a, pc, frame, ...)                                                             \
  mck_plain_post_begin(call, fn, a, MCK_PLAIN_MESSAGE(__VA_ARGS__), false, pc, frame)
#define mck_plain_irecv_begin(call, fn, a, pc, frame, ...)                                                             \
  mck_plain_post_begin(call, fn, a, MCK_PLAIN_MESSAGE(__VA_ARGS__), true, pc, frame)
#define mck_plain_isend_end(call, a, rc) mck_plain_post_end(call, a, rc, false)
#define mck_plain_irecv_end(call, a, rc) mck_plain_post_end(call, a, rc, true)
