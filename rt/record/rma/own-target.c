// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation whose target is its own process, on bytes that are the origin or result buffer of an operation that is
// not complete at its origin: buffers may lie in window memory. MPI reads or writes the buffer meanwhile, so that is
// like a store or load of the program (MPI-3.1 11.3, 11.7). Loops that put a process's own part to everybody, itself
// included, copy bytes to where they are: an operation with a buffer of its own among its target bytes is left out.
#include "record/rma/own-target.h"
#include "record/buffer/buffer-in-use.h"
#include "record/call/call-object.h"
#include "record/call/stack.h"
#include "record/rma/epoch.h"
#include "record/runtime.h"

static bool is_writing(const struct mck_call *call, const struct mck_args *a) {
  return mck_std(call->fn)->access != MCK_STD_ACCESS_GET &&
         (mck_std(call->fn)->access == MCK_STD_ACCESS_COMPARE_AND_SWAP || a->op != MPI_NO_OP);
}

static bool is_beside(const struct mck_call *call, const struct mck_buffer *target) {
  for (unsigned i = 0; i < call->nuses; i++) {
    const struct mck_use *u = &call->uses[i];
    struct mck_buffer own = {0};
    if (u->count <= 0) continue;
    bool is_known = mck_buffer_define(&own, u->address, u->count, u->element, u->is_written, call->fn);
    if (!is_known || (own.low < target->high && target->low < own.high)) return false;
  }
  return true;
}

void mck_own_target_check(struct mck_call *call, const struct mck_args *a, const struct mck_window *w) {
  if (MCK_LIKELY(!mck_range_set_size || a->target != mck_epoch_rank(w)) || mck_rt.is_profiler) return;
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
  if (!is_dynamic && (target.low < base || target.high > base + w->size)) return;
  target.window = (struct mck_window *)(uintptr_t)w, target.site = mck_call_site(call);
  if (is_beside(call, &target)) mck_overlap_look_at_target(&target);
}
