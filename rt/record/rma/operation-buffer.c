// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local buffers of RMA operations. They are in use until the operation is complete at its origin (MPI-3.1 11.3): by a
// synchronization of its window for its target (11.5), or by its request (11.3.5). A loop may put the same bytes again
// and again. One entry is enough for them: until the epoch ends they differ in nothing but their targets.
#include <stdlib.h>
#include "record/buffer/byte-overlap.h"
#include "record/rma/operation-buffer.h"
#include "record/buffer/buffer-in-use.h"
#include "record/buffer/buffer-lifetime.h"
#include "record/call/call-object.h"
#include "record/call/stack.h"
#include "record/rma/epoch.h"
#include "record/rma/local-race.h"
#include "record/rma/own-target.h"
#include "record/rma/own-target-list.h"
#include "record/rma/parked-buffer.h"
#include "record/runtime.h"

// The last entries, by address and place: the buffers of a loop's body.
enum { RECENT_BITS = 10 };
static struct mck_buffer *recent[1 << RECENT_BITS], *spare;

static inline struct mck_buffer **recent_of(const void *address, uint32_t site) {
  return &recent[((uintptr_t)address + site) * 0x9e3779b97f4a7c15u >> (64 - RECENT_BITS)];
}

// One bit may stand for several targets of a large window. To synchronize one of them ends all: of what may be complete
// nothing is claimed.
static inline uint64_t bit_of(int target) { return (uint64_t)1 << ((unsigned)target % 64); }

static inline void set_target(struct mck_buffer *b, int target) {
  b->target = target, b->is_of_several = b->is_compared = false;
}

struct mck_buffer *mck_operation_take(struct mck_window *w, int target) {
  enum {
    BATCH = 128
  }; // many at once: small blocks of ours among the program's would pull those apart (object/plain-object.c)
  if (MCK_UNLIKELY(!spare)) {
    struct mck_buffer *batch = calloc(BATCH, sizeof *batch);
    for (int i = 0; batch && i < BATCH; i++) batch[i].next = spare, spare = &batch[i];
  }
  struct mck_buffer *b = spare;
  if (!b) return NULL;
  spare = b->next; // its range may still be linked (range-set.h)
  b->window = w, b->is_pooled = true, b->is_target = b->is_late = b->is_parked = false, b->hash = 0,
  b->targets = bit_of(target);
  set_target(b, target);
  return b;
}

void mck_operation_give_back(struct mck_buffer *b) {
  if (MCK_UNLIKELY(b->is_target)) mck_own_target_end();
  b->next = spare, spare = b;
}

void mck_operation_forget_addresses(void) {
  for (struct mck_buffer *b = spare; b; b = b->next) mck_buffer_forget_address(b);
  mck_own_target_forget_addresses();
}

// Whether the entry is of this buffer. It may have been given back since.
static inline bool is_of(const struct mck_buffer *l, const struct mck_window *w, const struct mck_use *u, uint32_t site,
                         uint16_t fn) {
  const struct mck_type *t = u->element;
  bool is_same = l && l->address == u->address && l->count == u->count && l->window == w && l->site == site &&
                 l->fn == fn && l->is_written == u->is_written && l->is_pooled && !l->is_target;
  return is_same && l->type == (t->is_dense ? NULL : t) && l->generation == t->generation &&
         (!t->is_dense || l->high - l->low == u->count * t->extent);
}

MCK_HOT struct mck_buffer *mck_operation_find(const struct mck_window *w, const struct mck_use *u, uint32_t site,
                                              uint16_t fn) {
  struct mck_buffer *l = *recent_of(u->address, site);
  return l && l->range.is_listed && is_of(l, w, u, site, fn) ? l : NULL;
}

MCK_HOT void mck_operation_repeat(const struct mck_call *call, struct mck_buffer *b, int target) {
  if (b->target != target) b->is_of_several = true;
  b->targets |= bit_of(target);
  if (MCK_UNLIKELY(b->is_written)) {
    struct mck_bytes bytes = mck_bytes_of_buffer(b);
    mck_local_race_between((struct mck_local_use){b->site, call->fn, true, true, false, &bytes}, b);
  } else if (MCK_UNLIKELY(mck_range_set_has_written() || mck_own_target_is_near((uintptr_t)b->low, (uintptr_t)b->high)))
    mck_overlap_look(b);
}

static inline void begin(struct mck_call *call, struct mck_window *w, int target, const struct mck_use *u) {
  uint32_t site = mck_call_site(call);
  struct mck_buffer **slot = recent_of(u->address, site), *l = *slot;
  if (MCK_LIKELY(l && (l->range.is_listed || l->is_parked) && is_of(l, w, u, site, call->fn))) {
    if (l->range.is_listed) {
      mck_operation_repeat(call, l, target);
      return;
    }
    if (mck_parked_take(l)) {
      l->targets = bit_of(target), l->target = target, l->is_of_several = false;
      mck_buffer_revive(l);
      mck_buffer_keep_frame(call, l);
      return;
    }
  }
  struct mck_buffer *b = mck_operation_take(w, target);
  if (!b) return;
  mck_buffer_begin(b, u->address, u->count, u->element, u->is_written, site, call->fn);
  if (!b->is_active) {
    mck_operation_give_back(b);
    return;
  }
  b->is_compared = u == &call->uses[1] && mck_std(call->fn)->access == MCK_STD_ACCESS_COMPARE_AND_SWAP;
  mck_buffer_keep_frame(call, b);
  *slot = b;
}

// Operations that fetch and change have up to three buffers, which the wrapper has named: those that count, so not the
// origin of MPI_NO_OP (11.3.4).
static inline bool has_names(uint16_t fn) {
  return mck_std_is_fetching(fn) && mck_std(fn)->access != MCK_STD_ACCESS_GET;
}

void mck_operation_name(struct mck_call *call, const struct mck_args *a) {
  if (has_names(call->fn)) return;
  bool is_get = mck_std_is_fetching(call->fn);
  struct mck_use *u = &call->uses[0];
  u->address = is_get ? a->recvbuf : a->sendbuf, u->count = is_get ? a->recvcount : a->sendcount;
  u->is_written = is_get;
  u->element = u->count > 0 ? mck_call_type(call, is_get ? a->recvtype : a->sendtype) : NULL;
  call->nuses = u->element && (MCK_LIKELY(u->address != NULL) || u->element->has_addresses); // address 0: MPI_BOTTOM
}

void mck_operation_begin(struct mck_call *call, int target, struct mck_window *w) {
  for (unsigned i = 0; i < call->nuses; i++) begin(call, w, target, &call->uses[i]);
}

void mck_operation_begin_request(struct mck_call *call, const struct mck_args *a, struct mck_window *w,
                                 struct mck_request *r) {
  for (unsigned i = 0; i < call->nuses; i++) {
    const struct mck_use *u = &call->uses[i];
    struct mck_buffer *b = mck_request_buffer(r, u->is_written, w);
    set_target(b, a->target);
    mck_buffer_begin(b, u->address, u->count, u->element, u->is_written, r->site, call->fn);
    if (b->is_active) mck_buffer_keep_frame(call, b);
  }
}

// A synchronization for one target leaves the buffer in use if other operations from it have other targets.
static inline bool is_left(struct mck_buffer *b, int target) {
  if (target < 0) return false;
  if (!b->is_of_several) return b->target != target;
  b->targets &= ~bit_of(target);
  return b->targets != 0;
}

static inline void complete(struct mck_buffer *first, int target, struct mck_call *call) {
  for (struct mck_buffer *b = first, *next; b; b = next) {
    next = b->next;
    if (is_left(b, target)) continue;
    if (MCK_UNLIKELY(mck_buffer_may_be_left(call, b))) mck_buffer_check_left(call, b);
    if (MCK_UNLIKELY(mck_nlocal_races)) mck_local_race_end(b, mck_call_site(call), call->fn);
    if (MCK_LIKELY(mck_parked_add(b))) continue;
    if (!b->is_pooled) b->own_target = NULL; // it is in this list, too
    mck_buffer_end(b);
    if (b->is_pooled) mck_operation_give_back(b);
  }
}

void mck_operation_end_target(struct mck_buffer *target) {
  mck_buffer_end(target);
  mck_operation_give_back(target);
}

void mck_window_complete(struct mck_window *w, int target, struct mck_call *call) {
  bool is_end = call->fn == MCK_FN_MPI_Win_free, is_own = target < 0 || target == mck_epoch_rank(w);
  if (is_end || mck_std_does(call->fn, MCK_STD_EPOCH_COMPLETES_ORIGIN)) {
    complete(w->buffers, target, call);
    if (is_own) mck_own_target_complete(w, false);
  }
  if (is_end || mck_std_does(call->fn, MCK_STD_EPOCH_COMPLETES_TARGET)) {
    if (MCK_UNLIKELY(w->targets)) complete(w->targets, target, call);
    if (is_own) mck_own_target_complete(w, true);
  }
  if (is_end) mck_own_target_end_lists(w);
}
