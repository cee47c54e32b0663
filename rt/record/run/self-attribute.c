// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "record/run/self-attribute.h"
#include "record/call/call-begin.h"
#include "record/call/fortran-redirect.h"
#include "record/call/thread-level.h"
#include "record/run/finalize.h"
#include "record/runtime.h"

_Atomic bool mck_self_is_deleting;
static struct mck_call *finalizing; // the MPI_Finalize under way, to be finished when the callbacks have run
static struct {                     // what the thread was in, which is put back then
  bool is_plain;
  struct mck_fortran_now fortran;
} before;

// The end of the callbacks: the thread is in MPI_Finalize again.
static struct mck_call *take_back(void) {
  struct mck_call *call = finalizing;
  finalizing = NULL;
  mck_self_is_deleting = false;
  mck_is_plain = before.is_plain;
  mck_fortran = before.fortran;
  mck_outer = (struct mck_outer){call->frame, call->pc, call};
  mck_depth_set(1);
  return call;
}

static int deleted(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)comm, (void)keyval, (void)value, (void)extra;
  if (!mck_rt.is_ready) return MPI_SUCCESS;
  if (finalizing) {
    mck_finish(take_back());
    return MPI_SUCCESS;
  }
  // MPI_Finalize was called by its PMPI_ name in code that was not recompiled (the MPI_Finalize of a profiling
  // library): this callback is all that we see of it.
  struct mck_call unseen = {.fn = MCK_FN_MPI_Finalize,
                            .site = MCK_NONE,
                            .event = MCK_NONE,
                            .pc = __builtin_return_address(0),
                            .frame = __builtin_frame_address(0)};
  mck_finish(&unseen);
  mck_rt.is_finalized = true;
  return MPI_SUCCESS;
}

void mck_self_set(void) {
  int keyval = MPI_KEYVAL_INVALID;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &keyval, NULL);
  PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
}

void mck_self_begin(struct mck_call *call) {
  if (finalizing) return; // a callback calls MPI_Finalize
  finalizing = call;
  before.is_plain = mck_is_plain, before.fortran = mck_fortran;
  if (call->is_serialized) mck_level_release(); // the calls of callbacks are no calls at the same time
  call->is_serialized = false;
  mck_fortran.pc = NULL;
  mck_is_plain = false; // so that call.c looks at each call
  mck_self_is_deleting = true;
  mck_depth_set(0);
}

bool mck_self_end(void) {
  if (finalizing) take_back();
  return mck_rt.is_ready;
}
