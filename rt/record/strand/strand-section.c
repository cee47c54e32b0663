// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations within a known section of a lock (thread/thread-section.h): the plugin sees the call, and the runtime what
// it loads and stores. A later section that loads what was received, or a request, comes behind this one.
#include <limits.h>
#include "record/error/error-handler.h"
#include "record/strand/strand-checks.h"
#include "standard/function.h"

static bool is_user_op(MPI_Op op) {
  const struct mck_plain *known = mck_op_find(op);
  return !known || !known->object.is_predefined;
}

static unsigned is_buffer(const void *buffer) { return buffer && buffer != MPI_IN_PLACE; }

// How many buffers a collective uses. UINT_MAX: not known.
static unsigned count_buffers(uint16_t fn, const struct mck_args *a) {
  switch ((enum mck_std_flow)mck_std(fn)->flow) {
  case MCK_STD_FLOW_NONE: return 0;
  case MCK_STD_FLOW_BROADCAST: return 1;
  case MCK_STD_FLOW_REDUCE:
  case MCK_STD_FLOW_REDUCE_ALL:
  case MCK_STD_FLOW_REDUCE_SCATTER:
  case MCK_STD_FLOW_SCAN:
  case MCK_STD_FLOW_EXSCAN:
    if (is_user_op(a->op)) return UINT_MAX; // it may do anything
    break;
  case MCK_STD_FLOW_SCATTER:
  case MCK_STD_FLOW_GATHER:
  case MCK_STD_FLOW_ALL_GATHER:
  case MCK_STD_FLOW_ALL_TO_ALL: break;
  default: return UINT_MAX;
  }
  return is_buffer(a->sendbuf) + is_buffer(a->recvbuf);
}

static void store(const void *low, size_t size) { mck_thread_section_access(low, (const char *)low + size, true); }

// A completion loads and stores the variables of its requests, and receives have stored into their buffers then.
// false: what one of them stores is not known.
static bool add_completed(const struct mck_call *call, const MPI_Request *requests, int n) {
  for (int i = 0; i < n; i++) {
    const struct mck_request *r = mck_request_find(requests[i], mck_call_variable(call, requests, i));
    bool is_null = requests[i] == MPI_REQUEST_NULL;
    mck_thread_section_access(&requests[i], &requests[i] + 1, false);
    store(&requests[i], sizeof(MPI_Request));
    if (is_null) continue;
    if (!r || (r->kind != MCK_REQUEST_SEND && r->kind != MCK_REQUEST_RECV)) return false;
    const struct mck_buffer *b = &r->buffers[1];
    if (r->kind == MCK_REQUEST_SEND || (r->is_persistent && !r->is_active)) continue;
    if (!(r->used & 2) || b->low >= b->high) return false;
    mck_thread_section_access(b->low, b->high, true);
  }
  return true;
}

static void add_completion(const struct mck_call *call, const struct mck_args *a, bool is_list) {
  const MPI_Request *requests = is_list ? a->requests : a->request;
  int n = is_list ? a->incount : 1;
  bool is_known = requests && !call->nfindings && add_completed(call, requests, n);
  if (!is_known) mck_thread_section_give_up();
  else if (is_list && a->statuses != MPI_STATUSES_IGNORE) store(a->statuses, (size_t)n * sizeof *a->statuses);
  else if (!is_list && a->status != MPI_STATUS_IGNORE) store(a->status, sizeof *a->status);
}

void mck_strand_section_read(struct mck_call *call, bool is_posted) {
  if (!call->is_reading) return;
  bool is_left = false;
  for (unsigned i = 0; i < call->nuses; i++) {
    const struct mck_use *u = &call->uses[i];
    if (u->low >= u->high || u->is_written) continue;
    if (u->is_kept && !is_posted) is_left = true;
    else mck_thread_section_access(u->low, u->high, false);
  }
  call->is_reading = is_left;
}

// Only the arguments that the function has are set. What a nonblocking receive stores is there when it is complete.
// What the call itself reads decides nothing about whether it is made: that is noted behind its own checks.
void mck_strand_section(struct mck_call *call, const struct mck_args *a) {
  unsigned nneeded = 0;
  bool has_status = false, has_request = false;
  if (MCK_LIKELY(!mck_thread_is_in_section())) return;
  switch (mck_fn_classes[call->fn]) {
  case MCK_CLASS_send: nneeded = 1; break;
  case MCK_CLASS_isend: nneeded = 1, has_request = true; break;
  case MCK_CLASS_recv: nneeded = 1, has_status = true; break;
  case MCK_CLASS_irecv: has_request = true; break;
  case MCK_CLASS_sendrecv: nneeded = 2, has_status = true; break;
  case MCK_CLASS_probe: has_status = true; break;
  case MCK_CLASS_coll: nneeded = count_buffers(call->fn, a); break;
  case MCK_CLASS_wait: return add_completion(call, a, false);
  case MCK_CLASS_waitall: return add_completion(call, a, true);
  default: nneeded = UINT_MAX; break;
  }
  if (call->nuses < nneeded) {
    mck_thread_section_give_up();
    return;
  }
  for (unsigned i = 0; i < call->nuses; i++) {
    const struct mck_use *u = &call->uses[i];
    if (u->low < u->high && u->is_written && !u->is_kept) mck_thread_section_access(u->low, u->high, true);
  }
  call->is_reading = true;
  if (mck_handler_is_any()) mck_strand_section_read(call, true); // it may be left by a jump
  if (has_request) store(a->request, sizeof *a->request);
  if (has_status && a->status != MPI_STATUS_IGNORE) store(a->status, sizeof *a->status);
}
