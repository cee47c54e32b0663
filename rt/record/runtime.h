// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Record: the runtime's part in the running process. Its sub-rooms (call, check, p2p, ...) have headers of their own;
// this one has the state that all of them share, and the lock. The generated wrappers enter the room on the user's
// threads (hooks.h), and so does instrumented code (abi.h). Ground rules: no MPI_* call, only PMPI_*; no allocation,
// lock or system call on the way of a message, except the one lock under MPI_THREAD_MULTIPLE; errno is left alone.
#pragma once
#include <stdatomic.h>
#include "base/base.h"
#include "base/short-lock.h"
#include "log/log.h"
#include "object/object.h"
#include "report/report.h"

struct mck_runtime {
  // Atomic: written while other threads run. Read by plain loads on x86.
  _Atomic bool is_on;    // options say so and the log is there
  _Atomic bool is_ready; // between the end of MPI_Init and the end of MPI_Finalize
  _Atomic bool is_initialized, is_finalized;
  _Atomic bool is_multiple;     // MPI_THREAD_MULTIPLE was provided: several threads may be in MPI at once
  _Atomic bool is_locked;       // several threads may be in the runtime at once: take the lock (thread-level.c)
  _Atomic bool is_shared;       // ... and all threads that came without it have left
  _Atomic bool is_instrumented; // some loaded object signals its loads and stores
  _Atomic uint32_t lacks;       // MCK_LACKS_: of some or all recompiled objects they are not recorded
  _Atomic bool is_online;       // clocks=online: sends and collectives pass their events to online-run.h
  _Atomic bool is_followed;     // no call takes the plain ways: is_online, or the content of buffers is recorded
  bool is_under_mpirun_check;
  _Atomic bool is_attribute_user; // attribute callbacks of the user may run in MPI_Finalize (leak.c)
  _Atomic bool is_request_unseen; // a callback made requests or took messages: no handle of a request is certainly
                                  // stale
  _Atomic bool is_profiler;  // code that was not recompiled handles the program's objects by PMPI_ names: handles may
                             // be made and freed unseen (profiling.c)
  _Atomic bool is_tag_asker; // the program has asked for MPI_TAG_UB
  _Atomic bool is_datarep_registered; // MPI_Register_datarep was called
  int tag_ub;
  _Atomic uint64_t calls; // MPI calls
  struct mck_log log;     // its first words are the last that each call needs: all of that is one cache line
  int rank, size;
  uint64_t job;
  char dir[sizeof mck_options.log_dir + 64]; // of the logs
  struct mck_findings findings;
  MPI_Comm comm;             // ours, a duplicate of MPI_COMM_WORLD
  struct mck_findings early; // what the judge found at cuts (record/run/log-budget.h)
};
extern struct mck_runtime mck_rt;

// How many MPI calls the thread is inside of. Other threads read the main thread's (thread-level.c): what is done
// inside a call comes before its end.
extern __thread int mck_depth __attribute__((tls_model("initial-exec")));
static inline void mck_depth_set(int depth) { __atomic_store_n(&mck_depth, depth, __ATOMIC_RELEASE); }

// Recursive: a call that holds it may run a callback of the user (error handler, generalized request) that frees an
// object.
extern struct mck_short_lock mck_mutex;
extern __thread unsigned mck_nlocks __attribute__((tls_model("initial-exec"))); // how often this thread holds it
static inline bool mck_is_locked(void) { return atomic_load_explicit(&mck_rt.is_locked, memory_order_relaxed); }
static inline void mck_lock(void) {
  if (MCK_LIKELY(!mck_is_locked())) return;
  if (!mck_nlocks) mck_short_lock_take(&mck_mutex);
  mck_nlocks++;
}
static inline bool mck_try_lock(void) { // true: mck_unlock gives it back
  if (!mck_is_locked()) return true;
  if (!mck_nlocks && !mck_short_lock_try(&mck_mutex)) return false;
  mck_nlocks++;
  return true;
}
// By what this thread holds: is_locked may have become true since the thread passed mck_lock.
static inline void mck_unlock(void) {
  if (MCK_UNLIKELY(mck_nlocks) && !--mck_nlocks) mck_short_lock_leave(&mck_mutex);
}

bool mck_start(void); // init.c: at the end of MPI_Init
