// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One-sided communication: windows, operations and synchronization (MPI-3.1 chapter 11), one event each; an operation outside of every
// access epoch is reported on the spot (11.5).
#include "record/fortran.h"
#include "record/runtime.h"

static struct mck_window *find(const struct mck_args *a) {
  mck_lock();
  struct mck_window *w = mck_window_find(a->win);
  mck_unlock();
  return w && !w->object.is_freed && !w->object.is_adopted ? w : NULL;   // adopted: made unseen, its epochs are not known
}

void mck_win_new_before(struct mck_call *call, struct mck_args *a) { a->root = -1000; mck_coll_before(call, a); }
void mck_win_new_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  if (rc != MPI_SUCCESS || !a->newwin || !mck_rt.is_ready) return;
  mck_lock();
  struct mck_window *w = mck_window_add(*a->newwin, mck_comm_find(a->comm), call->fn, mck_call_site(call));
  if (w) mck_window_watch(w);
  mck_unlock();
}

void mck_win_free_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  struct mck_window *w = a->newwin ? mck_window_find(*a->newwin) : NULL;
  mck_unlock();
  mck_old_win(call, "win", a->newwin);
  mck_lock();
  if (mck_depth <= 1) mck_waits_log(call, w && !w->object.is_freed ? w->object.id : MCK_NONE);   // also flushes what was touched
  if (w && !w->object.is_freed) mck_window_complete(w), mck_window_unwatch(w);
  mck_unlock();
  mck_going(call);
  mck_wait_begin(call->event);
}
void mck_win_free_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)a;
  mck_wait_end();
  mck_gone(call, rc);
}

// The event of an operation, and its origin and result buffers as buffers in use.
static void operate(struct mck_call *call, struct mck_args *a, uint8_t kind) {
  struct mck_window *w = find(a);
  if (!w || a->target == MPI_PROC_NULL || call->nfindings) return;
  mck_lock();
  mck_check_transfer(call, a);
  if (call->nfindings) ;   // MPI may refuse it: no operation
  else if (!w->is_fence_open && !w->is_started && !w->locks && mck_rt.is_profiler) ;   // PMPI_Win_fence goes unseen
  else if (!w->is_fence_open && !w->is_started && !w->locks) {
    struct mck_finding *f = mck_local_add(MCK_CHECK_RMA_OUTSIDE_EPOCH, mck_call_site(call), 0);
    call->nfindings++;
    mck_finding_text(f, "%s outside of every access epoch of the window", mck_fn_names[call->fn]);
    mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
    mck_finding_place(f, mck_rt.rank, w->object.site, "the window was made by %s", mck_fn_names[w->object.fn]);
    mck_local_done(f);
  } else if (w->object.id != MCK_NONE) {
    uint32_t site = mck_call_site(call);
    uint8_t op = kind != MCK_EV_ACC ? 0 : call->fn == MCK_FN_MPI_Compare_and_swap ? MCK_OP_CAS : (uint8_t)mck_op_number(a->op);
    // Fetch_and_op and Compare_and_swap: one element of one type (MPI-3.1 11.3.4).
    bool is_single = call->fn == MCK_FN_MPI_Fetch_and_op || call->fn == MCK_FN_MPI_Compare_and_swap;
    MPI_Datatype type = a->target_type ? a->target_type : a->type ? a->type : a->sendtype ? a->sendtype : a->recvtype;
    struct mck_type *t = type ? mck_type_find(type) : NULL;
    struct mck_event *e = mck_event_begin(call, kind, op);
    if (e) {
      e->site = site;
      e->rma.win = w->object.id, e->rma.target = a->target, e->rma.disp = (uint64_t)a->target_disp;
      e->rma.count = is_single ? 1 : (uint32_t)a->target_count;
      e->rma.type = t ? t->object.id : MCK_NONE;
      call->event = mck_log_commit(&mck_rt.log, 1);
    }
  }
  mck_unlock();
}

static void use_buffers(struct mck_call *call, struct mck_args *a, struct mck_window *w) {
  bool is_read_op = a->op == MPI_NO_OP && a->op;
  if (a->sendbuf && a->sendcount > 0 && a->sendtype && !is_read_op) {
    struct mck_buffer *b = mck_buffer_of_rma(w);
    if (b) mck_buffer_begin(b, a->sendbuf, a->sendcount, mck_call_type(call, a->sendtype), false, mck_call_site(call), call->fn);
  }
  if (a->recvbuf && a->recvcount > 0 && a->recvtype) {
    struct mck_buffer *b = mck_buffer_of_rma(w);
    if (b) mck_buffer_begin(b, a->recvbuf, a->recvcount, mck_call_type(call, a->recvtype), true, mck_call_site(call), call->fn);
  }
}

static void operated(struct mck_call *call, struct mck_args *a, int rc) {
  struct mck_window *w = rc == MPI_SUCCESS && call->event != MCK_NONE ? find(a) : NULL;
  if (!w) return;
  mck_lock();
  use_buffers(call, a, w);
  mck_unlock();
}

void mck_put_before(struct mck_call *call, struct mck_args *a) { operate(call, a, MCK_EV_PUT); }
void mck_put_after(struct mck_call *call, struct mck_args *a, int rc) { operated(call, a, rc); }
void mck_get_before(struct mck_call *call, struct mck_args *a) { operate(call, a, MCK_EV_GET); }
void mck_get_after(struct mck_call *call, struct mck_args *a, int rc) { operated(call, a, rc); }
void mck_acc_before(struct mck_call *call, struct mck_args *a) { operate(call, a, MCK_EV_ACC); }
void mck_acc_after(struct mck_call *call, struct mck_args *a, int rc) { operated(call, a, rc); }

static void request_operate(struct mck_call *call, struct mck_args *a, uint8_t kind) {
  call->scratch = mck_rt.is_multiple ? NULL : mck_request_held(call, a->request);   // another thread may end it during the call
  operate(call, a, kind);
}

// Request-based: the buffer is free when the request completes (MPI-3.1 11.3.5), or the window's epoch (11.5.3, 11.5.4).
static void request_operated(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc != MPI_SUCCESS || !a->request) return;
  mck_lock();
  if (call->event == MCK_NONE) {
    mck_request_untracked(call, a->request);
    mck_unlock();
    return;
  }
  struct mck_request *r = mck_request_track(call, a->request, MCK_REQUEST_RMA);
  if (r) {
    r->is_active = true;
    struct mck_window *w = find(a);
    if (a->sendbuf && a->sendtype) mck_buffer_begin(mck_request_buffer(r, 0, w), a->sendbuf, a->sendcount, mck_call_type(call, a->sendtype), false, r->site, call->fn);
    if (a->recvbuf && a->recvtype) mck_buffer_begin(mck_request_buffer(r, 1, w), a->recvbuf, a->recvcount, mck_call_type(call, a->recvtype), true, r->site, call->fn);
  }
  mck_unlock();
}
void mck_rput_before(struct mck_call *call, struct mck_args *a) { request_operate(call, a, MCK_EV_PUT); }
void mck_rput_after(struct mck_call *call, struct mck_args *a, int rc) { request_operated(call, a, rc); }
void mck_rget_before(struct mck_call *call, struct mck_args *a) { request_operate(call, a, MCK_EV_GET); }
void mck_rget_after(struct mck_call *call, struct mck_args *a, int rc) { request_operated(call, a, rc); }
void mck_racc_before(struct mck_call *call, struct mck_args *a) { request_operate(call, a, MCK_EV_ACC); }
void mck_racc_after(struct mck_call *call, struct mck_args *a, int rc) { request_operated(call, a, rc); }

// --- synchronization ---
static void log_sync(struct mck_call *call, const struct mck_args *a, uint8_t kind, const struct mck_window *w) {
  if (w->object.id == MCK_NONE) return;
  uint32_t site = mck_call_site(call);
  struct mck_event *e = mck_event_begin(call, kind, 0);
  if (!e) return;
  e->site = site;
  e->sync.win = w->object.id, e->sync.rank = a->target, e->sync.assertion = (uint32_t)a->assertion;
  e->sync.lock_type = (uint32_t)a->lock_type, e->sync.before = 0;
  call->event = mck_log_commit(&mck_rt.log, 1);
}

void mck_fence_before(struct mck_call *call, struct mck_args *a) {
  struct mck_window *w = find(a);
  call->scratch = w;
  if (!w) return;
  mck_lock();
  a->target = -1;
  log_sync(call, a, MCK_EV_FENCE, w);
  mck_unlock();
  mck_wait_begin(call->event);
}

void mck_fence_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  struct mck_window *w = call->scratch;
  if (!w || rc != MPI_SUCCESS) return;
  mck_lock();
  w->is_fence_open = !(a->assertion & MPI_MODE_NOSUCCEED);   // MPI-3.1 11.5.1
  mck_window_complete(w);
  mck_unlock();
}

void mck_rma_sync_before(struct mck_call *call, struct mck_args *a) {
  struct mck_window *w = find(a);
  call->scratch = w;
  if (!w) return;
  mck_lock();
  log_sync(call, a, MCK_EV_SYNC, w);
  mck_unlock();
  mck_wait_begin(call->event);
}

void mck_rma_sync_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)a;
  mck_wait_end();
  struct mck_window *w = call->scratch;
  if (!w || rc != MPI_SUCCESS) return;
  mck_lock();
  switch (call->fn) {
    case MCK_FN_MPI_Win_start: w->is_started = true; break;
    case MCK_FN_MPI_Win_lock: case MCK_FN_MPI_Win_lock_all: w->locks++; break;
    case MCK_FN_MPI_Win_complete: w->is_started = false; mck_window_complete(w); break;
    case MCK_FN_MPI_Win_unlock: case MCK_FN_MPI_Win_unlock_all: if (w->locks) w->locks--; mck_window_complete(w); break;
    // Completes the operations to one target or to all; what is still open to others is then watched no longer.
    case MCK_FN_MPI_Win_flush: case MCK_FN_MPI_Win_flush_all: case MCK_FN_MPI_Win_flush_local: case MCK_FN_MPI_Win_flush_local_all:
      mck_window_complete(w); break;
    default: break;
  }
  mck_unlock();
}
