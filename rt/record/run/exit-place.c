// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place of an exit. The C library's functions, in which the handlers of exit run, keep no frame pointers, so the
// callers are found by unwind tables. Of a return from main no frame is left: recompiled code tells its place
// (rt/abi.h, __mck_main_returns), of other code it is only known that main returned.
#include "record/run/exit-place.h"
#include "record/call/call.h"
#include "record/call/foreign-stack.h"
#include "record/call/module.h"
#include "record/runtime.h"

enum { DEEP = 64 };
static _Atomic uintptr_t main_return;

MCK_EXPORT void __mck_main_returns(void) {
  atomic_store_explicit(&main_return, (uintptr_t)__builtin_return_address(0), memory_order_relaxed);
}

static uint64_t frame_of(const struct mck_module *m, uintptr_t pc) {
  return (uint64_t)m->id << 48 | ((pc - m->bias) & 0xffffffffffffu);
}

static const struct mck_module *module_of(uintptr_t pc, bool may_define) {
  struct mck_module *m = may_define ? mck_module_of(pc) : mck_module_known(pc);
  if (m && may_define) mck_module_define(m);
  return m && m->is_defined ? m : NULL;
}

// os._exit of a Python program, whose C frames say nothing.
static unsigned put_python(uint64_t *frames) {
  struct mck_python_frame python[MCK_LOG_DIED];
  unsigned n = mck_python_is_here ? mck_python_frames(python, MCK_LOG_DIED) : 0, put = 0;
  for (; put < n; put++) {
    struct mck_module *m = mck_module_of_python(&python[put]);
    if (!m) break;
    mck_module_define(m);
    if (!m->is_defined) break;
    frames[put] = (uint64_t)m->id << 48 | (uint32_t)python[put].line;
  }
  return put;
}

void mck_exit_place_note(struct mck_log_header *header, const void *pc, bool may_define) {
  uintptr_t pcs[DEEP], here = (uintptr_t)__builtin_frame_address(0);
  may_define = may_define && !mck_depth && mck_try_lock();
  unsigned n = may_define ? put_python(header->died) : 0;
  unsigned depth = n ? 0 : mck_foreign_stack_of_signal((uintptr_t)pc, here, UINTPTR_MAX, pcs, DEEP), last = 0;
  if (depth) pcs[0] = (uintptr_t)pc; // it is behind a call, and was no place of a signal
  for (unsigned i = 0; i < depth && n < MCK_LOG_DIED; i++) {
    const struct mck_module *m = module_of(pcs[i], may_define);
    if (m && !m->is_language) header->died[n++] = frame_of(m, pcs[i]), last = i + 1;
  }
  enum mck_log_left left = n ? MCK_LEFT_BY_CALL : MCK_LEFT_UNKNOWN;
  // The outermost frame is the code that starts a program.
  if (n == 1 && last == depth && depth > 1) {
    uintptr_t place = atomic_load_explicit(&main_return, memory_order_relaxed);
    const struct mck_module *m = place ? module_of(place, may_define) : NULL;
    left = MCK_LEFT_MAIN;
    n = m != NULL;
    if (m) header->died[0] = frame_of(m, place);
  }
  if (may_define) mck_unlock();
  atomic_store(&header->left, left);
  atomic_store(&header->ndied, n);
}
