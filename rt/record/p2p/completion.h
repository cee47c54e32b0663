// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What completions of one request and of arrays share (completion.c, completion-array.c; private to them). Under the
// lock.
#pragma once
#include "log/event.h"
#include "object/object.h"
#include "record/buffer/buffer-lifetime.h"
#include "record/buffer/buffer-release.h"
#include "record/call/call.h"

// The request behind a handle that is being completed; what: the parameter's name.
struct mck_request *mck_complete_find(struct mck_call *call, const char *what, MPI_Request handle,
                                      const MPI_Request *at);
// While a thread is in a blocking completion, the library frees the handle at an unknown moment. Another thread may
// then get the same handle for a new request before we look again. So the waiting thread takes its requests out of the
// table (detach). attach: the request did not complete.
void mck_complete_detach(struct mck_call *call, struct mck_request *request);
void mck_complete_attach(struct mck_request *request);
// The operation is complete: its buffers are free, its match is known, and the request is removed unless it is
// persistent. NULL and inactive requests are left alone.
void mck_complete_end(struct mck_call *call, struct mck_request *request, const MPI_Status *status);
// The same for the usual request, which only has to be marked complete. false: more must be done.
static inline bool mck_complete_plain(const struct mck_call *call, struct mck_request *r, uint32_t site,
                                      struct mck_buffer_release *ending) {
  if (MCK_UNLIKELY(r->is_special || r->used == 3 || mck_options.hash_sends) || mck_buffer_is_below(call, r))
    return false;
  if (MCK_LIKELY(r->used) && !mck_buffer_release_add(ending, &r->buffers[r->used - 1])) return false;
  r->is_active = false, r->is_freed = true, r->free_site = site;
  return true;
}
// WAIT or DONE over the n requests of these events; of one request. The event's index, or MCK_NONE.
uint32_t mck_complete_log(struct mck_call *call, uint8_t kind, uint8_t flags, const uint32_t *events, int n);
uint32_t mck_complete_log_one(struct mck_call *call, uint8_t kind, const struct mck_request *request);
static inline uint32_t mck_complete_event(const struct mck_request *r) {
  return r && r->is_active ? r->event : MCK_NONE;
}
