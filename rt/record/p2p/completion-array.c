// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Completion of arrays of requests (MPI-3.1 3.7.5): Wait- and Test-all, -any, -some. The handles are looked up, or
// copied, before the call, since the library overwrites them.
#include <stdlib.h>
#include <string.h>
#include "record/buffer/buffer-lifetime.h"
#include "record/buffer/buffer-release.h"
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call.h"
#include "record/call/poll-list.h"
#include "record/call/stack.h"
#include "record/call/wait-mark.h"
#include "record/content/content.h"
#include "record/p2p/completed-request.h"
#include "record/p2p/completion.h"
#include "record/p2p/request-misuse.h"
#include "record/p2p/request-threads.h"
#include "record/replay/persistent-wildcard.h"
#include "record/rma/untrue-assertion.h"
#include "record/runtime.h"

// Scratch memory of the thread, used like a stack: a call may be inside the callback of another call.
static __thread struct {
  char *base;
  size_t used, size;
} arena __attribute__((tls_model("initial-exec")));

static void *take(size_t size) {
  size = (size + 15) & ~(size_t)15;
  if (arena.used + size > arena.size) {
    if (arena.used) return calloc(1, size); // nested and too large at once, which is very rare: this leaks a little
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

bool mck_complete_owns(const MPI_Status *status) {
  const char *at = (const char *)status;
  return at && at >= (const char *)arena.base && at < (const char *)arena.base + arena.size;
}

void mck_complete_abandon(void) { arena.used = 0; }

void mck_complete_end_thread(void) {
  free(arena.base);
  arena.base = NULL, arena.used = arena.size = 0;
}

static const char array_name[] = "array_of_requests";

// live: indices of the requests that are neither null nor inactive; events: those of the live or the completed
// requests.
struct list {
  int n, nlive;
  struct mck_request **requests;
  MPI_Request *handles;
  int *live;
  uint32_t *events;
};

static __attribute__((noinline, cold)) void twice(struct mck_call *call, const struct list *list, size_t again) {
  size_t first = 0;
  while (list->requests[first] != list->requests[again]) first++;
  mck_request_misused(call, MCK_CHECK_REQUEST_DOUBLE_COMPLETION, list->requests[again],
                      "%s of %s holds the same request twice: entries %zu and %zu", array_name, mck_fn_names[call->fn],
                      first, again);
}

// Looks all requests up. true: the status of one of them is needed.
static bool look_at(struct mck_call *call, struct mck_args *a, struct list *list) {
  static uint32_t look;
  bool wants = false, is_multiple = mck_rt.is_multiple, is_waitall = call->fn == MCK_FN_MPI_Waitall;
  const MPI_Request *at = mck_call_variable(call, a->requests, 0);
  size_t step = call->variables ? sizeof *call->variables : sizeof *at;
  if (!++look) look = 1; // 0 marks a request that no call has looked at
  struct mck_request *previous = NULL;
  for (int i = 0; i < list->n; i++, at = (const MPI_Request *)((const char *)at + step)) {
    MPI_Request handle = list->handles[i];
    struct mck_request *r = is_multiple ? NULL : mck_request_find_behind(previous, handle, at);
    previous = r;
    if (MCK_UNLIKELY(!r) && handle != MPI_REQUEST_NULL) r = mck_complete_find(call, array_name, handle, at);
    list->requests[i] = r;
    if (MCK_LIKELY(r != NULL)) {
      // This waits twice for one operation. A wait for an inactive persistent request is legal (MPI-3.1 3.7.5).
      if (MCK_UNLIKELY(!mck_request_see(r, look)) && is_waitall && !r->is_persistent) twice(call, list, (size_t)i);
      wants |= r->is_wild | r->is_cancelled | r->is_in_window | r->has_content;
      if (!r->is_active) continue; // the same as null (MPI-3.1 3.7.5)
    } else if (handle == MPI_REQUEST_NULL) continue;
    list->events[list->nlive] = r ? r->event : MCK_NONE; // an unknown request counts: it may complete
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
  mck_persistent_wildcard_look(a->requests, a->incount);
  // One piece of memory: when the arena grows, memory that was given out before must not move.
  char *memory = take(sizeof(struct list) +
                      n * (sizeof(void *) + sizeof(MPI_Request) + sizeof(MPI_Status) + sizeof(int) + sizeof(uint32_t)) +
                      32);
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
  bool wants = true; // the requests are looked up after success: the statuses may be needed
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
  for (int k = 0; mck_rt.is_multiple && list && k < list->nlive; k++)
    mck_complete_detach(call, list->requests[list->live[k]]);
}
static void attach_unfinished(struct list *list) {
  for (int k = 0; mck_rt.is_multiple && list && k < list->nlive; k++)
    mck_complete_attach(list->requests[list->live[k]]);
}

static void end(struct mck_call *call) { arena.used = call->arena; }

static void look_up(struct mck_call *call, struct list *list, struct mck_args *a) {
  for (int i = 0; i < list->n; i++)
    list->requests[i] = mck_complete_find(call, array_name, list->handles[i], mck_call_variable(call, a->requests, i));
}

// The completed requests: every entry of the list (which NULL), or some.
static void log_done(struct mck_call *call, struct list *list, const int *which, int n) {
  for (int k = 0; k < n; k++) list->events[k] = mck_complete_event(list->requests[which ? which[k] : k]);
  mck_complete_log(call, MCK_EV_DONE, MCK_WAIT_ALL, list->events, n);
}

static const MPI_Status *status_of(const struct mck_args *a, int i) {
  return a->statuses == MPI_STATUSES_IGNORE ? NULL : &a->statuses[i];
}

static const MPI_Status *status_of_failed(const struct mck_args *a, uint8_t kind, int class, int i) {
  if (kind == MCK_WAIT_ANY) return a->index && *a->index == i && a->status != MPI_STATUS_IGNORE ? a->status : NULL;
  if (class != MPI_ERR_IN_STATUS || a->statuses == MPI_STATUSES_IGNORE) return NULL;
  if (kind == MCK_WAIT_ALL) return &a->statuses[i];
  for (int k = 0; *a->outcount != MPI_UNDEFINED && k < *a->outcount; k++)
    if (a->indices[k] == i) return &a->statuses[k];
  return NULL;
}

// The call failed because an operation of its list failed. That operation is complete, and others may be (MPI-3.1
// 3.7.5): their handles are null now. For persistent requests the statuses say so. Without statuses, a wait for all of
// them ends them all, so that no finding is made of them.
static __attribute__((noinline, cold)) void end_failed(struct mck_call *call, struct mck_args *a,
                                                       const struct list *list, int rc, uint8_t kind) {
  int class = MPI_ERR_OTHER;
  PMPI_Error_class(rc, &class);
  for (int i = 0; list && i < list->n; i++) {
    struct mck_request *r = list->requests[i];
    if (!r || !r->is_detached) r = mck_request_find(list->handles[i], mck_call_variable(call, a->requests, i));
    if (!r || !r->is_active) continue;
    const MPI_Status *status = status_of_failed(a, kind, class, i);
    bool is_over = a->requests[i] == MPI_REQUEST_NULL;
    if (!is_over && r->is_persistent)
      is_over = status ? class != MPI_ERR_IN_STATUS || status->MPI_ERROR != MPI_ERR_PENDING : kind == MCK_WAIT_ALL;
    if (!is_over) continue;
    if (call->fn != MCK_FN_MPI_Waitall) mck_complete_log_one(call, MCK_EV_DONE, r);
    mck_assertion_failed(r);
    mck_complete_end(call, r, status);
  }
}

const struct mck_request *mck_complete_listed(const struct mck_call *call, int i) {
  const struct list *list = call->scratch;
  return list && i >= 0 && i < list->n ? list->requests[i] : NULL;
}

void mck_waitall_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  struct list *list = begin(call, a, true);
  if (list) call->event = mck_complete_log(call, MCK_EV_WAIT, MCK_WAIT_ALL, list->events, list->nlive);
  detach_all(call, list);
  mck_unlock();
  mck_wait_begin(call->event);
}

void mck_waitall_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  struct list *list = call->scratch;
  mck_lock();
  uint32_t site = list ? mck_call_site(call) : MCK_NONE;
  struct mck_buffer_release ending = {0};
  for (int k = 0, n = list ? list->nlive : 0; k < n; k++) {
    int i = list->live[k];
    struct mck_request *r = list->requests[i];
    enum { AHEAD = 8 }; // the library has used the cache; the processor's own reordering reaches three requests only
    const struct mck_request *ahead = list->requests[list->live[k + AHEAD < n ? k + AHEAD : k]];
    __builtin_prefetch(ahead, 1), __builtin_prefetch(&ahead->buffers[0], 1), __builtin_prefetch(&ahead->buffers[1], 1);
    if (MCK_UNLIKELY(rc != MPI_SUCCESS)) break;
    if (r && r->is_active && !mck_complete_plain(call, r, site, &ending)) mck_complete_end(call, r, status_of(a, i));
  }
  mck_buffer_release_flush(&ending);
  if (MCK_UNLIKELY(rc != MPI_SUCCESS)) end_failed(call, a, list, rc, MCK_WAIT_ALL);
  attach_unfinished(list);
  mck_unlock();
  end(call);
}

static void listed_in_vain(const struct mck_call *call, const struct mck_args *a, const struct list *list,
                           bool is_all) {
  const MPI_Request *variables = mck_call_variable(call, a->requests, 0);
  if (mck_poll_is_worth(call))
    mck_poll_list(call, list->handles, variables, call->variables ? sizeof *call->variables : sizeof *variables,
                  list->n, is_all);
}

void mck_testall_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  begin(call, a, false);
}
void mck_testall_after(struct mck_call *call, struct mck_args *a, int rc) {
  struct list *list = call->scratch;
  if (rc == MPI_SUCCESS && list && *a->flag) {
    look_up(call, list, a);
    log_done(call, list, NULL, list->n);
    for (int i = 0; i < list->n; i++) mck_complete_end(call, list->requests[i], status_of(a, i));
  } else if (rc == MPI_SUCCESS && list) listed_in_vain(call, a, list, true);
  else end_failed(call, a, list, rc, MCK_WAIT_ALL);
  mck_unlock();
  end(call);
}

// The request that a wait has looked up before the call (it may have been detached since), or the request of a test's
// handle.
static struct mck_request *listed(struct mck_call *call, struct list *list, struct mck_args *a, int i) {
  struct mck_request *r = list->requests[i];
  return r && r->is_detached
             ? r
             : mck_complete_find(call, array_name, list->handles[i], mck_call_variable(call, a->requests, i));
}

static void one_done(struct mck_call *call, struct mck_args *a) {
  struct list *list = call->scratch;
  int i = a->index ? *a->index : MPI_UNDEFINED;
  if (!list || i == MPI_UNDEFINED || i < 0 || i >= list->n) return;
  if (MCK_UNLIKELY(mck_content_is_on)) i = mck_content_index(call, a, list->handles, list->n, i);
  struct mck_request *r = listed(call, list, a, i);
  if (r && r->is_active) {
    mck_complete_log_one(call, MCK_EV_DONE, r);
    mck_complete_end(call, r, a->status);
  }
}

void mck_waitany_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  struct list *list = begin(call, a, true);
  if (list) call->event = mck_complete_log(call, MCK_EV_WAIT, MCK_WAIT_ANY, list->events, list->nlive);
  detach_all(call, list);
  if (a->status == MPI_STATUS_IGNORE) a->status = &call->status;
  mck_unlock();
  mck_wait_begin(call->event);
}
void mck_waitany_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  mck_lock();
  if (MCK_UNLIKELY(rc != MPI_SUCCESS)) end_failed(call, a, call->scratch, rc, MCK_WAIT_ANY);
  else one_done(call, a);
  attach_unfinished(call->scratch);
  mck_unlock();
  end(call);
}

void mck_testany_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  begin(call, a, false);
  if (a->status == MPI_STATUS_IGNORE) a->status = &call->status;
}
void mck_testany_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc != MPI_SUCCESS) end_failed(call, a, call->scratch, rc, MCK_WAIT_ANY);
  else if (*a->flag) one_done(call, a);
  else if (call->scratch) listed_in_vain(call, a, call->scratch, false);
  mck_unlock();
  end(call);
}

static void some_done(struct mck_call *call, struct mck_args *a, int rc) {
  struct list *list = call->scratch;
  if (rc != MPI_SUCCESS) end_failed(call, a, list, rc, MCK_WAIT_SOME);
  if (rc != MPI_SUCCESS || !list || *a->outcount == MPI_UNDEFINED || *a->outcount <= 0) return;
  int *repaired = MCK_UNLIKELY(mck_content_is_on) ? mck_content_indices(call, a, list->handles, list->n) : NULL;
  const int *indices = repaired ? repaired : a->indices;
  for (int k = 0; k < *a->outcount; k++) list->requests[indices[k]] = listed(call, list, a, indices[k]);
  log_done(call, list, indices, *a->outcount);
  for (int k = 0; k < *a->outcount; k++) mck_complete_end(call, list->requests[indices[k]], status_of(a, k));
  free(repaired);
}

void mck_waitsome_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  struct list *list = begin(call, a, true);
  if (list) call->event = mck_complete_log(call, MCK_EV_WAIT, MCK_WAIT_SOME, list->events, list->nlive);
  detach_all(call, list);
  mck_unlock();
  mck_wait_begin(call->event);
}
void mck_waitsome_after(struct mck_call *call, struct mck_args *a, int rc) {
  mck_wait_end();
  mck_lock();
  some_done(call, a, rc);
  attach_unfinished(call->scratch);
  mck_unlock();
  end(call);
}
void mck_testsome_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  begin(call, a, false);
}
void mck_testsome_after(struct mck_call *call, struct mck_args *a, int rc) {
  some_done(call, a, rc);
  if (rc == MPI_SUCCESS && call->scratch && *a->outcount == 0) listed_in_vain(call, a, call->scratch, false);
  mck_unlock();
  end(call);
}
