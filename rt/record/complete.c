// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Completion: MPI_Wait and MPI_Test in all their forms (MPI-3.1 3.7.3, 3.7.5), MPI_Request_free, MPI_Cancel. A call that blocks
// is one event that names the requests; tests leave an event only when they succeed. The library overwrites the
// handles on completion, so they are looked up, or copied, before the call.
#include <string.h>
#include "record/ending.h"
#include "record/gone.h"
#include "record/narrow.h"
#include "record/poll.h"
#include "record/runtime.h"

// Scratch memory of the thread, used like a stack: a call may be inside another one's callback.
static __thread struct { char *base; size_t used, size; } arena __attribute__((tls_model("initial-exec")));

static void *take(size_t size) {
  size = (size + 15) & ~(size_t)15;
  if (arena.used + size > arena.size) {
    if (arena.used) return calloc(1, size);   // nested and too large at once: leaks a little, once in a blue moon
    size_t bigger = (arena.used + size) * 2 + 4096;
    char *base = malloc(bigger);
    if (!base) return NULL;
    free(arena.base);
    arena.base = base, arena.size = bigger;
  }
  void *p = arena.base + arena.used;
  arena.used += size;
  return p;
}

void mck_complete_abandon(void) { arena.used = 0; }

void mck_complete_end_thread(void) {
  free(arena.base);
  arena.base = NULL, arena.used = arena.size = 0;
}

void mck_request_matched(struct mck_request *r, const MPI_Status *status) {
  if (r->is_cancelled) {
    int flag = 0;
    PMPI_Test_cancelled(status, &flag);
    if (r->event != MCK_NONE) {
      struct mck_event *e = &mck_rt.log.first[r->event];
      uint8_t *flags = &e->flags, rest = *flags & (uint8_t)~(MCK_FLAG_CANCELLED | MCK_FLAG_MATCHED);
      uint8_t told = flag ? MCK_FLAG_CANCELLED : e->kind == MCK_EV_SEND ? MCK_FLAG_LOCAL : 0;
      __atomic_store_n(flags, rest | told, __ATOMIC_RELEASE);
    }
    if (flag) return;
  }
  if (r->is_wild) mck_match_write(r->event, status);
}

// Until its completion tells, a receive that is being cancelled may or may not take a message (MPI-3.1 3.8.4); one that is freed then never tells.
static void cancel(struct mck_request *r) {
  r->is_cancelled = true;
  struct mck_event *e = r->event != MCK_NONE && r->is_active ? &mck_rt.log.first[r->event] : NULL;
  if (e && e->kind == MCK_EV_SEND) mck_event_flag(e, MCK_FLAG_LOCAL);
  if (e && e->kind == MCK_EV_RECV) __atomic_store_n(&e->flags, e->flags | MCK_FLAG_CANCELLED | MCK_FLAG_MATCHED, __ATOMIC_RELEASE);
}

void mck_request_end_buffers(struct mck_request *r) {
  if (r->used & 1) mck_buffer_end(&r->buffers[0]);
  if (r->used & 2) mck_buffer_end(&r->buffers[1]);
}

static void complete(struct mck_request *r, const MPI_Status *status, uint32_t site) {
  if (!r || !r->is_active) return;   // inactive: persistent, or dropped while this list was looked up
  if (status && (r->is_wild || r->is_cancelled)) mck_request_matched(r, status);
  if (MCK_UNLIKELY(mck_options.hash_sends)) mck_hashed_check(r, site);
  if (MCK_UNLIKELY(mck_naccused)) mck_accused_end(&r->buffers[0], site, 0), mck_accused_end(&r->buffers[1], site, 0);
  mck_request_end_buffers(r);
  r->is_active = false;
  if (MCK_UNLIKELY(r->is_waited)) mck_waited_end(r);
  if (MCK_UNLIKELY(r->has_comm)) mck_comm_add(r->newcomm, r->parent, r->fn, 0, r->site, r->key);
  if (MCK_UNLIKELY(r->is_persistent)) r->is_cancelled = false;
  else mck_request_remove(r, site);
}

// The same where nothing more is to be done than to mark it, as one of many; false: something is.
static inline bool complete_plain(struct mck_request *r, uint32_t site, struct mck_ending *ending) {
  if (MCK_UNLIKELY(r->is_special || r->used == 3)) return false;
  if (MCK_LIKELY(r->used) && !mck_ending_add(ending, &r->buffers[r->used - 1])) return false;
  r->is_active = false, r->is_freed = true, r->free_site = site;
  return true;
}

static void drop(struct mck_request *r) { complete(r, NULL, MCK_NONE); }

// While a thread is in a blocking completion, the library frees the handle at a moment that we do not see, and another thread may get the
// same handle for a new request before we look again. So the waiting thread takes its requests out of the table.
static void detach(struct mck_call *call, struct mck_request *r) {
  if (MCK_LIKELY(!mck_rt.is_multiple) || !r || !r->is_active || r->is_shared) return;
  mck_waited_begin(call, r);
  if (!r->is_persistent) mck_request_detach(r);
}
static void attach(struct mck_request *r) {   // did not complete
  if (MCK_LIKELY(!mck_rt.is_multiple) || !r || !r->is_active) return;
  mck_waited_end(r);
  if (r->is_detached) mck_request_attach(r);
}

// The request behind a handle that is being completed.
static struct mck_request *find(struct mck_call *call, const char *what, MPI_Request handle, const MPI_Request *at) {
  struct mck_request *r = mck_request_find(handle, at);
  if (MCK_UNLIKELY(mck_rt.is_multiple)) r = mck_waited_check(call, what, r, handle);
  if (MCK_LIKELY(r != NULL) || handle == MPI_REQUEST_NULL) return r;
  if (mck_request_is_shared(handle)) mck_request_drop_shared(drop);
  else mck_request_unknown(call, what, handle);
  return NULL;
}

static const char array_name[] = "array_of_requests";

// Another thread may cancel it meanwhile.
static bool needs_status(const struct mck_request *r) { return r && (r->is_wild || r->is_cancelled || mck_rt.is_multiple); }

static uint32_t event_of(const struct mck_request *r) { return r && r->is_active ? r->event : MCK_NONE; }

// WAIT or DONE over n requests. events: those of which, where the caller has them already, else NULL.
static uint32_t log_events(struct mck_call *call, uint8_t kind, uint8_t flags, const uint32_t *events, int n) {
  if (mck_depth > 1) return MCK_NONE;   // within another call, whose event is there
  uint32_t extra = n > 4 ? ((uint32_t)n - 4 + 7) / 8 : 0;
  uint32_t site = mck_call_site(call);
  if (mck_ntouched) mck_windows_flush();
  struct mck_event *e = mck_rt.is_ready && n > 0 ? mck_log_reserve(&mck_rt.log, 1 + (size_t)extra) : NULL;
  if (!e) return MCK_NONE;
  *e = (struct mck_event){.kind = kind, .flags = flags, .fn = call->fn, .site = site};
  e->wait.extra = extra, e->wait.count = (uint32_t)n;
  uint32_t *rest = (uint32_t *)(e + 1);
  for (int i = 0; i < 4; i++) e->wait.request[i] = i < n ? events[i] : MCK_NONE;
  if (n > 4) memcpy(rest, events + 4, ((size_t)n - 4) * sizeof *rest);
  for (uint32_t i = n > 4 ? (uint32_t)n - 4 : 0; i < extra * 8; i++) rest[i] = MCK_NONE;
  return mck_log_commit(&mck_rt.log, 1 + (size_t)extra);
}

static uint32_t log_request(struct mck_call *call, uint8_t kind, const struct mck_request *r) {
  uint32_t event = event_of(r);
  return log_events(call, kind, MCK_WAIT_ALL, &event, 1);
}

// --- one request ---
MCK_HOT void mck_wait_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  mck_narrow_look(a->request, 1);
  struct mck_request *r = a->request ? find(call, "request", *a->request, mck_call_variable(call, a->request, 0)) : NULL;
  call->scratch = r;
  if (MCK_UNLIKELY(mck_options.pedantic) && a->request && (r ? !r->is_active : *a->request == MPI_REQUEST_NULL)) mck_request_check_idle(call, r);
  // Files and generalized requests have no event: nothing is known of what ends them.
  if (r && r->is_active && (r->event != MCK_NONE || r->kind == MCK_REQUEST_RMA)) call->event = log_request(call, MCK_EV_WAIT, r);
  detach(call, r);
  if (needs_status(r) && a->status == MPI_STATUS_IGNORE) a->status = &call->status;
  mck_unlock();
  mck_wait_begin(call->event);
}

MCK_HOT void mck_wait_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  mck_lock();
  if (call->scratch) mck_gone_check(call, call->scratch);
  if (call->scratch && (rc == MPI_SUCCESS || *a->request == MPI_REQUEST_NULL)) complete(call->scratch, a->status, mck_call_site(call));
  else attach(call->scratch);
  mck_unlock();
}

MCK_HOT void mck_test_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  mck_narrow_look(a->request, 1);
  struct mck_request *r = a->request ? mck_request_find(*a->request, mck_call_variable(call, a->request, 0)) : NULL;
  if (MCK_UNLIKELY(mck_rt.is_multiple) && a->request) r = mck_waited_check(call, "request", r, *a->request);
  call->scratch = r;
  call->events[0] = !r && a->request && mck_request_is_shared(*a->request);
  if (!r && a->request && !call->events[0]) mck_request_unknown(call, "request", *a->request);
  if (needs_status(r) && a->status == MPI_STATUS_IGNORE) a->status = &call->status;
}   // a test does not block: the lock is held until after it, so that handle and request stay together

MCK_HOT void mck_test_after(struct mck_call *call, struct mck_args *a, int rc) {
  struct mck_request *r = call->scratch;
  if (rc == MPI_SUCCESS && a->flag && *a->flag) {
    if (call->events[0]) mck_request_drop_shared(drop);
    if (r && r->is_active) {
      log_request(call, MCK_EV_DONE, r);
      mck_gone_check(call, r);
      complete(r, a->status, mck_call_site(call));
    }
  }
  else if (rc == MPI_SUCCESS && a->flag && a->request && *a->request != MPI_REQUEST_NULL && mck_poll_is_worth(call))
    mck_poll_request(call->events[0] ? NULL : r, call->fn, call->pc, call->frame);
  mck_unlock();
}

// Tells that the operation is complete, and leaves the request as it is (MPI-3.1 3.7.6): only its buffers are free.
void mck_get_status_before(struct mck_call *call, struct mck_args *a) { (void)call, (void)a; mck_lock(); }
void mck_get_status_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc == MPI_SUCCESS && *a->flag) {
    if (mck_request_is_shared(a->requestvalue)) mck_request_drop_shared(mck_request_end_buffers);   // which one, its value does not say
    struct mck_request *r = mck_request_is_shared(a->requestvalue) ? NULL : mck_request_find(a->requestvalue, NULL);
    if (!r) r = mck_request_find_detached(a->requestvalue);
    if (r) mck_request_end_buffers(r);
    if (r && r->kind == MCK_REQUEST_FILE) r->key = 0;   // no operation of the file any more
    // The process knows now what no completion tells yet: for those who ask what it had heard (rt/rma) that is a call that may have told it anything.
    if (r && r->is_active && r->event != MCK_NONE) mck_event_plain(call);
  } else if (rc == MPI_SUCCESS && mck_poll_is_worth(call)) {
    bool is_known = !mck_request_is_shared(a->requestvalue);
    mck_poll_request(is_known ? mck_request_find(a->requestvalue, NULL) : NULL, call->fn, call->pc, call->frame);
  }
  mck_unlock();
}

// --- arrays ---
// live: indices of what is not null or inactive; events: those of what is live, or done.
struct list { int n, nlive; struct mck_request **requests; MPI_Request *handles; int *live; uint32_t *events; };

static __attribute__((noinline, cold)) void twice(struct mck_call *call, const struct list *list, size_t again) {
  size_t first = 0;
  while (list->requests[first] != list->requests[again]) first++;
  mck_request_misused(call, MCK_CHECK_REQUEST_DOUBLE_COMPLETION, list->requests[again], "%s of %s holds the same request twice: entries %zu and %zu",
                      array_name, mck_fn_names[call->fn], first, again);
}

// Looks all of them up; true: a status is needed of one of them.
static bool look_at(struct mck_call *call, struct mck_args *a, struct list *list) {
  static uint32_t look;
  bool wants = false, is_multiple = mck_rt.is_multiple, is_waitall = call->fn == MCK_FN_MPI_Waitall;
  const MPI_Request *at = mck_call_variable(call, a->requests, 0);
  size_t step = call->variables ? sizeof *call->variables : sizeof *at;
  if (!++look) look = 1;   // 0: never seen
  struct mck_request *previous = NULL;
  for (int i = 0; i < list->n; i++, at = (const MPI_Request *)((const char *)at + step)) {
    MPI_Request handle = list->handles[i];
    struct mck_request *r = is_multiple ? NULL : mck_request_find_behind(previous, handle, at);
    previous = r;
    if (MCK_UNLIKELY(!r) && handle != MPI_REQUEST_NULL) r = find(call, array_name, handle, at);
    list->requests[i] = r;
    if (MCK_LIKELY(r != NULL)) {
      // Waiting twice for one operation; an inactive persistent request may be waited for (MPI-3.1 3.7.5).
      if (MCK_UNLIKELY(!mck_request_see(r, look)) && is_waitall && !r->is_persistent) twice(call, list, (size_t)i);
      wants |= r->is_wild | r->is_cancelled;
      if (!r->is_active) continue;   // as good as null (MPI-3.1 3.7.5)
    } else if (handle == MPI_REQUEST_NULL) continue;
    list->events[list->nlive] = r ? r->event : MCK_NONE;   // an unknown request counts: nobody can say that it will not complete
    list->live[list->nlive++] = i;
  }
  if (MCK_UNLIKELY(mck_options.pedantic) && !list->nlive) {
    const struct mck_request *idle = NULL;
    for (int i = 0; i < list->n && !idle; i++) idle = list->requests[i];
    mck_request_check_idle(call, idle);
  }
  return wants;
}

static struct list *begin(struct mck_call *call, struct mck_args *a, bool must_look_up) {
  call->arena = arena.used;
  call->scratch = NULL;
  if (a->incount <= 0 || !a->requests) return NULL;
  size_t n = (size_t)a->incount;
  mck_narrow_look(a->requests, a->incount);
  // One piece: growing the arena must not move what was handed out before.
  char *memory = take(sizeof(struct list) + n * (sizeof(void *) + sizeof(MPI_Request) + sizeof(MPI_Status) + sizeof(int) + sizeof(uint32_t)) + 32);
  if (!memory) return NULL;
  struct list *list = (struct list *)memory;
  list->n = a->incount;
  list->requests = (struct mck_request **)(list + 1);
  list->handles = (MPI_Request *)(list->requests + n);
  memcpy(list->handles, a->requests, n * sizeof *list->handles);
  MPI_Status *statuses = (MPI_Status *)(list->handles + n);
  list->live = (int *)(statuses + n);
  list->events = (uint32_t *)(list->live + n);
  list->nlive = 0;
  bool wants = true;   // not looked up before success: ask for the statuses in any case
  if (must_look_up) wants = look_at(call, a, list);
  else {
    memset(list->requests, 0, n * sizeof *list->requests);
    if (MCK_UNLIKELY(mck_rt.is_multiple)) mck_waited_check_all(call, array_name, list->handles, list->n);
  }
  if (wants && a->statuses == MPI_STATUSES_IGNORE) a->statuses = statuses;
  call->scratch = list;
  return list;
}

static void detach_all(struct mck_call *call, struct list *list) {
  for (int k = 0; mck_rt.is_multiple && list && k < list->nlive; k++) detach(call, list->requests[list->live[k]]);
}
static void attach_rest(struct list *list) { for (int k = 0; mck_rt.is_multiple && list && k < list->nlive; k++) attach(list->requests[list->live[k]]); }

static void end(struct mck_call *call) { arena.used = call->arena; }

static void look_up(struct mck_call *call, struct list *list, struct mck_args *a) {
  for (int i = 0; i < list->n; i++) list->requests[i] = find(call, array_name, list->handles[i], mck_call_variable(call, a->requests, i));
}

// What was done: every entry of the list (which NULL), or some.
static void log_done(struct mck_call *call, struct list *list, const int *which, int n) {
  for (int k = 0; k < n; k++) list->events[k] = event_of(list->requests[which ? which[k] : k]);
  log_events(call, MCK_EV_DONE, MCK_WAIT_ALL, list->events, n);
}

static const MPI_Status *status_of(const struct mck_args *a, int i) {
  return a->statuses == MPI_STATUSES_IGNORE ? NULL : &a->statuses[i];
}

const struct mck_request *mck_complete_listed(const struct mck_call *call, int i) {
  const struct list *list = call->scratch;
  return list && i >= 0 && i < list->n ? list->requests[i] : NULL;
}

void mck_waitall_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  struct list *list = begin(call, a, true);
  if (list) call->event = log_events(call, MCK_EV_WAIT, MCK_WAIT_ALL, list->events, list->nlive);
  detach_all(call, list);
  mck_unlock();
  mck_wait_begin(call->event);
}

void mck_waitall_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  struct list *list = call->scratch;
  mck_lock();
  uint32_t site = list ? mck_call_site(call) : MCK_NONE;
  struct mck_ending ending = {0};
  for (int k = 0, n = list ? list->nlive : 0; k < n; k++) {
    int i = list->live[k];
    struct mck_request *r = list->requests[i];
    enum { AHEAD = 8 };   // the library has had the cache for itself, and what is out of order reaches three requests only
    const struct mck_request *ahead = list->requests[list->live[k + AHEAD < n ? k + AHEAD : k]];
    __builtin_prefetch(ahead, 1), __builtin_prefetch(&ahead->buffers[0], 1), __builtin_prefetch(&ahead->buffers[1], 1);
    if (MCK_UNLIKELY(rc != MPI_SUCCESS && a->requests[i] != MPI_REQUEST_NULL)) continue;
    if (r) mck_gone_check(call, r);
    if (r && r->is_active && !complete_plain(r, site, &ending)) complete(r, status_of(a, i), site);
  }
  mck_ending_flush(&ending);
  attach_rest(list);
  mck_unlock();
  end(call);
}

static void listed_in_vain(const struct mck_call *call, const struct mck_args *a, const struct list *list, bool is_all) {
  const MPI_Request *variables = mck_call_variable(call, a->requests, 0);
  if (mck_poll_is_worth(call)) mck_poll_list(call, list->handles, variables, call->variables ? sizeof *call->variables : sizeof *variables, list->n, is_all);
}

void mck_testall_before(struct mck_call *call, struct mck_args *a) { mck_lock(); begin(call, a, false); }
void mck_testall_after(struct mck_call *call, struct mck_args *a, int rc) {
  struct list *list = call->scratch;
  if (rc == MPI_SUCCESS && list && *a->flag) {
    look_up(call, list, a);
    log_done(call, list, NULL, list->n);
    for (int i = 0; i < list->n; i++) {
      if (list->requests[i]) mck_gone_check(call, list->requests[i]);
      complete(list->requests[i], status_of(a, i), mck_call_site(call));
    }
  } else if (rc == MPI_SUCCESS && list) listed_in_vain(call, a, list, true);
  mck_unlock();
  end(call);
}

// A request that a wait has looked up (it may be detached since), or what a test's handle stands for.
static struct mck_request *listed(struct mck_call *call, struct list *list, struct mck_args *a, int i) {
  struct mck_request *r = list->requests[i];
  return r && r->is_detached ? r : find(call, array_name, list->handles[i], mck_call_variable(call, a->requests, i));
}

static void one_done(struct mck_call *call, struct mck_args *a, int rc) {
  struct list *list = call->scratch;
  int i = a->index ? *a->index : MPI_UNDEFINED;
  if (rc != MPI_SUCCESS || !list || i == MPI_UNDEFINED || i < 0 || i >= list->n) return;
  struct mck_request *r = listed(call, list, a, i);
  if (r && r->is_active) {
    log_request(call, MCK_EV_DONE, r);
    mck_gone_check(call, r);
    complete(r, a->status, mck_call_site(call));
  }
}

void mck_waitany_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  struct list *list = begin(call, a, true);
  if (list) call->event = log_events(call, MCK_EV_WAIT, MCK_WAIT_ANY, list->events, list->nlive);
  detach_all(call, list);
  if (a->status == MPI_STATUS_IGNORE) a->status = &call->status;
  mck_unlock();
  mck_wait_begin(call->event);
}
void mck_waitany_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  mck_lock();
  one_done(call, a, rc);
  attach_rest(call->scratch);
  mck_unlock();
  end(call);
}

void mck_testany_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  begin(call, a, false);
  if (a->status == MPI_STATUS_IGNORE) a->status = &call->status;
}
void mck_testany_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc == MPI_SUCCESS && *a->flag) one_done(call, a, rc);
  else if (rc == MPI_SUCCESS && call->scratch) listed_in_vain(call, a, call->scratch, false);
  mck_unlock();
  end(call);
}

static void some_done(struct mck_call *call, struct mck_args *a, int rc) {
  struct list *list = call->scratch;
  if (rc != MPI_SUCCESS || !list || *a->outcount == MPI_UNDEFINED || *a->outcount <= 0) return;
  for (int k = 0; k < *a->outcount; k++) {
    int i = a->indices[k];
    list->requests[i] = listed(call, list, a, i);
  }
  log_done(call, list, a->indices, *a->outcount);
  for (int k = 0; k < *a->outcount; k++) {
    struct mck_request *r = list->requests[a->indices[k]];
    if (r) mck_gone_check(call, r);
    complete(r, status_of(a, k), mck_call_site(call));
  }
}

void mck_waitsome_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  struct list *list = begin(call, a, true);
  if (list) call->event = log_events(call, MCK_EV_WAIT, MCK_WAIT_SOME, list->events, list->nlive);
  detach_all(call, list);
  mck_unlock();
  mck_wait_begin(call->event);
}
void mck_waitsome_after(struct mck_call *call, struct mck_args *a, int rc) { 
  mck_wait_end();
  mck_lock();
  some_done(call, a, rc);
  attach_rest(call->scratch);
  mck_unlock();
  end(call);
}
void mck_testsome_before(struct mck_call *call, struct mck_args *a) { mck_lock(); begin(call, a, false); }
void mck_testsome_after(struct mck_call *call, struct mck_args *a, int rc) {
  some_done(call, a, rc);
  if (rc == MPI_SUCCESS && call->scratch && *a->outcount == 0) listed_in_vain(call, a, call->scratch, false);
  mck_unlock();
  end(call);
}

// --- other ends ---
void mck_request_free_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  mck_narrow_look(a->request, 1);
  struct mck_request *r = a->request ? find(call, "request", *a->request, mck_call_variable(call, a->request, 0)) : NULL;
  if (a->request && *a->request == MPI_REQUEST_NULL) mck_request_null(call, "request");
  if (r) {   // an active operation goes on; its buffer can be reused when something else says so (MPI-3.1 3.7.3): we do not know when
    mck_request_check_free(call, r);
    r->is_persistent = false, r->is_active = true, r->has_comm = false;
    complete(r, NULL, mck_call_site(call));
    if (MCK_UNLIKELY(mck_narrow_is_on)) mck_narrow_free(*a->request);
  }
  mck_unlock();
  call->scratch = NULL;
}
void mck_request_free_after(struct mck_call *call, struct mck_args *a, int rc) { (void)call, (void)a, (void)rc; }

void mck_cancel_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  mck_narrow_look(a->request, 1);
  struct mck_request *r = a->request ? mck_request_find(*a->request, mck_call_variable(call, a->request, 0)) : NULL;
  if (!r && a->request) r = mck_request_find_detached(*a->request);   // so ends a wait of another thread
  if (a->request && *a->request == MPI_REQUEST_NULL) mck_request_null(call, "request");
  else if (r) mck_request_check_cancel(call, r), cancel(r);
  else if (a->request && !mck_request_is_shared(*a->request)) mck_request_unknown(call, "request", *a->request);
  mck_unlock();
}
void mck_cancel_after(struct mck_call *call, struct mck_args *a, int rc) { (void)call, (void)a, (void)rc; }
