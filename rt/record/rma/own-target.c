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
#include "record/runtime.h"

enum { TARGETS_MAX = 4096, RECENT_BITS = 8 }; // of more at a time only the first ones are known
static unsigned ntargets;
static struct mck_buffer *recent[1 << RECENT_BITS]; // the last ones: a loop may put to the same bytes again

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

static bool is_repeated(const struct mck_buffer *l, const struct mck_buffer *b) {
  bool is_same = l && l->range.is_listed && l->is_target && l->is_pooled && l->low == b->low && l->high == b->high;
  return is_same && l->address == b->address && l->count == b->count && l->type == b->type &&
         l->generation == b->generation && l->window == b->window && l->site == b->site && l->fn == b->fn &&
         l->is_written == b->is_written;
}

void mck_own_target_end(void) { ntargets--; }

static struct mck_buffer *take(const struct mck_call *call, const struct mck_buffer *target, int rank,
                               struct mck_request *r) {
  if (ntargets == TARGETS_MAX) return NULL;
  if (r && mck_std_is_fetching(call->fn)) { // the request completes it with the result buffer
    struct mck_buffer *result = &r->buffers[1];
    bool is_open = r->used & 2 && result->is_active;
    if (is_open && (result->own_target = mck_operation_take(target->window, rank))) ntargets++;
    return is_open ? result->own_target : NULL;
  }
  uintptr_t key = ((uintptr_t)target->address + target->site) * 0x9e3779b97f4a7c15u;
  struct mck_buffer **slot = &recent[key >> (64 - RECENT_BITS)];
  if (is_repeated(*slot, target)) return NULL;
  struct mck_buffer *b = mck_operation_take(target->window, rank);
  if (b) ntargets++, *slot = b;
  return b;
}

static void begin(const struct mck_call *call, const struct mck_buffer *target, int rank, struct mck_request *r) {
  struct mck_buffer *b = take(call, target, rank, r);
  if (!b) return;
  b->low = target->low, b->high = target->high, b->address = target->address, b->count = target->count;
  b->type = target->type, b->generation = target->generation;
  b->is_written = target->is_written, b->is_marked = false, b->fn = target->fn;
  b->site = target->site, b->hash = 0, b->is_target = true, b->is_late = !mck_std_is_fetching(call->fn);
  mck_buffer_begin_target(b);
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
  struct mck_buffer target = {0};
  if (!mck_buffer_define(&target, address, count, t, is_writing(call, a), call->fn)) return;
  // What goes beyond the window the judge says (rma.range).
  if (target.low >= target.high || (!is_dynamic && (target.low < base || target.high > base + w->size))) return;
  target.window = w, target.site = mck_call_site(call);
  if (!is_beside(call, &target)) return;
  if (mck_range_set_size) mck_overlap_look_at_target(&target);
  begin(call, &target, a->target, r);
}
