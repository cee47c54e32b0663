// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests that a call made. A request that the call's variable still held is lost then; a request of a reused handle
// ended where we could not see it.
#include <stdlib.h>
#include <string.h>
#include "record/buffer/argument-array.h"
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/object/new-object.h"
#include "record/object/new-request.h"
#include "record/p2p/completed-request.h"
#include "record/p2p/request-threads.h"
#include "record/runtime.h"
#include "record/strand/strand-checks.h"

bool mck_request_skips_held;
void mck_request_find_valgrind(void) {
  const char *preload = getenv("LD_PRELOAD"); // Valgrind's tools are loaded so
  mck_request_skips_held = preload && strstr(preload, "vgpreload_");
}

struct mck_request *mck_request_held(const struct mck_call *call, const MPI_Request *at) {
  if (call->variables || mck_request_skips_held)
    return NULL; // Open MPI's Fortran binding does not pass what the variable held
  struct mck_request *r = at ? mck_request_find(*at, at) : NULL;
  return r && r->at == at && (r->is_active || r->is_persistent) ? r : NULL;
}

static void end_unseen(struct mck_request *r) {
  mck_request_end_buffers(r);
  mck_request_remove(r, MCK_NONE);
}

struct mck_request *mck_request_track(struct mck_call *call, MPI_Request *at, uint8_t kind) {
  const MPI_Request *variable = mck_call_variable(call, at, 0);
  struct mck_request *held = call->scratch, *entry = mck_request_entry(*at, variable),
                     *r = entry && !entry->is_freed ? entry : NULL;
  if (MCK_UNLIKELY(held != NULL) && (held->is_shared || held != r)) {
    mck_request_overwrite(held, mck_call_site(call));
    for (int i = 0; i < 2; i++)
      if (held->used >> i & 1 && !held->buffers[i].window) // an RMA operation ends with its epoch
        mck_range_set_remove(&held->buffers[i].range);     // no wait can name it now; the loss is one finding
    if (held->has_arrays) mck_arrays_end(held);
  }
  if (MCK_UNLIKELY(r != NULL)) { // the library gives the handle out again: the old operation ended unseen
    end_unseen(r);
    entry = mck_request_entry(*at, variable);
  }
  r = mck_request_add(*at, variable, entry);
  if (r) r->kind = kind, r->fn = call->fn, r->site = mck_call_site(call);
  if (mck_strands_are_several() && mck_is_locked()) mck_strand_request_posted(variable, *at), mck_strand_use_posted(r);
  return r;
}

void mck_request_untracked(const struct mck_call *call, const MPI_Request *at) {
  struct mck_request *r = mck_request_find(*at, mck_call_variable(call, at, 0));
  if (r) end_unseen(r);
  else if ((r = mck_request_find_freed(*at))) r->free_site = MCK_NONE;
  else mck_waited_forget(*at);
}

// Of operations that have no event: nothing is known of what ends them (MPI-3.1 12.2, 13.4).
void mck_grequest_before(struct mck_call *call, struct mck_args *a) {
  mck_lock();
  call->scratch = mck_rt.is_ready ? mck_request_held(call, a->request) : NULL;
  mck_unlock();
}

struct mck_request *mck_request_eventless(struct mck_call *call, struct mck_args *a, uint8_t kind) {
  if (!a->request || !mck_rt.is_ready || mck_request_is_shared(*a->request)) return NULL;
  if (mck_rt.is_multiple) call->scratch = NULL; // another thread may have ended it during the call
  struct mck_request *r = mck_request_track(call, a->request, kind);
  if (r) r->is_active = true;
  return r;
}

void mck_grequest_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc != MPI_SUCCESS) return;
  mck_lock();
  mck_request_eventless(call, a, MCK_REQUEST_GENERALIZED);
  mck_unlock();
}

void mck_known_request(MPI_Request value) {
  if (!mck_rt.is_ready) return;
  mck_lock();
  struct mck_request *r = mck_request_find_freed(value);
  if (r) r->free_site = MCK_NONE;
  mck_unlock();
}
