// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Point-to-point communication: every send and every posted receive is one event, in the order of the calls
// (MPI-3.1 3.5: that order is what matching goes by). A receive's event is completed in place when its match is known,
// so no second event is needed.
#include "record/replay/persistent-wildcard.h"
#include "record/replay/online-run.h"
#include "record/call/poll-list.h"
#include "record/replay/replay.h"
#include "record/buffer/buffer-in-use.h"
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call-event.h"
#include "record/call/call-object.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/call/wait-mark.h"
#include "record/object/new-object.h"
#include "record/object/new-request.h"
#include "record/p2p/completed-request.h"
#include "record/p2p/request-misuse.h"
#include "record/runtime.h"

static uint8_t mode_of(uint16_t fn) {
  static const uint8_t modes[MCK_FN_COUNT] = {
      [MCK_FN_MPI_Ssend] = MCK_FLAG_SYNC,      [MCK_FN_MPI_Issend] = MCK_FLAG_SYNC,
      [MCK_FN_MPI_Ssend_init] = MCK_FLAG_SYNC, [MCK_FN_MPI_Bsend] = MCK_FLAG_BUFFERED,
      [MCK_FN_MPI_Ibsend] = MCK_FLAG_BUFFERED, [MCK_FN_MPI_Bsend_init] = MCK_FLAG_BUFFERED,
      [MCK_FN_MPI_Rsend] = MCK_FLAG_READY,     [MCK_FN_MPI_Irsend] = MCK_FLAG_READY,
      [MCK_FN_MPI_Rsend_init] = MCK_FLAG_READY};
  return modes[fn];
}

static uint32_t type_id(struct mck_call *call, MPI_Datatype type) {
  const struct mck_type *t = mck_call_type(call, type);
  return t ? t->object.id : MCK_NONE;
}

// What a send or receive says, or false if there is nothing to log (MPI_PROC_NULL, arguments that the call will
// refuse). Sites and types may have to be defined first, which appends to the log: so they come before the event's
// place is known.
struct message {
  uint32_t comm, site, type;
  int peer, tag;
  uint8_t flags;
};
static inline __attribute__((always_inline)) bool look(struct message *m, struct mck_call *call, uint8_t kind,
                                                       uint8_t flags, MPI_Comm comm, int peer, int tag,
                                                       MPI_Datatype type) {
  struct mck_comm *c = peer == MPI_PROC_NULL || call->nfindings ? NULL : mck_call_comm(call, comm);
  if (!c || !c->is_logged || c->object.is_freed) return false;
  if (kind != MCK_EV_SEND) {
    if (peer == MPI_ANY_SOURCE) flags |= MCK_FLAG_ANY_SOURCE, peer = -1;
    if (tag == MPI_ANY_TAG) flags |= MCK_FLAG_ANY_TAG, tag = -1;
  }
  *m = (struct message){
      c->object.id, mck_call_site(call), type == MPI_DATATYPE_NULL ? MCK_NONE : type_id(call, type), peer, tag, flags};
  return true;
}

static inline __attribute__((always_inline)) void fill(struct mck_event *e, const struct message *m, MPI_Aint count) {
  e->flags = m->flags, e->site = m->site;
  e->msg.comm = m->comm, e->msg.peer = m->peer, e->msg.tag = m->tag, e->msg.type = m->type,
  e->msg.count = (uint64_t)count;
}

// Written in place: a copy of an event that was just put together would wait for its parts to leave the store buffer.
MCK_HOT static uint32_t log_message(struct mck_call *call, uint8_t kind, uint8_t flags, MPI_Comm comm, int peer,
                                    int tag, MPI_Datatype type, MPI_Aint count) {
  struct message m;
  if (!look(&m, call, kind, flags, comm, peer, tag, type)) return MCK_NONE;
  struct mck_event *e = mck_event_begin(call, kind, m.flags);
  if (!e) return MCK_NONE;
  fill(e, &m, count);
  return mck_log_commit(&mck_rt.log, 1);
}

// For persistent requests, to be appended at each start.
static bool make(struct mck_event *e, struct mck_call *call, uint8_t kind, uint8_t flags, MPI_Comm comm, int peer,
                 int tag, MPI_Datatype type, MPI_Aint count) {
  struct message m;
  if (!look(&m, call, kind, flags, comm, peer, tag, type)) return false;
  *e = (struct mck_event){.kind = kind, .fn = call->fn};
  fill(e, &m, count);
  return true;
}

static uint32_t append(struct mck_call *call, const struct mck_event *made) {
  struct mck_event *e = mck_event_begin(call, made->kind, made->flags);
  if (!e) return MCK_NONE;
  *e = *made;
  return mck_log_commit(&mck_rt.log, 1);
}

static void unlog(uint32_t event) { // the call failed: it never took part in matching
  if (event != MCK_NONE) mck_event_unmake(&mck_rt.log.first[event]);
}

void mck_match_write(uint32_t event, const MPI_Status *status) {
  if (event == MCK_NONE || status->MPI_SOURCE < 0) return;
  struct mck_event *e = &mck_rt.log.first[event];
  __atomic_store_n(&e->msg.peer, status->MPI_SOURCE, __ATOMIC_RELAXED);
  __atomic_store_n(&e->msg.tag, status->MPI_TAG, __ATOMIC_RELAXED);
  mck_event_flag(e, MCK_FLAG_MATCHED);
}

static bool is_wild(const struct mck_args *a) { return a->source == MPI_ANY_SOURCE || a->recvtag == MPI_ANY_TAG; }
// One from MPI_PROC_NULL is in no log, so it has no number, whatever its tag.
static inline uint8_t force(struct mck_args *a) {
  return MCK_UNLIKELY(mck_replay_is_on) && is_wild(a) && a->source != MPI_PROC_NULL ? mck_replay_force(a) : 0;
}

// A wildcard receive needs its status even where the user does not.
static void want_status(struct mck_call *call, struct mck_args *a) {
  if (a->status == MPI_STATUS_IGNORE) a->status = &call->status;
}

static bool has_match(int rc) {
  if (rc == MPI_SUCCESS) return true;
  int class = MPI_ERR_OTHER;
  PMPI_Error_class(rc, &class);
  return class == MPI_ERR_TRUNCATE; // the message was taken all the same (MPI-3.1 3.2.5)
}

// A call that we found wrong is expected to be refused and leaves no event. When the library carried it out, the other
// side counts it.
static __attribute__((noinline, cold)) uint32_t log_all_the_same(struct mck_call *call, uint8_t kind, uint8_t flags,
                                                                 const struct mck_args *a) {
  uint16_t nfindings = call->nfindings;
  call->nfindings = 0;
  mck_lock();
  uint32_t event = kind == MCK_EV_SEND
                       ? log_message(call, kind, flags, a->comm, a->dest, a->sendtag, a->sendtype, a->sendcount)
                       : log_message(call, kind, flags, a->comm, a->source, a->recvtag, a->recvtype, a->recvcount);
  if (mck_rt.is_online) mck_online_begin(event);
  mck_unlock();
  call->nfindings = nfindings;
  return event;
}

static inline bool is_left_out(const struct mck_call *call, uint32_t event, int rc) {
  return MCK_UNLIKELY(call->nfindings) && event == MCK_NONE && rc == MPI_SUCCESS;
}

MCK_HOT void mck_send_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  call->event = log_message(call, MCK_EV_SEND, mode_of(call->fn), a->comm, a->dest, a->sendtag, a->sendtype,
                            a->sendcount);
  if (MCK_UNLIKELY(mck_rt.is_online)) mck_online_begin(call->event);
  mck_unlock();
  mck_wait_begin(call->event);
}

MCK_HOT void mck_send_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  if (MCK_UNLIKELY(rc != MPI_SUCCESS)) unlog(call->event);
  else if (is_left_out(call, call->event, rc)) call->event = log_all_the_same(call, MCK_EV_SEND, mode_of(call->fn), a);
}

MCK_HOT void mck_recv_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  uint8_t forced = force(a);
  call->event = log_message(call, MCK_EV_RECV, forced, a->comm, a->source, a->recvtag, a->recvtype, a->recvcount);
  mck_unlock();
  if (is_wild(a)) want_status(call, a);
  mck_wait_begin(call->event);
}

MCK_HOT void mck_recv_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  if (is_left_out(call, call->event, rc)) call->event = log_all_the_same(call, MCK_EV_RECV, 0, a);
  if (MCK_UNLIKELY(!has_match(rc))) unlog(call->event);
  else if (is_wild(a)) mck_match_write(call->event, a->status);
}

// MPI_Sendrecv: both halves proceed at once (MPI-3.1 3.10).
void mck_sendrecv_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  uint8_t forced = force(a);
  call->events[0] = log_message(call, MCK_EV_SEND, a->source == MPI_PROC_NULL ? 0 : MCK_FLAG_PART, a->comm, a->dest,
                                a->sendtag, a->sendtype, a->sendcount);
  if (MCK_UNLIKELY(mck_rt.is_online)) mck_online_begin(call->events[0]);
  call->events[1] = log_message(call, MCK_EV_RECV, forced | (a->dest == MPI_PROC_NULL ? 0 : MCK_FLAG_PART), a->comm,
                                a->source, a->recvtag, a->recvtype, a->recvcount);
  mck_unlock();
  if (is_wild(a)) want_status(call, a);
  mck_wait_begin(call->events[0] != MCK_NONE ? call->events[0] : call->events[1]);
}

void mck_sendrecv_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  if (is_left_out(call, call->events[0], rc) && a->dest != MPI_PROC_NULL) log_all_the_same(call, MCK_EV_SEND, 0, a);
  if (is_left_out(call, call->events[1], rc) && a->source != MPI_PROC_NULL)
    call->events[1] = log_all_the_same(call, MCK_EV_RECV, 0, a);
  if (MCK_UNLIKELY(!has_match(rc))) unlog(call->events[0]), unlog(call->events[1]);
  else if (is_wild(a)) mck_match_write(call->events[1], a->status);
}

MCK_HOT void mck_isend_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  call->scratch = mck_request_held(call, a->request);
  call->event = log_message(call, MCK_EV_SEND, mode_of(call->fn) | MCK_FLAG_NONBLOCKING, a->comm, a->dest, a->sendtag,
                            a->sendtype, a->sendcount);
  if (MCK_UNLIKELY(mck_rt.is_online)) mck_online_begin(call->event);
  mck_unlock_if_wrong(call);
}

MCK_HOT void mck_isend_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_lock_if_wrong(call);
  if (is_left_out(call, call->event, rc))
    call->event = log_all_the_same(call, MCK_EV_SEND, mode_of(call->fn) | MCK_FLAG_NONBLOCKING, a);
  if (MCK_UNLIKELY(rc != MPI_SUCCESS)) unlog(call->event);
  else if (call->event != MCK_NONE) {
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
  uint8_t forced = force(a);
  call->event = log_message(call, MCK_EV_RECV, forced | MCK_FLAG_NONBLOCKING, a->comm, a->source, a->recvtag,
                            a->recvtype, a->recvcount);
  mck_unlock_if_wrong(call);
}

MCK_HOT void mck_irecv_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_lock_if_wrong(call);
  if (is_left_out(call, call->event, rc)) call->event = log_all_the_same(call, MCK_EV_RECV, MCK_FLAG_NONBLOCKING, a);
  if (MCK_UNLIKELY(rc != MPI_SUCCESS)) unlog(call->event);
  else if (call->event != MCK_NONE) {
    struct mck_request *r = mck_request_track(call, a->request, MCK_REQUEST_RECV);
    if (r) {
      r->event = call->event, r->is_active = true, r->is_wild = is_wild(a);
      if (MCK_LIKELY(!call->is_doubtful))
        mck_buffer_begin(mck_request_buffer(r, 1, NULL), a->recvbuf, a->recvcount, mck_call_type(call, a->recvtype),
                         true, call->site, call->fn);
    }
  } else if (rc == MPI_SUCCESS) mck_request_untracked(call, a->request);
  mck_unlock();
}

// Persistent requests (MPI-3.1 3.9): the event is kept and appended at each start.
static void init_after(struct mck_call *call, struct mck_args *a, int rc, bool is_send) {
  struct mck_event e = {.kind = MCK_EV_PAD}; // stays so for MPI_PROC_NULL: nothing to log
  mck_lock();
  call->scratch = call->scratch && mck_rt.is_multiple ? NULL : call->scratch;
  if (is_send)
    make(&e, call, MCK_EV_SEND, mode_of(call->fn) | MCK_FLAG_NONBLOCKING, a->comm, a->dest, a->sendtag, a->sendtype,
         a->sendcount);
  else make(&e, call, MCK_EV_RECV, MCK_FLAG_NONBLOCKING, a->comm, a->source, a->recvtag, a->recvtype, a->recvcount);
  struct mck_request *r = rc != MPI_SUCCESS || !mck_rt.is_ready
                              ? NULL
                              : mck_request_track(call, a->request, is_send ? MCK_REQUEST_SEND : MCK_REQUEST_RECV);
  if (r) {
    r->start = e;
    r->is_persistent = true;
    r->is_wild = !is_send && is_wild(a);
    if (MCK_UNLIKELY(mck_replay_is_on) && r->is_wild && e.kind != MCK_EV_PAD)
      mck_persistent_wildcard_define(a, *a->request);
    struct mck_buffer *b = mck_request_buffer(r, is_send ? 0 : 1, NULL);
    if ((is_send ? a->dest : a->source) != MPI_PROC_NULL && !call->is_doubtful)
      mck_buffer_define(b, is_send ? a->sendbuf : a->recvbuf, is_send ? a->sendcount : a->recvcount,
                        mck_call_type(call, is_send ? a->sendtype : a->recvtype), !is_send,
                        call->fn); // in use from start to completion
  }
  mck_unlock();
}
static void init_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  call->scratch = mck_request_held(call, a->request);
  mck_unlock();
}
void mck_send_init_before(struct mck_call *call, struct mck_args *a) { init_before(call, a); }
void mck_send_init_after(struct mck_call *call, struct mck_args *a, int rc) { init_after(call, a, rc, true); }
void mck_recv_init_before(struct mck_call *call, struct mck_args *a) { init_before(call, a); }
void mck_recv_init_after(struct mck_call *call, struct mck_args *a, int rc) { init_after(call, a, rc, false); }

// Probes. A matched probe takes the message, so it is what matching counts (MPI-3.1 3.8.2).
void mck_probe_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  uint8_t forced = force(a);
  call->event = log_message(call, call->fn == MCK_FN_MPI_Mprobe ? MCK_EV_MPROBE : MCK_EV_PROBE, forced, a->comm,
                            a->source, a->recvtag, MPI_DATATYPE_NULL, 0);
  mck_unlock();
  want_status(call, a);
  mck_wait_begin(call->event);
}

void mck_probe_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  if (rc == MPI_SUCCESS) mck_match_write(call->event, a->status);
  else unlog(call->event);
}

// A nonblocking one leaves an event when it has found a message: with wildcards which one depends on time, and in any
// case the process has heard of its sender from now on (MPI-3.1 3.8.1), as by a receive.
static void poll_before(struct mck_call *call, struct mck_args *a) {
  call->events[0] = is_wild(a);
  call->events[1] = MCK_UNLIKELY(mck_replay_is_on) && call->events[0] ? mck_replay_peek(a) : 0;
  if (call->events[0]) want_status(call, a);
}
static uint32_t poll_after(struct mck_call *call, struct mck_args *a, uint8_t kind) {
  if (mck_replay_is_on && call->events[0]) mck_replay_count();
  uint8_t flags = call->events[0] ? (uint8_t)call->events[1] : MCK_FLAG_MATCHED;
  uint32_t event = log_message(call, kind, flags, a->comm, a->source, a->recvtag, MPI_DATATYPE_NULL, 0);
  if (call->events[0]) mck_match_write(event, a->status);
  return event;
}
// The communicator was found by the checks.
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
  bool is_wildcard = call->events[0]; // counted each time (record/replay/replay.h)
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
  want_status(call, a);
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
  e.mrecv.mprobe = message->id, e.mrecv.type = type_id(call, a->recvtype), e.mrecv.count = (uint64_t)a->recvcount;
  return append(call, &e);
}

void mck_mrecv_before(struct mck_call *call, struct mck_args *a) {
  mck_old_message(call, "message", a->message);
  mck_lock();
  log_mrecv(call, a);
  mck_going(call);
  mck_unlock();
}
void mck_mrecv_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)a;
  mck_gone(call, has_match(rc) ? MPI_SUCCESS : rc);
}

void mck_imrecv_before(struct mck_call *call, struct mck_args *a) {
  mck_old_message(call, "message", a->message);
  mck_lock();
  call->scratch = mck_request_held(call, a->request);
  call->event = log_mrecv(call, a);
  mck_going(call);
}
void mck_imrecv_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_gone(call, rc);
  if (rc == MPI_SUCCESS && call->event != MCK_NONE) {
    struct mck_request *r = mck_request_track(call, a->request, MCK_REQUEST_RECV);
    if (r) {
      r->event = call->event, r->is_active = true;
      if (MCK_LIKELY(!call->is_doubtful))
        mck_buffer_begin(mck_request_buffer(r, 1, NULL), a->recvbuf, a->recvcount, mck_call_type(call, a->recvtype),
                         true, call->site, call->fn);
    }
  } else if (rc == MPI_SUCCESS) mck_request_untracked(call, a->request);
  mck_unlock();
}

// A start that was decided is one of a specific receive, as the library sees it.
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
  r->event = e.kind == MCK_EV_PAD ? MCK_NONE : append(call, &e);
  if (MCK_UNLIKELY(mck_rt.is_online)) mck_online_begin(r->event);
  r->is_active = r->is_started = true, r->is_over = false;
  for (int i = 0; i < 2; i++) {
    struct mck_buffer *b = &r->buffers[i];
    if (r->used >> i & 1 && b->low) mck_buffer_restart(b, call->site);
  }
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
