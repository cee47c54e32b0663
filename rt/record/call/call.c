// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry and exit of every wrapper. The quick way in and out is a few loads and stores; all that is special (Fortran,
// calls within calls, calls outside of MPI_Init ... MPI_Finalize, threads) is on a way of its own.
#include <string.h>
#include "record/buffer/buffer-bytes.h"
#include "record/buffer/buffer-lifetime.h"
#include "record/call/call-args.h"
#include "record/call/call-begin.h"
#include "record/call/call-event.h"
#include "record/call/call.h"
#include "record/call/module.h"
#include "record/call/profiling.h"
#include "record/call/fortran-redirect.h"
#include "record/call/stack.h"
#include "record/call/thread-memory.h"
#include "record/call/strand-event.h"
#include "record/call/thread-level.h"
#include "record/call/wait-mark.h"
#include "record/error/call-failure.h"
#include "record/error/local-finding.h"
#include "record/object/new-object.h"
#include "record/p2p/completed-request.h"
#include "record/rma/untrue-assertion.h"
#include "record/run/finalize.h"
#include "record/run/self-attribute.h"
#include "record/strand/strand-call.h"
#include "record/runtime.h"

_Alignas(64) struct mck_runtime mck_rt = {.tag_ub = 32767, .comm = MPI_COMM_NULL};
__thread int mck_depth __attribute__((tls_model("initial-exec")));
__thread unsigned mck_nlocks __attribute__((tls_model("initial-exec")));
__thread struct mck_outer mck_outer __attribute__((tls_model("initial-exec")));
struct mck_short_lock mck_mutex;

// Calls outside of MPI_Init ... MPI_Finalize (MPI-3.1 8.7).
static void check_initialized(struct mck_call *call) {
  if (mck_std(call->fn)->is_anytime) return;
  bool is_init = mck_fn_classes[call->fn] == MCK_CLASS_init;
  size_t n = mck_rt.findings.count;
  if (!mck_rt.is_initialized && !mck_rt.is_finalized) {
    int flag = 0;
    PMPI_Initialized(&flag); // the program may have called PMPI_Init
    if (is_init || flag) return;
    mck_local_report(call, MCK_CHECK_INIT_BEFORE, "%s is called before MPI_Init", mck_fn_names[call->fn]);
    // There is no log yet, and MPI ends most such programs at once. MPI_Wtime and MPI_Wtick cannot fail.
    if (mck_rt.findings.count > n && mck_std(call->fn)->has_code) mck_finish_late();
  } else if (mck_rt.is_finalized) {
    mck_local_report(call, MCK_CHECK_INIT_AFTER, "%s is called after MPI_Finalize", mck_fn_names[call->fn]);
    if (mck_rt.findings.count > n) mck_finish_late(); // it is printed once, however often it happens
  }
}

// An error handler may leave the call by an exception or longjmp; the wrapper's end is then never reached. Its frame
// has certainly ended when a caller's frame lies above it, or when later calls have overwritten its return address.
static bool has_left(const void *frame) {
  if ((uintptr_t)frame >= (uintptr_t)mck_outer.frame)
    return (uintptr_t)frame - (uintptr_t)mck_outer.frame < 1u << 26; // else: of another stack
#ifdef __x86_64__
  if ((uintptr_t)mck_outer.frame - (uintptr_t)frame < 1u << 26)
    return ((const void *const *)mck_outer.frame)[1] != mck_outer.pc;
#endif
  return false;
}

// A call on the quick way (quick-call.c) has no struct mck_call. It gets one when one is asked for, which is when the
// call fails.
static __thread uint16_t quick_fn __attribute__((tls_model("initial-exec")));
static __thread void *quick_memory __attribute__((tls_model("initial-exec")));
struct mck_call *mck_call_current(const void *frame) {
  if (!mck_depth || (uintptr_t)frame >= (uintptr_t)mck_outer.frame || has_left(frame)) return NULL;
  if (mck_outer.call) return mck_outer.call;
  struct mck_call *quick = quick_memory ? quick_memory : mck_thread_memory_make(&quick_memory, sizeof *quick);
  if (!quick) return NULL;
  mck_call_begin(quick, quick_fn, mck_outer.pc, mck_outer.frame);
  mck_depth_set(mck_depth - 1);
  quick->given = NULL;
  return mck_outer.call = quick;
}

static void abandon(void) {
  mck_depth_set(0);
  mck_use_state.nnotes = 0;
  mck_wait_end();
  if (mck_rt.log.header) atomic_store(&mck_rt.log.header->refused, 0);
  mck_complete_abandon();
  while (mck_nlocks) mck_unlock();
}

// MPI, or a callback of the program within a call, calls MPI: this is not the program's own call, and is not judged.
// But what is freed or completed there, in attribute callbacks for example, stays so (true); and an object that is made
// there may have the handle of a freed one.
static bool changes_objects(uint16_t fn, const void *pc) {
  uint8_t what = mck_fn_objects[fn];
  struct mck_log_header *header = mck_rt.log.header;
  // An error handler calls MPI_Abort: the process ends in the failing call, whatever mpirun does to it meanwhile.
  if (fn == MCK_FN_MPI_Abort && header && atomic_load(&header->refused))
    atomic_fetch_or(&header->refused, MCK_LOG_ENDED);
  if (what & MCK_FN_MAKES_REQUEST) mck_rt.is_request_unseen = true;
  if (what & MCK_FN_MAKES) mck_objects_unseen();
  if (mck_profiling_is_message(fn) && mck_rt.is_ready) {
    mck_lock();
    if (!mck_module_is_of_mpi((uintptr_t)pc)) mck_profiling_hide(fn);
    mck_unlock();
  }
  return what & (MCK_FN_FREES | MCK_FN_COMPLETES) && !(what & (MCK_FN_MAKES | MCK_FN_MAKES_REQUEST));
}

// Between the callbacks of MPI_Finalize, whose calls are the program's own (self-attribute.h), MPI may call itself.
static bool is_from_within(const void *pc) {
  if (MCK_LIKELY(!mck_self_is_deleting)) return false;
  mck_lock();
  bool is_of_mpi = mck_module_is_of_mpi((uintptr_t)pc);
  mck_unlock();
  return is_of_mpi;
}

// From Fortran, within another call, outside of MPI_Init ... MPI_Finalize, or where several threads may call MPI.
static __attribute__((noinline)) bool enter_special(struct mck_call *call, uint16_t fn, const void *pc,
                                                    const void *frame) {
  const MPI_Fint *variables = NULL;
  if (mck_fortran.pc != NULL && mck_fortran_is_live(mck_fortran, frame) && mck_fortran.call->depth == mck_depth) {
    if (mck_fortran.call->fn != fn) return false; // the binding's own call (MPI_Comm_size in mpi_gatherv_)
    pc = mck_fortran.pc, frame = mck_fortran.frame, variables = mck_fortran.call->requests;
  }
  if (mck_depth) {
    if (has_left(frame)) {
      abandon();
      if (frame == mck_fortran.frame) mck_fortran.call->depth = 0;
    } else if (!changes_objects(fn, pc)) return false;
  } else if (is_from_within(pc)) {
    changes_objects(fn, pc);
    return false;
  }
  mck_call_begin(call, fn, pc, frame);
  call->nuses = 0;
  uint64_t calls = atomic_fetch_add_explicit(&mck_rt.calls, 1, memory_order_relaxed) + 1;
  call->variables = variables;
  if (!mck_rt.is_ready) check_initialized(call);
  else if (mck_depth == 1) mck_level_enter(call);
  if (mck_rt.is_ready && mck_depth == 1 && (uintptr_t)frame >= mck_buffer_frame) mck_buffer_leave_frames(call);
  // Another thread may be in MPI_Finalize while this one calls MPI_Finalized (MPI-3.1 12.4): load the log's address
  // once. The log stays mapped.
  struct mck_log_header *header = mck_rt.log.header;
  if (header) atomic_store_explicit(&header->calls, calls, memory_order_relaxed);
  return true;
}

MCK_HOT bool mck_call_enter(struct mck_call *call, uint16_t fn, const void *pc, const void *frame) {
  if (MCK_UNLIKELY(!mck_rt.is_on)) return false;
  if (MCK_UNLIKELY(mck_depth || mck_fortran.pc || !mck_rt.is_ready || !mck_is_plain))
    return enter_special(call, fn, pc, frame);
  mck_call_begin(call, fn, pc, frame);
  call->nuses = 0;
  mck_call_count();
  return MCK_LIKELY((uintptr_t)frame < mck_buffer_frame) || mck_buffer_leave_frames(call);
}

MCK_HOT bool mck_quick_enter(uint16_t fn, const void *pc, const void *frame) {
  if (MCK_UNLIKELY(!mck_is_plain || mck_depth || mck_fortran.pc || !mck_rt.is_ready || !mck_rt.is_on)) return false;
  mck_outer.call = NULL, mck_outer.frame = frame, mck_outer.pc = pc, quick_fn = fn;
  mck_depth_set(1);
  atomic_store_explicit(&mck_rt.calls, atomic_load_explicit(&mck_rt.calls, memory_order_relaxed) + 1,
                        memory_order_relaxed);
  return true;
}

MCK_HOT void mck_call_leave(struct mck_call *call, const struct mck_args *a, int rc) {
  if (MCK_UNLIKELY(mck_use_state.nnotes)) mck_use_state.nnotes = 0;
  if (MCK_UNLIKELY(mck_strand_has_returns) && call->event != MCK_NONE && mck_depth == 1) mck_strand_return(call);
  if (MCK_UNLIKELY(rc != MPI_SUCCESS) && !call->nfindings && !call->is_doubtful && mck_rt.is_ready && mck_depth == 1)
    mck_failure_returned(call, a, rc);
  if (MCK_UNLIKELY(call->is_storing) && rc == MPI_SUCCESS) mck_assertion_used(call);
  mck_depth_set(mck_depth - 1);
  if (MCK_LIKELY(!call->special)) return;
  if (call->is_of_strands) mck_strands_after(call, a, rc);
  if (call->is_serialized) mck_level_release();
  if ((call->nfindings || call->is_doubtful) && mck_rt.log.header) atomic_store(&mck_rt.log.header->refused, 0);
}

void mck_event_plain(struct mck_call *call) {
  uint32_t site = mck_call_site(call);
  struct mck_event *e = mck_event_begin(call, MCK_EV_CALL, 0);
  if (!e) return;
  e->site = site;
  for (int i = 0; i < 6; i++) e->word[i] = 0;
  mck_log_commit(&mck_rt.log, 1);
}
