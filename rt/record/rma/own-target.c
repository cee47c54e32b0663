// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation whose target is its own process, on bytes that are the buffer of another operation of this process:
// buffers may lie in window memory. MPI reads or writes the bytes meanwhile, so that is like a store or load of the
// program (MPI-3.1 11.3, 11.7). Either of the two may come first. What an operation brings back has been at its target
// when it is complete at its origin; what it only writes is there when it is complete at its target (11.5). Loops that
// put a process's own part to everybody, itself included, copy bytes to where they are: an operation with a buffer of
// its own among its target bytes is left out.
#include "record/rma/own-target.h"
#include "record/buffer/buffer-in-use.h"
#include "record/call/call-object.h"
#include "record/call/stack.h"
#include "record/rma/epoch.h"
#include "record/rma/operation-buffer.h"
#include "record/rma/own-target-list.h"
#include "record/runtime.h"

enum { RECENT_BITS = 8 };
static unsigned nentered;
static struct mck_buffer *recent[1 << RECENT_BITS]; // the last ones entered

static bool is_writing(const struct mck_call *call, const struct mck_args *a) {
  return mck_std(call->fn)->access != MCK_STD_ACCESS_GET &&
         (mck_std(call->fn)->access == MCK_STD_ACCESS_COMPARE_AND_SWAP || mck_op_number(a->op) != MCK_OP_NO_OP);
}

static bool is_beside(const struct mck_call *call, const struct mck_buffer *target) {
  for (unsigned i = 0; i < call->nuses; i++) {
    const struct mck_use *u = &call->uses[i];
    struct mck_buffer own;
    if (u->count <= 0) continue;
    if (MCK_LIKELY(u->element && u->element->is_dense)) {
      const char *low = u->address;
      if (low < target->high && target->low < low + u->count * u->element->extent) return false;
      continue;
    }
    bool is_known = mck_buffer_define(&own, u->address, u->count, u->element, u->is_written, call->fn);
    if (!is_known || (own.low < target->high && target->low < own.high)) return false;
  }
  return true;
}

static bool is_repeated(const struct mck_buffer *l, const struct mck_window *w, const struct mck_own_target *t) {
  bool is_same = l && l->range.is_listed && l->is_target && l->is_pooled && l->low == t->low && l->high == t->high;
  return is_same && l->address == t->address && l->count == t->count && l->type == t->type &&
         l->generation == t->generation && l->window == w && l->site == t->site && l->fn == t->fn &&
         l->is_written == t->is_written;
}

void mck_own_target_end(void) { nentered--; }

static struct mck_buffer *enter(struct mck_window *w, const struct mck_own_target *t, bool is_late) {
  struct mck_buffer *b = nentered < MCK_OWN_TARGETS_MAX ? mck_operation_take(w, mck_epoch_rank(w)) : NULL;
  if (!b) return NULL;
  nentered++;
  b->low = t->low, b->high = t->high, b->address = t->address, b->count = t->count;
  b->type = t->type, b->generation = t->generation;
  b->is_written = t->is_written, b->is_marked = false, b->fn = t->fn;
  b->site = t->site, b->hash = 0, b->is_target = true, b->is_late = is_late;
  mck_buffer_begin_target(b);
  return b;
}

static void enter_listed(struct mck_window *w, const struct mck_own_target *t, bool is_late) {
  uintptr_t key = ((uintptr_t)t->address + t->site) * 0x9e3779b97f4a7c15u;
  struct mck_buffer **slot = &recent[key >> (64 - RECENT_BITS)], *b;
  if (!is_repeated(*slot, w, t) && (b = enter(w, t, is_late))) *slot = b;
}
void mck_own_target_enter_all(void) { mck_own_target_empty(enter_listed); }

// What brings something back with a request is complete with its result buffer.
static void enter_with_result(struct mck_window *w, const struct mck_own_target *t, struct mck_request *r) {
  struct mck_buffer *result = &r->buffers[1];
  if (r->used & 2 && result->is_active) result->own_target = enter(w, t, false);
}

static inline void begin(struct mck_window *w, const struct mck_own_target *t, struct mck_request *r) {
  bool is_late = !mck_std_is_fetching(t->fn);
  if (r && !is_late) enter_with_result(w, t, r);
  else mck_own_target_add(w, t, is_late);
}

static void look(struct mck_window *w, const struct mck_own_target *t) {
  struct mck_buffer target = {.address = t->address, .count = t->count, .type = t->type, .generation = t->generation};
  target.low = t->low, target.high = t->high, target.window = w;
  target.is_written = t->is_written, target.fn = t->fn, target.site = t->site;
  mck_overlap_look_at_target(&target);
}

// What goes beyond the window the judge says (rma.range).
static inline bool is_inside(const struct mck_window *w, const struct mck_own_target *t) {
  return w->flavor == MPI_WIN_FLAVOR_DYNAMIC || (t->low >= w->base && t->high <= w->base + w->size);
}

static inline bool may_meet(const struct mck_own_target *t) {
  return mck_range_set_may_meet((uintptr_t)t->low, (uintptr_t)t->high, t->is_written);
}

void mck_own_target_begin(struct mck_call *call, const struct mck_args *a, struct mck_window *w,
                          struct mck_request *r) {
  if (MCK_LIKELY(a->target != mck_epoch_rank(w)) || mck_rt.is_profiler) return;
  MPI_Datatype type = a->target_type ? a->target_type : a->type ? a->type : a->sendtype ? a->sendtype : a->recvtype;
  const struct mck_type *t = type ? mck_call_type(call, type) : NULL;
  bool is_dynamic = w->flavor == MPI_WIN_FLAVOR_DYNAMIC;
  int64_t offset, count = mck_std_is_single_element(call->fn) ? 1 : a->target_count;
  if (!t || __builtin_mul_overflow((int64_t)a->target_disp, is_dynamic ? 1 : w->disp_unit, &offset)) return;
  const char *base = is_dynamic ? NULL : w->base;
  const void *address = (const void *)((uintptr_t)base + (uintptr_t)offset);
  struct mck_buffer b = {0};
  if (!mck_buffer_define(&b, address, count, t, is_writing(call, a), call->fn) || b.low >= b.high) return;
  struct mck_own_target target = {.low = b.low, .high = b.high, .address = b.address, .count = b.count};
  target.type = b.type, target.generation = b.generation, target.site = mck_call_site(call);
  target.fn = b.fn, target.is_written = b.is_written;
  if (!is_inside(w, &target) || !is_beside(call, &b)) return;
  if (may_meet(&target)) look(w, &target);
  begin(w, &target, r);
}

MCK_HOT void mck_own_target_begin_plain(const struct mck_call *call, struct mck_window *w, uint64_t disp) {
  const struct mck_use *u = &call->uses[0];
  const struct mck_type *t = u->element;
  int64_t offset;
  if (mck_rt.is_profiler || __builtin_mul_overflow((int64_t)disp, w->disp_unit, &offset)) return;
  struct mck_own_target target = {.low = (const char *)((uintptr_t)w->base + (uintptr_t)offset)};
  target.high = target.low + u->count * t->extent, target.address = target.low, target.count = u->count;
  target.generation = t->generation, target.site = call->site;
  target.fn = call->fn, target.is_written = !u->is_written;
  if (!is_inside(w, &target)) return;
  if (MCK_UNLIKELY(may_meet(&target))) look(w, &target);
  mck_own_target_add(w, &target, !u->is_written);
}
