// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events of messages: sends, posted receives, probes. Private to the sub-room p2p. Under the lock.
#pragma once
#include "log/event.h"
#include "record/buffer/buffer-in-use.h"
#include "record/call/call-args.h"
#include "record/call/call-object.h"
#include "record/call/call.h"
#include "record/access/touched-range.h"
#include "record/object/new-request.h"
#include "record/replay/replay.h"
#include "record/rma/untrue-assertion.h"
#include "standard/matching.h"

uint8_t mck_message_mode(uint16_t fn); // of a send: MCK_FLAG_SYNC, _BUFFERED, _READY or 0
uint32_t mck_message_type_id(struct mck_call *call, MPI_Datatype type);

// Each logs one event and returns its index, or MCK_NONE. A message from or to MPI_PROC_NULL is not logged, nor is one
// whose arguments the library will refuse.
uint32_t mck_message_log_send(struct mck_call *call, uint8_t flags, const struct mck_args *a);
uint32_t mck_message_log_receive(struct mck_call *call, uint8_t flags, const struct mck_args *a);
uint32_t mck_message_log_probe(struct mck_call *call, uint8_t kind, uint8_t flags, const struct mck_args *a);
// A call that we found wrong is expected to be refused and has no event. The library carried it out all the same, so
// the other rank's log counts its message. Takes the lock.
__attribute__((cold)) uint32_t mck_message_log_late(struct mck_call *call, uint8_t kind, uint8_t flags,
                                                    const struct mck_args *a);

// For persistent requests: the event that is appended at each start. It is left alone where nothing is to be logged.
void mck_message_make(struct mck_event *e, struct mck_call *call, uint8_t kind, const struct mck_args *a);
uint32_t mck_message_append(struct mck_call *call, const struct mck_event *made);
void mck_message_unmake(uint32_t event); // the call failed: it took no part in matching

static inline bool mck_message_is_left_out(const struct mck_call *call, uint32_t event, int rc) {
  return MCK_UNLIKELY(call->nfindings) && event == MCK_NONE && rc == MPI_SUCCESS;
}

// --- receives ---
static inline bool mck_receive_is_wild(const struct mck_args *a) { // the tag is mostly not looked at: the hot path
  return mck_std_is_any_source(a->source) || mck_std_is_any_tag(a->recvtag);
}
// The decision of a rerun. A receive from MPI_PROC_NULL is in no log, so it has no number, whatever its tag is.
static inline uint8_t mck_receive_force(struct mck_args *a) {
  return MCK_UNLIKELY(mck_replay_is_on) && mck_receive_is_wild(a) && a->source != MPI_PROC_NULL ? mck_replay_force(a)
                                                                                                : 0;
}
// A wildcard receive needs its status even where the program ignores it.
static inline void mck_receive_want_status(struct mck_call *call, struct mck_args *a) {
  if (a->status == MPI_STATUS_IGNORE) a->status = &call->status;
}
bool mck_receive_is_truncated(int rc);
static inline bool mck_receive_has_match(int rc) { // the call took a message
  return MCK_LIKELY(rc == MPI_SUCCESS) || mck_receive_is_truncated(rc);
}
// The request of a receive whose event has just been logged; its buffer is in use from now on. Inline: it is on the way
// of each MPI_Irecv.
static inline __attribute__((always_inline)) void mck_receive_track(struct mck_call *call, struct mck_args *a,
                                                                    bool is_wild) {
  struct mck_request *r = mck_request_track(call, a->request, MCK_REQUEST_RECV);
  if (!r) return;
  r->event = call->event, r->is_active = true, r->is_wild = is_wild;
  if (MCK_LIKELY(!call->is_doubtful))
    mck_buffer_begin(mck_request_buffer(r, 1, NULL), a->recvbuf, a->recvcount, mck_call_type(call, a->recvtype), true,
                     call->site, call->fn);
  if (MCK_UNLIKELY(mck_nwindows)) mck_assertion_begin(r);
}
