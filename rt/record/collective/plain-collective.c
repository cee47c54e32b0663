// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small collectives take some hundred nanoseconds, and iterative solvers make two in each step. One look asks for what
// is plain: the intracommunicator and the datatype that were used last, an operation of MPI's own, buffers that lie
// where the last ones lay, apart from each other and from those of pending operations, and no window. Only where it
// says no are the checks made one by one (collective.c), with the same events and the same findings.
#include "record/buffer/buffer-bytes.h"
#include "record/call/call-args.h"
#include "record/call/call-begin.h"
#include "record/call/call-class.h"
#include "record/call/call-event.h"
#include "record/call/stack.h"
#include "record/call/wait-mark.h"
#include "record/collective/plain-collective.h"
#include "record/access/touched-range.h"
#include "record/run/log-budget.h"
#include "record/runtime.h"

static inline const struct mck_comm *find_comm(uint64_t comm) {
  const struct mck_comm *c = mck_comm_last;
  bool is_plain = c->object.handle == comm && !c->object.is_freed && c->is_logged && !c->remote_size;
  return MCK_LIKELY(is_plain) && !mck_rt.is_followed ? c : NULL;
}

static inline const struct mck_type *find_type(uint64_t type, uint64_t count, uint64_t addresses) {
  const struct mck_type *t = mck_type_last;
  bool is_plain = t->object.handle == type && mck_type_is_plain(t) && !(addresses & t->misaligned);
  return MCK_LIKELY(is_plain && t->size > 0 && (int64_t)count > 0) && !mck_nwindows ? t : NULL;
}

static inline bool is_world(uint64_t comm) { return comm == (uint64_t)(uintptr_t)MPI_COMM_WORLD; }

static inline bool is_buffer(const void *buffer) { return buffer && buffer != MPI_IN_PLACE; }

static inline __attribute__((always_inline)) void enter(struct mck_call *call, uint16_t fn, const uint64_t *given,
                                                        const void *pc, const void *frame, uint8_t flags,
                                                        struct mck_message_words coll) {
  mck_plain_enter(call, fn, pc, frame);
  call->given = given;
  mck_lock();
  coll.site = mck_call_site(call);
  call->event = mck_event_put(call, MCK_EV_COLL, flags, coll);
  mck_unlock();
}

static __attribute__((noinline, cold)) void fail(struct mck_call *call, int rc) {
  struct mck_args a = {.root = -1000};
  mck_call_leave(call, &a, rc);
}

static inline void leave(struct mck_call *call, int rc) {
  if (MCK_UNLIKELY(rc != MPI_SUCCESS)) fail(call, rc);
  else mck_plain_leave();
}

// --- MPI_Barrier(comm) ---
MCK_HOT bool mck_plain_barrier_begin(struct mck_call *call, uint16_t fn, const uint64_t *given, const void *pc,
                                     const void *frame) {
  const struct mck_comm *c = mck_plain_may_enter(frame) ? find_comm(given[0]) : NULL;
  if (!c) return false;
  enter(call, fn, given, pc, frame, 0, mck_coll_words(c->object.id, -1, 0, MCK_NONE, 0));
  if (is_world(given[0])) mck_budget_enter_world();
  mck_wait_begin_plain(call->event);
  return true;
}
MCK_HOT void mck_plain_barrier_end(struct mck_call *call, const uint64_t *given, int rc) {
  mck_wait_end_plain();
  if (is_world(given[0])) mck_budget_leave_world();
  leave(call, rc);
}

// --- MPI_Bcast(buffer, count, datatype, root, comm) ---
MCK_HOT bool mck_plain_bcast_begin(struct mck_call *call, uint16_t fn, const uint64_t *given, const void *pc,
                                   const void *frame) {
  enum { BUFFER, COUNT, TYPE, ROOT, COMM };
  const struct mck_comm *c = mck_plain_may_enter(frame) ? find_comm(given[COMM]) : NULL;
  const struct mck_type *t = c ? find_type(given[TYPE], given[COUNT], given[BUFFER]) : NULL;
  const void *buffer = (const void *)given[BUFFER];
  if (!t || !is_buffer(buffer) || (unsigned)given[ROOT] >= (unsigned)c->size) return false;
  unsigned flags = MCK_USE_ONLY | ((int)given[ROOT] == c->rank ? 0 : MCK_USE_WRITTEN);
  if (!mck_use_is_known(buffer, (int64_t)given[COUNT], t, flags)) return false;
  enter(call, fn, given, pc, frame, MCK_COLL_SENDS | MCK_COLL_RECEIVES,
        mck_coll_words(c->object.id, (int)given[ROOT], 0, t->object.id, given[COUNT]));
  mck_wait_begin_plain(call->event);
  return true;
}
MCK_HOT void mck_plain_bcast_end(struct mck_call *call, const uint64_t *given, int rc) {
  (void)given;
  mck_wait_end_plain();
  leave(call, rc);
}

// --- MPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm) ---
MCK_HOT bool mck_plain_allreduce_begin(struct mck_call *call, uint16_t fn, const uint64_t *given, const void *pc,
                                       const void *frame) {
  enum { SEND, RECEIVE, COUNT, TYPE, OP, COMM };
  const struct mck_comm *c = mck_plain_may_enter(frame) ? find_comm(given[COMM]) : NULL;
  const struct mck_type *t = c ? find_type(given[TYPE], given[COUNT], given[SEND] | given[RECEIVE]) : NULL;
  uint32_t op = mck_op_number((MPI_Op)(uintptr_t)given[OP]);
  const void *send = (const void *)given[SEND], *receive = (const void *)given[RECEIVE];
  if (!t || op == MCK_OP_NONE || op == MCK_OP_USER || !is_buffer(send) || !is_buffer(receive)) return false;
  int64_t count = (int64_t)given[COUNT];
  if (!mck_use_two_are_known(send, receive, count, t)) return false;
  enter(call, fn, given, pc, frame, MCK_COLL_SENDS | MCK_COLL_RECEIVES,
        mck_coll_words(c->object.id, -1, op, t->object.id, given[COUNT]));
  if (is_world(given[COMM])) mck_budget_enter_world();
  mck_wait_begin_plain(call->event);
  return true;
}
MCK_HOT void mck_plain_allreduce_end(struct mck_call *call, const uint64_t *given, int rc) {
  mck_wait_end_plain();
  if (is_world(given[5])) mck_budget_leave_world();
  leave(call, rc);
}
