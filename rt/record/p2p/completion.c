// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Completion of one request (MPI-3.1 3.7.3), MPI_Request_get_status, MPI_Request_free, MPI_Cancel. A call that blocks
// is one event that names the requests; tests leave an event only when they succeed. The library overwrites the
// handle on completion, so it is looked up before the call.
#include <string.h>
#include "record/buffer/argument-array.h"
#include "record/access/range-flush.h"
#include "record/buffer/buffer-hash.h"
#include "record/buffer/buffer-in-use.h"
#include "record/buffer/buffer-lifetime.h"
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call-event.h"
#include "record/call/call.h"
#include "record/call/poll-list.h"
#include "record/call/stack.h"
#include "record/call/wait-mark.h"
#include "record/collective/open-file.h"
#include "record/content/content.h"
#include "record/p2p/completed-request.h"
#include "record/p2p/completion.h"
#include "record/p2p/request-misuse.h"
#include "record/p2p/request-threads.h"
#include "record/replay/persistent-wildcard.h"
#include "record/rma/local-race.h"
#include "record/rma/untrue-assertion.h"
#include "record/runtime.h"

void mck_request_matched(struct mck_request *r, const MPI_Status *status, bool is_ignored) {
  if (r->is_cancelled) {
    int flag = 0;
    PMPI_Test_cancelled(status, &flag);
    struct mck_event *e = r->event == MCK_NONE ? NULL : mck_log_event(&mck_rt.log, r->event);
    if (e) {
      uint8_t *flags = &e->flags, others = *flags & (uint8_t)~(MCK_FLAG_CANCELLED | MCK_FLAG_MATCHED);
      uint8_t outcome = flag ? MCK_FLAG_CANCELLED : e->kind == MCK_EV_SEND ? MCK_FLAG_LOCAL : 0;
      __atomic_store_n(flags, others | outcome, __ATOMIC_RELEASE);
    }
    if (flag) return;
  }
  if (r->is_wild) mck_match_write(r->event, status, is_ignored);
}

// A receive that is being cancelled may or may not take a message (MPI-3.1 3.8.4). Its completion says which; if it is
// freed, that stays unknown.
static void cancel(struct mck_request *r) {
  r->is_cancelled = true;
  struct mck_event *e = r->event != MCK_NONE && r->is_active ? mck_log_event(&mck_rt.log, r->event) : NULL;
  if (e && e->kind == MCK_EV_SEND) mck_event_flag(e, MCK_FLAG_LOCAL);
  if (e && e->kind == MCK_EV_RECV)
    __atomic_store_n(&e->flags, e->flags | MCK_FLAG_CANCELLED | MCK_FLAG_MATCHED, __ATOMIC_RELEASE);
}

void mck_request_end_buffers(struct mck_request *r) {
  if (MCK_UNLIKELY(r->is_file)) {
    mck_file_access_done(r->file_comm, r->access, r->fn);
    r->is_file = false;
  }
  if (MCK_UNLIKELY(r->has_arrays)) mck_arrays_end(r);
  if (r->used & 1) mck_buffer_end(&r->buffers[0]);
  if (r->used & 2) mck_buffer_end(&r->buffers[1]);
}

static __attribute__((noinline, cold)) void end_races(const struct mck_request *r, uint32_t site) {
  mck_local_race_end(&r->buffers[0], site, 0), mck_local_race_end(&r->buffers[1], site, 0);
  if (r->kind == MCK_REQUEST_RMA && r->used & 2 && r->buffers[1].own_target)
    mck_local_race_end(r->buffers[1].own_target, site, 0);
}

static void end(struct mck_request *r, const MPI_Status *status, bool is_ignored, uint32_t site) {
  if (!r || !r->is_active) return; // inactive: it is persistent, or it was dropped while this list was looked up
  if (status && (r->is_wild || r->is_cancelled)) mck_request_matched(r, status, is_ignored);
  if (MCK_UNLIKELY(mck_options.hash_sends)) mck_buffer_hash_check(r, site);
  if (MCK_UNLIKELY(mck_nlocal_races)) end_races(r, site);
  if (MCK_UNLIKELY(r->has_content)) mck_content_complete(r, status, site);
  mck_request_end_buffers(r);
  if (MCK_UNLIKELY(r->is_in_window)) mck_assertion_completed(r, status);
  r->is_active = false;
  if (MCK_UNLIKELY(r->is_waited)) mck_waited_end(r);
  if (MCK_UNLIKELY(r->has_comm)) mck_comm_add(r->newcomm, r->parent, r->fn, 0, r->site, r->key);
  if (MCK_UNLIKELY(r->is_persistent)) r->is_cancelled = false;
  else mck_request_remove(r, site);
}

void mck_complete_end(struct mck_call *call, struct mck_request *r, const MPI_Status *status) {
  if (r && (mck_buffer_is_below(call, r) || r->has_arrays)) mck_buffer_check_stack(call, r);
  end(r, status, status == &call->status || (r && r->is_wild && mck_complete_owns(status)), mck_call_site(call));
}

static void drop(struct mck_request *r) { end(r, NULL, false, MCK_NONE); }

void mck_complete_detach(struct mck_call *call, struct mck_request *r) {
  if (MCK_LIKELY(!mck_rt.is_multiple) || !r || !r->is_active || r->is_shared) return;
  mck_waited_begin(call, r);
  if (!r->is_persistent) mck_request_detach(r);
}
void mck_complete_attach(struct mck_request *r) {
  if (MCK_LIKELY(!mck_rt.is_multiple) || !r || !r->is_active) return;
  mck_waited_end(r);
  if (r->is_detached) mck_request_attach(r);
}

struct mck_request *mck_complete_find(struct mck_call *call, const char *what, MPI_Request handle,
                                      const MPI_Request *at) {
  struct mck_request *r = mck_request_find(handle, at);
  if (MCK_UNLIKELY(mck_rt.is_multiple)) r = mck_waited_check(call, what, r, handle);
  if (MCK_LIKELY(r != NULL) || handle == MPI_REQUEST_NULL) return r;
  mck_waited_unknown(handle);
  if (mck_request_is_shared(handle)) mck_request_drop_shared(drop);
  else mck_request_unknown(call, what, handle);
  return NULL;
}

// Under MPI_THREAD_MULTIPLE another thread may cancel the request meanwhile.
static bool needs_status(const struct mck_request *r) {
  return r && (r->is_wild || r->is_cancelled || r->is_in_window || r->has_content || mck_rt.is_multiple);
}

uint32_t mck_complete_log(struct mck_call *call, uint8_t kind, uint8_t flags, const uint32_t *events, int n) {
  if (mck_depth > 1) return MCK_NONE; // within another call, which has an event already
  uint32_t extra = n > 4 ? ((uint32_t)n - 4 + 7) / 8 : 0;
  uint32_t site = mck_call_site(call);
  mck_windows_before_event();
  if (!mck_rt.is_ready || n <= 0) return MCK_NONE;
  struct mck_event head = {.kind = kind, .flags = flags, .fn = call->fn, .site = site};
  head.wait.extra = extra, head.wait.count = (uint32_t)n;
  return mck_log_put_completion(&mck_rt.log, &head, events, (uint32_t)n);
}

uint32_t mck_complete_log_one(struct mck_call *call, uint8_t kind, const struct mck_request *r) {
  uint32_t event = mck_complete_event(r);
  return mck_complete_log(call, kind, MCK_WAIT_ALL, &event, 1);
}

// --- one request ---
MCK_HOT void mck_wait_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  mck_persistent_wildcard_look(a->request, 1);
  struct mck_request *r = a->request
                              ? mck_complete_find(call, "request", *a->request, mck_call_variable(call, a->request, 0))
                              : NULL;
  call->scratch = r;
  if (MCK_UNLIKELY(mck_options.pedantic) && a->request && (r ? !r->is_active : *a->request == MPI_REQUEST_NULL))
    mck_request_check_idle(call, r);
  // Files and generalized requests have no event: it is unknown what completes them.
  if (r && r->is_active && (r->event != MCK_NONE || r->kind == MCK_REQUEST_RMA))
    call->event = mck_complete_log_one(call, MCK_EV_WAIT, r);
  mck_complete_detach(call, r);
  if (needs_status(r) && a->status == MPI_STATUS_IGNORE) a->status = &call->status;
  mck_unlock();
  mck_wait_begin(call->event);
}

MCK_HOT void mck_wait_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  mck_lock();
  if (call->scratch && (rc == MPI_SUCCESS || *a->request == MPI_REQUEST_NULL)) {
    if (rc != MPI_SUCCESS) mck_assertion_failed(call->scratch);
    mck_complete_end(call, call->scratch, a->status);
  } else mck_complete_attach(call->scratch);
  mck_unlock();
}

MCK_HOT void mck_test_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  mck_persistent_wildcard_look(a->request, 1);
  struct mck_request *r = a->request ? mck_request_find(*a->request, mck_call_variable(call, a->request, 0)) : NULL;
  if (MCK_UNLIKELY(mck_rt.is_multiple) && a->request) r = mck_waited_check(call, "request", r, *a->request);
  call->scratch = r;
  call->events[0] = !r && a->request && mck_request_is_shared(*a->request);
  if (!r && a->request && !call->events[0]) {
    mck_waited_unknown(*a->request);
    mck_request_unknown(call, "request", *a->request);
  }
  if (needs_status(r) && a->status == MPI_STATUS_IGNORE) a->status = &call->status;
} // a test does not block: the lock is held until after it, so that handle and request stay together

MCK_HOT void mck_test_after(struct mck_call *call, struct mck_args *a, int rc) {
  struct mck_request *r = call->scratch;
  bool is_over = rc == MPI_SUCCESS ? a->flag && *a->flag
                                   : r && *a->request == MPI_REQUEST_NULL; // the operation failed, and is complete
  if (is_over) {
    if (call->events[0]) mck_request_drop_shared(drop);
    if (r && r->is_active) {
      if (rc != MPI_SUCCESS) mck_assertion_failed(r);
      mck_complete_log_one(call, MCK_EV_DONE, r);
      mck_complete_end(call, r, a->status);
    }
  } else if (rc == MPI_SUCCESS && a->flag && a->request && *a->request != MPI_REQUEST_NULL && mck_poll_is_worth(call))
    mck_poll_request(call->events[0] ? NULL : r, call->fn, call->pc, call->frame);
  mck_unlock();
}

// MPI_Request_get_status says that the operation is complete, and leaves the request as it is (MPI-3.1 3.7.6): only
// its buffers are free.
void mck_get_status_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  mck_persistent_wildcard_look(&a->requestvalue, 1);
  bool is_shared = mck_request_is_shared(a->requestvalue);
  call->scratch = is_shared ? NULL : mck_request_find(a->requestvalue, NULL);
  if (needs_status(call->scratch) && a->status == MPI_STATUS_IGNORE) a->status = &call->status;
}

// The process knows now what the completion of the request will only repeat: of a synchronous send, that its receive
// has begun; other sends say nothing. A second call adds nothing, so it has no event.
static void log_status(struct mck_call *call, struct mck_request *r, const MPI_Status *status) {
  const void *next = mck_rt.log.next;
  if (mck_found_again(NULL, r->event, 0)) return;
  const struct mck_event *e = mck_log_event(&mck_rt.log, r->event);
  if (!e) return; // recording has stopped
  if (e->kind != MCK_EV_SEND || (e->flags & MCK_MODE_MASK) == MCK_FLAG_SYNC) {
    if (r->is_wild || r->is_cancelled) mck_request_matched(r, status, false);
    mck_complete_log_one(call, MCK_EV_DONE, r);
  }
  mck_found_add(next, NULL, r->event, 0);
}

void mck_get_status_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc == MPI_SUCCESS && *a->flag) {
    if (mck_request_is_shared(a->requestvalue))
      mck_request_drop_shared(mck_request_end_buffers); // the value does not say which request it is
    struct mck_request *own = call->scratch, *r = own;
    if (!r) r = mck_request_find_detached(a->requestvalue);
    if (own && own->is_active && MCK_UNLIKELY(own->has_content))
      mck_content_complete(own, a->status, mck_call_site(call));
    if (r) mck_request_end_buffers(r);
    if (r && r->is_active) r->is_over = true;
    if (r && r->kind == MCK_REQUEST_FILE) r->key = 0; // no longer an operation of the file
    if (own && own->is_active && own->event != MCK_NONE) log_status(call, own, a->status);
    // Another thread waits for it, and finds out which message a receive got. For the order of accesses (rt/rma) this
    // is a call after which anything may be complete.
    else if (r && r->is_active && r->event != MCK_NONE) {
      if (r->is_wild || r->is_cancelled) mck_event_plain(call);
      else log_status(call, r, a->status);
    }
  } else if (rc == MPI_SUCCESS && mck_poll_is_worth(call)) {
    bool is_known = !mck_request_is_shared(a->requestvalue);
    mck_poll_request(is_known ? mck_request_find(a->requestvalue, NULL) : NULL, call->fn, call->pc, call->frame);
  }
  mck_unlock();
}

// --- other ends ---
void mck_request_free_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  mck_persistent_wildcard_look(a->request, 1);
  struct mck_request *r = a->request
                              ? mck_complete_find(call, "request", *a->request, mck_call_variable(call, a->request, 0))
                              : NULL;
  if (a->request && *a->request == MPI_REQUEST_NULL) mck_request_null(call, "request");
  if (r) { // an active operation goes on. Its buffer may be reused once something else implies completion
           // (MPI-3.1 3.7.3); we do not know when that is
    mck_request_check_free(call, r);
    r->is_persistent = false, r->is_active = true, r->has_comm = false;
    end(r, NULL, false, mck_call_site(call));
    if (MCK_UNLIKELY(mck_persistent_wildcard_is_on)) mck_persistent_wildcard_free(*a->request);
  }
  mck_unlock();
  call->scratch = NULL;
}
void mck_request_free_after(struct mck_call *call, struct mck_args *a, int rc) { (void)call, (void)a, (void)rc; }

void mck_cancel_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  mck_persistent_wildcard_look(a->request, 1);
  struct mck_request *r = a->request ? mck_request_find(*a->request, mck_call_variable(call, a->request, 0)) : NULL;
  if (!r && a->request) r = mck_request_find_detached(*a->request); // this ends a wait of another thread
  if (a->request && *a->request == MPI_REQUEST_NULL) mck_request_null(call, "request");
  else if (r) mck_request_check_cancel(call, r), cancel(r);
  else if (a->request && !mck_request_is_shared(*a->request)) mck_request_unknown(call, "request", *a->request);
  mck_unlock();
}
void mck_cancel_after(struct mck_call *call, struct mck_args *a, int rc) { (void)call, (void)a, (void)rc; }
