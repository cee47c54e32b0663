// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The content of messages: sends at their start, and again at the completion of a nonblocking one, since the program
// may have changed the buffer; receives at their completion, with what the status tells.
#include "record/content/content.h"
#include <stdlib.h>
#include "api/fns.h"
#include "record/buffer/buffer-hash.h"
#include "record/content/content-collective.h"
#include "record/content/content-event.h"
#include "record/content/content-operation.h"
#include "record/content/content-window.h"
#include "record/call/stack.h"
#include "record/error/local-finding.h"
#include "record/p2p/completed-request.h"
#include "record/runtime.h"

bool mck_content_is_on;

// Of the thread's call at hand: when it began, and the CONTENT event of what it sends.
#define OF_THREAD static __thread __attribute__((tls_model("initial-exec")))
OF_THREAD uint64_t begun;
OF_THREAD uint32_t sent;

void mck_content_open(void) {
  // Where PMPI_Wait may be called without our knowledge it is not known when a buffer is free again.
  mck_content_is_on = mck_options.flow[0] && !mck_rt.is_profiler;
  mck_rt.is_followed = mck_content_is_on;
}

static uint32_t log_send(const struct mck_call *call, const struct mck_args *a, uint32_t event) {
  struct mck_content_part part = {event, -1, 0, a->sendbuf, a->sendcount, a->sendtype, .is_doubtful = false};
  return call->is_doubtful ? MCK_NONE : mck_content_log(&part);
}

static void log_receive(const struct mck_call *call, const struct mck_args *a, uint32_t event) {
  const MPI_Status *status = a->status == MPI_STATUS_IGNORE ? NULL : a->status;
  struct mck_content_part part = {event,        -1,          MCK_CONTENT_RECEIVED, a->recvbuf,
                                  a->recvcount, a->recvtype, .status = status};
  part.begin = begun;
  if (!call->is_doubtful && a->source != MPI_PROC_NULL) mck_content_log(&part);
}

// No data, but what the status tells of the message.
static void log_probe(const struct mck_call *call, const struct mck_args *a) {
  struct mck_content_part part = {.event = call->event,
                                  .peer = MCK_CONTENT_PROBE,
                                  .flags = MCK_CONTENT_RECEIVED | MCK_CONTENT_UNKNOWN,
                                  .status = a->status};
  if (a->status != MPI_STATUS_IGNORE) mck_content_log(&part);
}

// Of a nonblocking operation: its datatype is kept for the completion.
static void follow(struct mck_request *r, uint32_t content, const struct mck_type *type) {
  if (!r || !r->is_active) return;
  r->has_content = true, r->content = content, r->content_begin = mck_content_now();
  if (r->kind == MCK_REQUEST_SEND && r->used & 1 && !mck_options.hash_sends) mck_buffer_hash_note(&r->buffers[0]);
  r->content_type = type, r->content_generation = type ? type->generation : 0;
}

static struct mck_request *find(const struct mck_call *call, const struct mck_args *a) {
  struct mck_request *r = a->request ? mck_request_find(*a->request, mck_call_variable(call, a->request, 0)) : NULL;
  return r && r->event == call->event ? r : NULL;
}

// The datatype of a request. NULL: its handle is that of another one by now (MPI-3.1 4.1.9).
static const struct mck_type *type_of(const struct mck_request *r) {
  const struct mck_type *t = r->content_type;
  return t && t->generation == r->content_generation ? t : NULL;
}

// A persistent operation is made: it has no event yet.
static void define(const struct mck_call *call, const struct mck_args *a, MPI_Datatype type) {
  struct mck_request *r = a->request ? mck_request_find(*a->request, mck_call_variable(call, a->request, 0)) : NULL;
  if (!r || !r->is_persistent) return;
  r->content_type = mck_type_find(type), r->content_generation = r->content_type ? r->content_type->generation : 0;
}

// A persistent operation starts.
static void start(const struct mck_call *call, const MPI_Request *request, int i) {
  struct mck_request *r = mck_request_find(request[i], mck_call_variable(call, request, i));
  if (!r || !r->is_active || r->event == MCK_NONE || !r->is_persistent) return;
  bool is_send = r->kind == MCK_REQUEST_SEND;
  const struct mck_buffer *b = &r->buffers[!is_send];
  uint32_t content = MCK_NONE;
  if (!(r->used >> !is_send & 1) || !type_of(r)) return;
  if (is_send) {
    struct mck_content_part part = {r->event, -1, 0, b->address, b->count, .known = type_of(r)};
    content = mck_content_log(&part);
  }
  follow(r, content, type_of(r));
}

void mck_content_before(struct mck_call *call, struct mck_args *a) {
  if (mck_depth > 1) return;
  begun = mck_content_now(), sent = MCK_NONE;
  mck_lock();
  switch (mck_fn_classes[call->fn]) {
  case MCK_CLASS_send: sent = log_send(call, a, call->event); break;
  case MCK_CLASS_isend: sent = log_send(call, a, call->event); break;
  case MCK_CLASS_sendrecv: sent = log_send(call, a, call->events[0]); /* it receives, too */ // fall through
  case MCK_CLASS_recv:
  case MCK_CLASS_mrecv:
  case MCK_CLASS_probe:
  case MCK_CLASS_iprobe:
  case MCK_CLASS_mprobe:
  case MCK_CLASS_improbe:
    if (a->status == MPI_STATUS_IGNORE) a->status = &call->status;
    break;
  case MCK_CLASS_start:
    if (a->request) start(call, a->request, 0);
    break;
  case MCK_CLASS_startall:
    for (int i = 0; i < a->incount && a->requests; i++) start(call, a->requests, i);
    break;
  case MCK_CLASS_coll:
  case MCK_CLASS_icoll: mck_content_collective_before(call, a); break;
  case MCK_CLASS_put:
  case MCK_CLASS_get:
  case MCK_CLASS_acc:
  case MCK_CLASS_rput:
  case MCK_CLASS_rget:
  case MCK_CLASS_racc: mck_content_operation_before(call); break;
  default: break;
  }
  mck_unlock();
}

// What the call may have told this process of operations of others. Only behind barriers, which are there for that, are
// large windows looked at, too.
static void look_at_windows(struct mck_call *call) {
  enum { SMALL = 64 << 10 };
  uint8_t class = mck_fn_classes[call->fn];
  if (call->fn == MCK_FN_MPI_Barrier) mck_content_windows_look(call, UINT64_MAX);
  else if (class == MCK_CLASS_coll || class == MCK_CLASS_recv || class == MCK_CLASS_mrecv ||
           class == MCK_CLASS_sendrecv)
    mck_content_windows_look(call, SMALL);
}

void mck_content_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (mck_depth > 1 || rc != MPI_SUCCESS) return;
  mck_lock();
  switch (mck_fn_classes[call->fn]) {
  case MCK_CLASS_recv:
  case MCK_CLASS_mrecv: log_receive(call, a, call->event); break;
  case MCK_CLASS_send: mck_content_returned(sent); break;
  case MCK_CLASS_sendrecv:
    mck_content_returned(sent);
    log_receive(call, a, call->events[1]);
    break;
  case MCK_CLASS_probe:
  case MCK_CLASS_iprobe:
  case MCK_CLASS_mprobe:
  case MCK_CLASS_improbe: log_probe(call, a); break;
  case MCK_CLASS_isend: follow(find(call, a), sent, mck_type_find(a->sendtype)); break;
  case MCK_CLASS_irecv:
  case MCK_CLASS_imrecv: follow(find(call, a), MCK_NONE, mck_type_find(a->recvtype)); break;
  case MCK_CLASS_send_init: define(call, a, a->sendtype); break;
  case MCK_CLASS_recv_init: define(call, a, a->recvtype); break;
  case MCK_CLASS_coll: mck_content_collective_after(call, a, NULL); break;
  case MCK_CLASS_icoll: mck_content_collective_after(call, a, find(call, a)); break;
  case MCK_CLASS_put:
  case MCK_CLASS_get:
  case MCK_CLASS_acc: mck_content_operation_after(call, mck_window_find(a->win), a->target); break;
  case MCK_CLASS_rput:
  case MCK_CLASS_rget:
  case MCK_CLASS_racc:
    mck_content_operation_after(call, mck_window_find(a->win), a->target);
    if (find(call, a)) find(call, a)->has_content = true;
    break;
  default: break;
  }
  if (mck_content_has_windows) look_at_windows(call);
  mck_unlock();
}

void mck_content_complete(struct mck_request *r, const MPI_Status *status, uint32_t site) {
  r->has_content = false;
  if (r->kind == MCK_REQUEST_RMA) {
    mck_content_operation_end(r->event, status != NULL);
    return;
  }
  if (r->kind == MCK_REQUEST_COLL) {
    mck_content_collective_end(r, status != NULL);
    return;
  }
  bool is_send = r->kind == MCK_REQUEST_SEND;
  struct mck_buffer *b = &r->buffers[!is_send];
  if (!status || r->is_cancelled || !(r->used >> !is_send & 1) || !b->low) return;
  if (is_send) {
    if (mck_content_look_again(r->content, type_of(r), b->is_marked)) mck_buffer_hash_changed(b, site);
    return;
  }
  struct mck_content_part part = {r->event, -1, MCK_CONTENT_RECEIVED, b->address, b->count, .known = type_of(r)};
  if (!part.known) return;
  if (!b->is_marked) part.flags |= MCK_CONTENT_UNSEEN;
  part.begin = r->content_begin, part.status = status, part.is_doubtful = true;
  mck_content_log(&part);
}

// taken: further indices that the call has told.
static int right_index(struct mck_call *call, const struct mck_args *a, const MPI_Request *handles, int n, int index,
                       const int *taken, int ntaken) {
  if (index < 0 || index >= n) return index;
  bool was_null = handles[index] == MPI_REQUEST_NULL;
  if (!was_null && a->requests[index] == MPI_REQUEST_NULL) return index;
  struct mck_request *said = mck_request_find(handles[index], mck_call_variable(call, a->requests, index));
  if (!was_null && (!said || said->is_persistent || said->kind == MCK_REQUEST_GENERALIZED)) return index;
  for (int i = 0; i < n; i++) {
    bool is_told = i == index;
    for (int k = 0; k < ntaken; k++) is_told |= taken[k] == i;
    if (is_told || a->requests[i] != MPI_REQUEST_NULL || handles[i] == MPI_REQUEST_NULL) continue;
    struct mck_finding *f = mck_local_add(MCK_CHECK_FLOW_CONTENT, mck_call_site(call), said ? said->site : MCK_NONE);
    mck_finding_text(f, "%s names another request than the one that is complete", mck_fn_names[call->fn]);
    mck_finding_place(f, mck_rt.rank, mck_call_site(call), "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
    if (said)
      mck_finding_place(f, mck_rt.rank, said->site, "%s, which is named, is not complete", mck_fn_names[said->fn]);
    mck_finding_why(f,
                    "the MPI library is at fault: index %d is returned, %sbut the handle that the call has set to "
                    "MPI_REQUEST_NULL is that of index %d (MPI-3.1 3.7.5)",
                    index, was_null ? "whose handle was null before, " : "", i);
    mck_local_done(f);
    if (said && said->is_active) { // the program takes it for complete, and may use the buffers
      mck_request_end_buffers(said);
      said->used = 0;
    }
    return i;
  }
  return index;
}

int mck_content_index(struct mck_call *call, const struct mck_args *a, const MPI_Request *handles, int n, int index) {
  return right_index(call, a, handles, n, index, NULL, 0);
}

int *mck_content_indices(struct mck_call *call, const struct mck_args *a, const MPI_Request *handles, int n) {
  int count = *a->outcount, *right = malloc((size_t)count * sizeof *right);
  bool is_other = false;
  for (int k = 0; right && k < count; k++) right[k] = a->indices[k];
  for (int k = 0; right && k < count; k++) {
    right[k] = right_index(call, a, handles, n, a->indices[k], right, count);
    is_other |= right[k] != a->indices[k];
  }
  if (is_other) return right;
  free(right);
  return NULL;
}
