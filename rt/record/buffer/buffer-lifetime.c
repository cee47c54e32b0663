// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the memory of a buffer in use is freed, or lies on the stack below the functions that still run.
#include "record/buffer/buffer-lifetime.h"
#include <pthread.h>
#include "record/buffer/argument-array.h"
#include "record/buffer/buffer-in-use.h"
#include "record/call/call.h"
#include "record/call/thread-memory.h"
#include "record/call/stack.h"
#include "record/error/local-finding.h"
#include "record/rma/local-race.h"
#include "record/rma/window-lifetime.h"
#include "record/runtime.h"
#include "record/strand/strand-buffer.h"

bool mck_buffer_is_near(const void *block, size_t size) {
  if (mck_depth || !mck_rt.is_ready || !size) return false;        // freed by MPI itself
  if (!mck_rt.is_instrumented || !mck_options.access) return true; // no page is marked
  return mck_filter_is_marked((uintptr_t)block, (uintptr_t)block + size);
}

// Of this thread, as pthread knows it.
static __thread struct {
  const char *low, *high;
} stack __attribute__((tls_model("initial-exec")));

// Whether both lie on the stack of this thread.
static bool is_on_stack(const char *low, const char *frame) {
  if (!stack.high) {
    pthread_attr_t attributes;
    void *begin;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes)) return false;
    if (!pthread_attr_getstack(&attributes, &begin, &size)) stack.low = begin, stack.high = stack.low + size;
    pthread_attr_destroy(&attributes);
  }
  return low >= stack.low && low < stack.high && frame >= stack.low && frame < stack.high;
}

static bool is_left(const struct mck_call *call, const struct mck_buffer *b) {
  return b->range.is_listed && !b->is_target && (uintptr_t)b->high <= (uintptr_t)call->frame &&
         is_on_stack(b->low, call->frame);
}

static void report_left(struct mck_call *call, const struct mck_buffer *b) {
  uint32_t site = mck_call_site(call);
  const char *fn = mck_fn_names[b->fn];
  struct mck_finding *f = mck_local_add(MCK_CHECK_BUFFER_MODIFIED_IN_USE, b->site, site);
  mck_finding_text(f, "the local variable that a pending %s %s no longer exists: its function has returned", fn,
                   mck_buffer_role(b));
  mck_finding_place(f, mck_rt.rank, b->site, "%s by rank %d", fn, mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, site, "completed by %s", mck_fn_names[call->fn]);
  mck_finding_why(f, "other functions use that memory before the operation is complete (MPI-3.1 %s)",
                  b->is_array ? "5.12" : "3.7.2");
  mck_finding_help(f, "let the variable live until the operation is complete: make it static, allocate it, or wait "
                      "within the function");
  mck_local_done(f);
}

void mck_buffer_report_block(const struct mck_buffer *b, uint32_t site, bool is_jump) {
  if (b->window) {
    mck_local_race_block(b, site, is_jump);
    return;
  }
  const char *fn = mck_fn_names[b->fn];
  struct mck_finding *f = mck_local_add(MCK_CHECK_BUFFER_MODIFIED_IN_USE, b->site, site);
  mck_finding_text(f, "the local variable that a pending %s %s ends before that is complete", fn, mck_buffer_role(b));
  mck_finding_place(f, mck_rt.rank, b->site, "%s by rank %d", fn, mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, site, MCK_BLOCK_END(is_jump), mck_rt.rank);
  mck_finding_why(f,
                  "other variables may use that memory from here on, and the operation is complete only when "
                  "MPI_Wait or MPI_Test says so (MPI-3.1 %s)",
                  b->is_array ? "5.12" : "3.7.2");
  mck_finding_help(f, "declare the variable outside the block, or wait within it");
  mck_local_done(f);
}

void mck_buffer_check_left(struct mck_call *call, struct mck_buffer *b) {
  if (!is_left(call, b)) return;
  if (b->window) mck_local_race_left(b, mck_call_site(call), call->fn);
  else report_left(call, b);
  mck_buffer_leave(b);
}

void mck_buffer_check_stack(struct mck_call *call, struct mck_request *r) {
  for (int i = 0; i < 2; i++)
    if (r->used >> i & 1) mck_buffer_check_left(call, &r->buffers[i]);
  if (r->has_arrays) mck_arrays_check_left(call, r);
}

// --- local variables of RMA operations ---
enum { KEPT_MAX = 64 }; // of more at a time the completion finds that they no longer exist
struct kept {
  struct mck_buffer *buffers[KEPT_MAX];
  unsigned n, nskipped;
};
static __thread void *own __attribute__((tls_model("initial-exec"))); // a struct kept
__thread uintptr_t mck_buffer_frame __attribute__((tls_model("initial-exec"))) = UINTPTR_MAX;

// Forgets what is not in use any more. call: reports what no longer exists; NULL: nothing is looked at.
static void tidy(struct mck_call *call) {
  unsigned n = 0;
  struct kept *kept = own;
  mck_buffer_frame = mck_lifetime_leave(call);
  for (unsigned i = 0; kept && i < kept->n; i++) {
    struct mck_buffer *b = kept->buffers[i]; // its entry may be that of another operation by now
    if (call) mck_buffer_check_left(call, b);
    if (!b->range.is_listed || !b->window || !is_on_stack(b->low, b->low)) continue;
    kept->buffers[n++] = b;
    mck_buffer_watch_frame((uintptr_t)b->high);
  }
  if (kept) kept->n = n;
}

void mck_buffer_keep_near(const struct mck_call *call, struct mck_buffer *b) {
  struct kept *kept = own ? own : mck_thread_memory_make(&own, sizeof *kept);
  if (!kept) return;
  if (kept->n && kept->buffers[kept->n - 1] == b && (uintptr_t)b->high >= mck_buffer_frame) return; // a loop's, again
  if (!is_on_stack(b->low, call->frame)) return;
  if (kept->n == KEPT_MAX && kept->nskipped++ % KEPT_MAX == 0) tidy(NULL);
  if (kept->n == KEPT_MAX) return;
  kept->buffers[kept->n++] = b;
  mck_buffer_watch_frame((uintptr_t)b->high);
}

__attribute__((noinline, cold)) bool mck_buffer_leave_frames(struct mck_call *call) {
  if (!is_on_stack(call->frame, call->frame)) return true; // a handler's stack, or one that the program made
  mck_lock();
  tidy(call);
  mck_unlock();
  return true;
}

// Below our own frame lies nothing that is left, if it is the stack of this thread. (What calls this is a tail call.)
MCK_EXPORT void __mck_left(void) {
  enum { DEEP = 1 << 26 };
  const char *frame = __builtin_frame_address(0);
  const void *pc = __builtin_return_address(0);
  if (mck_depth || !mck_rt.is_ready || !(mck_buffers_are_in_use() || mck_nwindows) || !is_on_stack(frame, frame))
    return;
  const char *low = frame - stack.low > DEEP ? frame - DEEP : stack.low;
  mck_strand_memory_over((uintptr_t)low, (uintptr_t)frame);
  mck_buffer_begin_free();
  mck_buffer_check_jumped(low, (uint64_t)(frame - low), pc, frame);
  struct mck_call call = {.pc = pc, .frame = frame};
  mck_lifetime_leave(&call);
  mck_buffer_end_free();
}
