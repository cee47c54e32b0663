// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_MODE_NOSTORE that is not true: own stores since the window's last synchronization (untrue-assertion.h). Before
// the first one that is since the window was made. Any call that opens or closes an epoch, and MPI_Win_sync, is taken
// for a synchronization.
#include "record/rma/untrue-assertion.h"
#include "record/access/range-flush.h"
#include "record/call/stack.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"
#include "standard/epoch-call.h"

void mck_assertion_check(struct mck_call *call, const struct mck_args *a, struct mck_window *w) {
  enum mck_std_epoch_call kind = mck_std_epoch_call(call->fn);
  bool has_stores = kind == MCK_STD_CALL_FENCE || kind == MCK_STD_CALL_POST;
  if (MCK_LIKELY(!has_stores || !(a->assertion & MPI_MODE_NOSTORE)) || call->nfindings || mck_depth > 1) return;
  if (mck_ntouched) mck_windows_flush();
  if (!w->is_stored || w->object.id == MCK_NONE) return;
  struct mck_finding *f = mck_local_add(MCK_CHECK_ARG_ASSERT, mck_call_site(call), w->stored);
  mck_finding_text(f, "MPI_MODE_NOSTORE of %s is not true", mck_fn_names[call->fn]);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, w->stored, "store before it");
  mck_finding_why(f, "the process has stored to its window since the last synchronization (MPI-3.1 11.5.5)");
  mck_finding_help(f, "leave MPI_MODE_NOSTORE out, or store before an earlier synchronization of the window");
  mck_local_done(f);
}

void mck_assertion_synced(const struct mck_call *call, struct mck_window *w) {
  if (!mck_std_is_flush(call->fn)) w->is_stored = false;
}
