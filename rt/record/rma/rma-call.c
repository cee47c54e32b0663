// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One-sided communication: windows, operations and synchronization (MPI-3.1 chapter 11), one event for each. Calls
// that do not fit the epochs that are open are reported on the spot (record/rma/epoch.h).
#include <string.h>
#include "record/rma/attached-memory.h"
#include "record/rma/epoch.h"
#include "record/call/fortran-redirect.h"
#include "record/rma/window-lifetime.h"
#include "record/rma/untrue-assertion.h"
#include "record/call/poll-list.h"
#include "record/access/range-flush.h"
#include "record/access/window-watch.h"
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call-event.h"
#include "record/call/call-object.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/call/wait-mark.h"
#include "record/content/content.h"
#include "record/content/content-operation.h"
#include "record/content/content-window.h"
#include "record/object/new-object.h"
#include "record/object/new-request.h"
#include "record/rma/shared-segment.h"
#include "record/rma/transfer-size.h"
#include "record/rma/operation-buffer.h"
#include "record/rma/own-target.h"
#include "record/rma/repeated-events.h"
#include "record/rma/window-buffer.h"
#include "record/rma/window-variable.h"
#include "record/runtime.h"
#include "record/access/touched-range.h"

static struct mck_window *find(const struct mck_args *a) {
  mck_lock();
  struct mck_window *w = mck_window_find(a->win);
  mck_unlock();
  // adopted: we did not see how it was made, so its epochs are not known
  return w && !w->object.is_freed && !w->object.is_adopted ? w : NULL;
}

void mck_win_new_before(struct mck_call *call, struct mck_args *a) {
  a->root = -1000;
  mck_coll_before(call, a);
}
void mck_win_new_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  if (rc != MPI_SUCCESS || !a->newwin || !mck_rt.is_ready) return;
  mck_lock();
  struct mck_comm *comm = mck_comm_find(a->comm);
  struct mck_window *w = mck_window_add(*a->newwin, comm, a->info, call->fn, mck_call_site(call));
  if (w) {
    mck_window_watch(w);
    if (w->flavor == MPI_WIN_FLAVOR_CREATE) mck_lifetime_begin(call, w, w->base, w->size);
    mck_window_name_memory(call, w);
    mck_epochs_start(w, comm ? comm->rank : -1);
    mck_assertion_synced(call, w);
    mck_segments_share(w, *a->newwin, comm ? comm->rank : -1);
    if (MCK_UNLIKELY(mck_content_is_on)) mck_content_window_begin(call, w);
  }
  mck_unlock();
}

void mck_win_free_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  struct mck_window *w = a->newwin ? mck_window_find(*a->newwin) : NULL;
  mck_unlock();
  mck_old_win(call, "win", a->newwin);
  mck_lock();
  if (w && !w->object.is_freed && !w->object.is_adopted) mck_epoch_check_free(call, w);
  if (MCK_UNLIKELY(mck_content_is_on) && w)
    mck_content_operations_end(w, -1), mck_content_window_look(call, w, false), mck_content_window_end(w);
  if (mck_depth <= 1) { // the CALL names the window: no rank returns before all have entered (MPI-3.1 11.2.5)
    uint32_t site = mck_call_site(call);
    struct mck_event *e = mck_event_begin(call, MCK_EV_CALL,
                                          w && w->traits & MCK_WIN_NO_LOCKS ? MCK_CALL_NO_BARRIER : 0);
    if (e) {
      e->site = site;
      e->word[0] = w && !w->object.is_freed ? w->object.id : MCK_NONE;
      for (int i = 1; i < 6; i++) e->word[i] = 0;
      call->event = mck_log_commit(&mck_rt.log, 1);
    }
  }
  if (w && !w->object.is_freed)
    mck_window_complete(w, -1, call), mck_lifetime_check_end(call, w, NULL), mck_lifetime_end(w, NULL),
        mck_attached_end(w), mck_window_unwatch(w), mck_segments_end(w), mck_epochs_end(w);
  mck_unlock();
  mck_free_begin(call);
  mck_wait_begin(call->event);
}
void mck_win_free_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)a;
  mck_wait_end();
  mck_free_end(call, rc);
}

// The event of an operation, with what of its buffers lies in window memory.
static struct mck_window *operate(struct mck_call *call, struct mck_args *a, uint8_t kind, bool is_request) {
  struct mck_window *w = find(a);
  if (!w || a->target == MPI_PROC_NULL || call->nfindings) return w;
  mck_lock();
  mck_check_transfer(call, a);
  if (call->nfindings)
    ; // MPI may refuse it: there is no operation
  else if (mck_epoch_check_operation(call, a, w, is_request) && w->object.id != MCK_NONE) {
    uint32_t site = mck_call_site(call);
    uint8_t op = kind != MCK_EV_ACC                                             ? 0
                 : mck_std(call->fn)->access == MCK_STD_ACCESS_COMPARE_AND_SWAP ? MCK_OP_CAS
                                                                                : (uint8_t)mck_op_number(a->op);
    // Fetch_and_op and Compare_and_swap have one element of one type (MPI-3.1 11.3.4).
    bool is_single = mck_std_is_single_element(call->fn);
    MPI_Datatype type = a->target_type ? a->target_type : a->type ? a->type : a->sendtype ? a->sendtype : a->recvtype;
    const struct mck_type *t = type ? mck_call_type(call, type) : NULL;
    struct mck_unit unit = mck_operation_unit(kind, op, call->fn, site, w->object.id, a->target,
                                              (uint64_t)a->target_disp, is_single ? 1 : (uint32_t)a->target_count,
                                              t ? t->object.id : MCK_NONE);
    if (is_request) mck_windows_before_event();
    else mck_windows_before_repeatable();
    if (mck_rt.is_ready) call->event = is_request ? mck_log_put(&mck_rt.log, unit) : mck_repeated_put(unit, false);
    mck_operation_name(call, a);
    for (unsigned i = 0; call->event != MCK_NONE && i < call->nuses; i++) {
      const struct mck_use *u = &call->uses[i];
      mck_window_buffer_log(u->address, u->count, u->element, u->is_written, site);
    }
  }
  mck_unlock();
  mck_repeated_wait_begin(call->event); // Open MPI's osc/pt2pt waits for a lock in MPI_Rget
  return w;
}

// MPI has refused the operation: it did not take place. An operation beyond the target's window stays in the log, so
// that the judge can report it (rma.range).
static void refused(struct mck_call *call, int rc) {
  int class = MPI_SUCCESS;
  if (call->event == MCK_NONE) return;
  if (PMPI_Error_class(rc, &class) == MPI_SUCCESS && (class == MPI_ERR_RMA_RANGE || class == MPI_ERR_RMA_ATTACH))
    call->is_doubtful = true;
  else if (mck_repeated_unmake(call->event)) mck_window_buffer_unmake(call->event);
}

static void operated(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  struct mck_window *w = call->scratch;
  if (!w) return;
  if (mck_epoch_is_doubtful(w)) call->is_doubtful = true;
  if (rc != MPI_SUCCESS) refused(call, rc);
  if (rc != MPI_SUCCESS || call->event == MCK_NONE || call->is_doubtful) return;
  mck_lock();
  mck_operation_begin(call, a->target, w);
  mck_own_target_begin(call, a, w, NULL);
  mck_unlock();
}

void mck_put_before(struct mck_call *call, struct mck_args *a) { call->scratch = operate(call, a, MCK_EV_PUT, false); }
void mck_put_after(struct mck_call *call, struct mck_args *a, int rc) { operated(call, a, rc); }
void mck_get_before(struct mck_call *call, struct mck_args *a) { call->scratch = operate(call, a, MCK_EV_GET, false); }
void mck_get_after(struct mck_call *call, struct mck_args *a, int rc) { operated(call, a, rc); }
void mck_acc_before(struct mck_call *call, struct mck_args *a) { call->scratch = operate(call, a, MCK_EV_ACC, false); }
void mck_acc_after(struct mck_call *call, struct mck_args *a, int rc) { operated(call, a, rc); }

static void request_operate(struct mck_call *call, struct mck_args *a, uint8_t kind) {
  call->scratch = mck_rt.is_multiple
                      ? NULL
                      : mck_request_held(call, a->request); // another thread may complete it during the call
  operate(call, a, kind, true);
}

// The buffer of a request-based operation is free when the request completes (MPI-3.1 11.3.5), or with the window's
// epoch (11.5.3, 11.5.4).
static void request_operated(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  if (rc != MPI_SUCCESS) refused(call, rc);
  if (rc != MPI_SUCCESS || !a->request) return;
  mck_lock();
  if (call->event == MCK_NONE) {
    mck_request_untracked(call, a->request);
    mck_unlock();
    return;
  }
  struct mck_request *r = mck_request_track(call, a->request, MCK_REQUEST_RMA);
  if (r) {
    r->is_active = true, r->event = call->event;
    struct mck_window *w = find(a);
    if (w && !call->is_doubtful && !mck_epoch_is_doubtful(w))
      mck_operation_begin_request(call, a, w, r), mck_own_target_begin(call, a, w, r), mck_assertion_begin(r);
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
// The group of a post or start follows its event as one of its own.
static void log_group(struct mck_call *call, const struct mck_window *w, struct mck_unit sync, const int *ranks,
                      int nranks) {
  uint32_t extra = ((uint32_t)nranks * 4 + MCK_UNIT - 1) / MCK_UNIT;
  size_t units = 2 + (size_t)extra;
  struct mck_event *e = mck_log_reserve(&mck_rt.log, units);
  if (!e) return;
  memcpy(e, &sync, sizeof *e);
  memset(e + 1, 0, (units - 1) * sizeof *e);
  e[1].kind = MCK_EV_GROUP, e[1].fn = call->fn, e[1].site = e->site;
  e[1].group.extra = extra, e[1].group.win = w->object.id, e[1].group.n = (uint32_t)nranks;
  memcpy(e + 2, ranks, (size_t)nranks * 4);
  call->event = mck_log_commit(&mck_rt.log, units);
}

static void log_sync(struct mck_call *call, const struct mck_args *a, uint8_t kind, struct mck_window *w,
                     const int *ranks, int nranks) {
  if (w->object.id == MCK_NONE) return;
  uint32_t site = mck_call_site(call);
  bool is_repeatable = mck_repeated_may_be(call->fn);
  if (is_repeatable) mck_windows_before_repeatable();
  else mck_windows_before_event();
  if (!mck_rt.is_ready) return;
  struct mck_unit unit = mck_sync_unit(kind, mck_epoch_is_doubtful(w) ? MCK_SYNC_DOUBTFUL : 0, call->fn, site,
                                       w->object.id, a->target, (uint32_t)a->assertion, (uint32_t)a->lock_type);
  if (ranks) log_group(call, w, unit, ranks, nranks);
  else call->event = is_repeatable ? mck_repeated_put(unit, true) : mck_log_put(&mck_rt.log, unit);
  mck_assertion_synced(call, w);
}

// Is the own part of the window handed to others, or back, by this call, so that its content is looked at (option
// flow)?
static bool is_looking(uint16_t fn) {
  return fn == MCK_FN_MPI_Win_sync ||
         mck_std(fn)->epoch & (MCK_STD_EPOCH_OPENS_EXPOSURE | MCK_STD_EPOCH_CLOSES_EXPOSURE);
}

static void sync_before(struct mck_call *call, struct mck_args *a, uint8_t kind) {
  struct mck_window *w = find(a);
  call->scratch = w;
  if (!w) return;
  mck_lock();
  int nranks = 0;
  bool has_group = mck_std_has_group(call->fn);
  const int *ranks = has_group && !call->nfindings ? mck_epoch_ranks(w, a->win, a->group, &nranks) : NULL;
  mck_epoch_check_sync(call, a, w, ranks, nranks);
  mck_lifetime_check(call, w);
  mck_assertion_check(call, a, w);
  if (MCK_UNLIKELY(mck_content_has_windows) && is_looking(call->fn)) mck_content_window_look(call, w, false);
  if (call->fn != MCK_FN_MPI_Win_test) log_sync(call, a, kind, w, ranks, nranks); // most tests find nothing
  mck_unlock();
  if (call->fn != MCK_FN_MPI_Win_test) mck_repeated_wait_begin(call->event);
}

// Whether the call is for all targets, or for none in particular.
static bool is_to_all(uint16_t fn) { return !mck_std_is_to_one(fn); }

static void sync_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  struct mck_window *w = call->scratch;
  if (!w) return;
  mck_lock();
  bool is_test = call->fn == MCK_FN_MPI_Win_test, is_done = rc == MPI_SUCCESS && !(is_test && !*a->flag);
  if (is_test && is_done) log_sync(call, a, MCK_EV_SYNC, w, NULL, 0);
  else if (is_test && rc == MPI_SUCCESS && mck_poll_is_worth(call))
    mck_poll_event(mck_epoch_posted(w), call->fn, call->pc, call->frame);
  if (mck_epoch_is_doubtful(w)) call->is_doubtful = true; // it fails because an earlier one did not fit
  if (rc != MPI_SUCCESS && call->event != MCK_NONE) mck_repeated_unmake(call->event);
  int nranks = 0;
  const int *ranks = is_done && mck_std_epoch_call(call->fn) == MCK_STD_CALL_START
                         ? mck_epoch_ranks(w, a->win, a->group, &nranks)
                         : NULL;
  if (is_done) mck_call_site(call), mck_epoch_synced(call, a, w, ranks, nranks);
  // A call that failed may have done it all the same.
  if (is_done || rc != MPI_SUCCESS) mck_window_complete(w, is_to_all(call->fn) ? -1 : a->target, call);
  if (MCK_UNLIKELY(mck_content_is_on) && is_done) {
    bool is_end = mck_std_does(call->fn, MCK_STD_EPOCH_COMPLETES_ORIGIN);
    if (is_end) mck_content_operations_end(w, is_to_all(call->fn) ? -1 : a->target);
    if (is_looking(call->fn)) mck_content_window_look(call, w, true);
  }
  mck_unlock();
}

void mck_fence_before(struct mck_call *call, struct mck_args *a) {
  a->target = -1;
  sync_before(call, a, MCK_EV_FENCE);
}
void mck_fence_after(struct mck_call *call, struct mck_args *a, int rc) { sync_after(call, a, rc); }

void mck_rma_sync_before(struct mck_call *call, struct mck_args *a) {
  if (is_to_all(call->fn)) a->target = -1;
  sync_before(call, a, MCK_EV_SYNC);
}
void mck_rma_sync_after(struct mck_call *call, struct mck_args *a, int rc) { sync_after(call, a, rc); }
