// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs make storms of puts, gets, accumulates and flushes that differ in little. The usual way through the checks
// by role costs several times what the library needs for a put to a neighbour on its node. So one look asks for what is
// plain: the window and the datatype that were used last, a target within an epoch that lets it in, equal counts on
// both sides, a buffer that lies where the last one lay and in no window. Only where it says no are the checks made one
// by one (rma-call.c), with the same events and the same findings.
#include "record/buffer/buffer-bytes.h"
#include "record/call/call-args.h"
#include "record/call/call-begin.h"
#include "record/call/call-class.h"
#include "record/call/call-event.h"
#include "record/call/stack.h"
#include "record/rma/epoch.h"
#include "record/rma/operation-buffer.h"
#include "record/rma/own-target.h"
#include "record/rma/plain-operation.h"
#include "record/rma/repeated-events.h"
#include "record/rma/window-buffer.h"
#include "record/rma/window-lifetime.h"
#include "record/runtime.h"

// The words of MPI_Put, MPI_Get and MPI_Accumulate, and of MPI_Win_flush and MPI_Win_flush_local, in the order of their
// parameters.
enum { ADDRESS, COUNT, TYPE, TARGET, DISP, TARGET_COUNT, TARGET_TYPE, WIN };
enum { ACCUMULATE_OP = WIN, ACCUMULATE_WIN };
enum { FLUSH_TARGET, FLUSH_WIN };

static inline struct mck_window *find_window(uint64_t win) {
  struct mck_window *w = mck_rt.is_followed ? NULL : mck_window_last;
  bool is_plain = w && w->object.handle == win && !w->object.is_freed && !w->object.is_adopted;
  return MCK_LIKELY(is_plain && w->object.id != MCK_NONE) ? w : NULL;
}

static inline struct mck_type *find_type(const uint64_t *given) {
  struct mck_type *t = mck_type_last;
  bool is_last = t->object.handle == given[TYPE] && t->object.handle == given[TARGET_TYPE];
  return MCK_LIKELY(is_last && mck_type_is_plain(t) && !(given[ADDRESS] & t->misaligned)) ? t : NULL;
}

// Under the lock. Leaves the buffer in the call, which is not entered yet.
static inline struct mck_window *look(struct mck_call *call, const uint64_t *given, uint64_t win, unsigned flags) {
  struct mck_window *w = find_window(win);
  struct mck_type *t = w ? find_type(given) : NULL;
  int64_t count = (int64_t)given[COUNT];
  const char *address = (const char *)given[ADDRESS];
  if (MCK_UNLIKELY(!t) || count <= 0 || given[COUNT] != given[TARGET_COUNT] || (int64_t)given[DISP] < 0) return NULL;
  int target = (int)given[TARGET];
  if (MCK_UNLIKELY(!mck_epoch_lets_in(w, target)) || (void *)address == MPI_IN_PLACE) return NULL;
  if (target == mck_epoch_rank(w) && MCK_UNLIKELY(w->flavor == MPI_WIN_FLAVOR_DYNAMIC || !t->is_dense)) return NULL;
  struct mck_use *u = &call->uses[0];
  u->address = address, u->count = count, u->element = t, u->is_written = flags & MCK_USE_WRITTEN;
  call->nuses = 1;
  return w;
}

// The memory of a buffer that is in use for an operation of the same place was looked at when it began.
static inline struct mck_buffer *find_buffer(const struct mck_call *call, const struct mck_window *w, uint32_t site,
                                             uint16_t fn) {
  const struct mck_use *u = &call->uses[0];
  return u->element->is_dense ? mck_operation_find(w, u, site, fn) : NULL;
}
static inline bool lies_known(const struct mck_use *u, const struct mck_buffer *b, unsigned flags) {
  if (!b && MCK_UNLIKELY(!mck_use_is_known(u->address, u->count, u->element, flags))) return false;
  return mck_window_buffer_is_outside(u->address, u->address + u->count * u->element->extent);
}

static inline __attribute__((always_inline)) bool begin(struct mck_call *call, uint16_t fn, const uint64_t *given,
                                                        const void *pc, const void *frame, uint8_t kind, uint8_t op,
                                                        unsigned flags) {
  if (!mck_plain_may_enter(frame)) return false;
  mck_lock();
  struct mck_window *w = look(call, given, given[kind == MCK_EV_ACC ? ACCUMULATE_WIN : WIN], flags);
  uint32_t site = w ? mck_stack_site(pc, frame) : MCK_NONE;
  const struct mck_use *u = &call->uses[0];
  struct mck_buffer *b = w ? find_buffer(call, w, site, fn) : NULL;
  if (MCK_UNLIKELY(!w || !lies_known(u, b, flags | MCK_USE_KEPT))) {
    mck_unlock();
    return false;
  }
  mck_plain_enter(call, fn, pc, frame);
  call->given = given, call->site = site, call->scratch = w, call->buffer = b;
  mck_windows_before_repeatable();
  if (MCK_LIKELY(mck_rt.is_ready))
    call->event = mck_repeated_put(mck_operation_unit(kind, op, fn, site, w->object.id, (int)given[TARGET], given[DISP],
                                                      (uint32_t)u->count, u->element->object.id),
                                   false);
  mck_unlock();
  mck_wait_begin_plain(mck_repeated_is_out() ? MCK_NONE : call->event);
  return true;
}

MCK_HOT bool mck_plain_put_begin(struct mck_call *call, uint16_t fn, const uint64_t *given, const void *pc,
                                 const void *frame) {
  return begin(call, fn, given, pc, frame, MCK_EV_PUT, 0, 0);
}
MCK_HOT bool mck_plain_get_begin(struct mck_call *call, uint16_t fn, const uint64_t *given, const void *pc,
                                 const void *frame) {
  return begin(call, fn, given, pc, frame, MCK_EV_GET, 0, MCK_USE_WRITTEN);
}
MCK_HOT bool mck_plain_accumulate_begin(struct mck_call *call, uint16_t fn, const uint64_t *given, const void *pc,
                                        const void *frame) {
  uint32_t op = mck_op_number((MPI_Op)(uintptr_t)given[ACCUMULATE_OP]);
  bool is_own = op != MCK_OP_NONE && op != MCK_OP_USER && op != MCK_OP_NO_OP; // of MPI, and reads the buffer
  return is_own && begin(call, fn, given, pc, frame, MCK_EV_ACC, (uint8_t)op, 0);
}

typedef void after(struct mck_call *call, struct mck_args *a, int rc);
static __attribute__((noinline, cold)) void fail(struct mck_call *call, after *after, int target, uint64_t win,
                                                 int rc) {
  struct mck_args a = {.target = target, .win = (MPI_Win)(uintptr_t)win, .root = -1000};
  after(call, &a, rc);
  mck_call_leave(call, &a, rc);
}

static inline __attribute__((always_inline)) void end(struct mck_call *call, const uint64_t *given, uint64_t win,
                                                      int rc, after *after) {
  if (MCK_UNLIKELY(rc != MPI_SUCCESS || call->event == MCK_NONE)) {
    fail(call, after, (int)given[TARGET], win, rc);
    return;
  }
  mck_wait_end_plain();
  mck_lock();
  if (MCK_LIKELY(call->buffer != NULL)) mck_operation_repeat(call, call->buffer, (int)given[TARGET]);
  else mck_operation_begin(call, (int)given[TARGET], call->scratch);
  if ((int)given[TARGET] == mck_epoch_rank(call->scratch)) mck_own_target_begin_plain(call, call->scratch, given[DISP]);
  mck_unlock();
  mck_plain_leave();
}
MCK_HOT void mck_plain_put_end(struct mck_call *call, const uint64_t *given, int rc) {
  end(call, given, given[WIN], rc, mck_put_after);
}
MCK_HOT void mck_plain_get_end(struct mck_call *call, const uint64_t *given, int rc) {
  end(call, given, given[WIN], rc, mck_get_after);
}
MCK_HOT void mck_plain_accumulate_end(struct mck_call *call, const uint64_t *given, int rc) {
  end(call, given, given[ACCUMULATE_WIN], rc, mck_acc_after);
}

// --- flush ---
MCK_HOT bool mck_plain_flush_begin(struct mck_call *call, uint16_t fn, const uint64_t *given, const void *pc,
                                   const void *frame) {
  if (!mck_plain_may_enter(frame)) return false;
  mck_lock();
  struct mck_window *w = find_window(given[FLUSH_WIN]);
  if (MCK_UNLIKELY(!w || !mck_epoch_is_locked(w, (int)given[FLUSH_TARGET]))) {
    mck_unlock();
    return false;
  }
  mck_plain_enter(call, fn, pc, frame);
  call->given = given, call->scratch = w;
  mck_lifetime_check(call, w);
  uint32_t site = mck_call_site(call);
  mck_windows_before_repeatable();
  if (MCK_LIKELY(mck_rt.is_ready))
    call->event = mck_repeated_put(
        mck_sync_unit(MCK_EV_SYNC, 0, fn, site, w->object.id, (int)given[FLUSH_TARGET], 0, 0), true);
  mck_unlock();
  mck_wait_begin_plain(mck_repeated_is_out() ? MCK_NONE : call->event);
  return true;
}

MCK_HOT void mck_plain_flush_end(struct mck_call *call, const uint64_t *given, int rc) {
  if (MCK_UNLIKELY(rc != MPI_SUCCESS || call->special)) { // special: the check has reported something
    fail(call, mck_rma_sync_after, (int)given[FLUSH_TARGET], given[FLUSH_WIN], rc);
    return;
  }
  mck_wait_end_plain();
  mck_lock();
  mck_window_complete(call->scratch, (int)given[FLUSH_TARGET], call);
  mck_unlock();
  mck_plain_leave();
}
