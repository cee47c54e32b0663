// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The event of a call in the log. Under the lock where several threads may be in MPI.
#pragma once
#include "log/event.h"
#include "log/log-repeat.h"
#include "record/access/range-flush.h"
#include "record/call/call.h"
#include "record/runtime.h"

// The site of the call may have to be defined first, which appends to the log: take it before mck_event_begin.
static inline struct mck_event *mck_event_begin(struct mck_call *call, uint8_t kind, uint8_t flags) {
  mck_windows_before_event();
  struct mck_event *e = mck_rt.is_ready ? mck_log_reserve(&mck_rt.log, 1) : NULL;
  if (MCK_LIKELY(e != NULL)) e->kind = kind, e->flags = flags, e->fn = call->fn;
  return e;
}
// The event of a message or of a collective. It may repeat one that the log has: then nothing is written
// (log/log-repeat.h).
struct mck_message_words {
  uint32_t site, comm;
  int32_t peer, tag;
  uint32_t type;
  uint64_t count;
};
static inline struct mck_message_words mck_coll_words(uint32_t comm, int32_t root, uint32_t op, uint32_t type,
                                                      uint64_t count) {
  _Static_assert(offsetof(struct mck_event, msg.peer) == offsetof(struct mck_event, coll.root) &&
                     offsetof(struct mck_event, msg.tag) == offsetof(struct mck_event, coll.op) &&
                     offsetof(struct mck_event, msg.type) == offsetof(struct mck_event, coll.type) &&
                     offsetof(struct mck_event, msg.count) == offsetof(struct mck_event, coll.count),
                 "both are laid out alike");
  return (struct mck_message_words){MCK_NONE, comm, root, (int32_t)op, type, count};
}
static inline __attribute__((always_inline)) uint32_t mck_event_put(const struct mck_call *call, uint8_t kind,
                                                                    uint8_t flags, struct mck_message_words m) {
  mck_windows_before_event();
  if (MCK_UNLIKELY(!mck_rt.is_ready)) return MCK_NONE;
  return mck_log_put(&mck_rt.log, (struct mck_unit){{mck_unit_begin(kind, flags, call->fn, m.site),
                                                     mck_unit_pair(m.comm, (uint32_t)m.peer),
                                                     mck_unit_pair((uint32_t)m.tag, m.type), m.count}});
}
void mck_event_plain(struct mck_call *call); // function and site, nothing more
