// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of buffers beyond the plain null pointer of a message: packing and files, windows, MPI_IN_PLACE.
#include "record/call/call-args.h"
#include "record/call/call-object.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/check/checks.h"
#include "record/check/group-size.h"
#include "record/check/type-report.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"

// MPI_IN_PLACE stands for the buffer where the table says so, in an intracommunicator (MPI-3.1 5.2.1, 5.5 to 5.12).
void mck_check_in_place_failed(struct mck_call *call, const char *what, enum mck_in_place where,
                               const struct mck_args *a) {
  struct mck_comm *c = mck_rt.is_ready ? mck_comm_look_up(a->comm) : NULL;
  if (a->root == MPI_PROC_NULL) return; // the buffer is ignored (5.2.3)
  if (where == MCK_IN_PLACE_NEVER)
    mck_local_report(call, MCK_CHECK_ARG_IN_PLACE, "%s of %s is MPI_IN_PLACE, which this argument cannot be", what,
                     mck_fn_names[call->fn]);
  else if (c && c->remote_size)
    mck_local_report(call, MCK_CHECK_ARG_IN_PLACE, "%s of %s is MPI_IN_PLACE, which is for intracommunicators only",
                     what, mck_fn_names[call->fn]);
  else if (where == MCK_IN_PLACE_AT_ROOT && c && a->root != c->rank)
    mck_local_report(call, MCK_CHECK_ARG_IN_PLACE,
                     "%s of %s is MPI_IN_PLACE, which it may be at the root only, rank %d", what,
                     mck_fn_names[call->fn], a->root);
}

void mck_check_buffer(struct mck_call *call, const char *what, const void *buffer, MPI_Aint count, MPI_Datatype type) {
  if (buffer == MPI_IN_PLACE)
    mck_local_report(call, MCK_CHECK_ARG_IN_PLACE, "%s of %s is MPI_IN_PLACE, which this argument cannot be", what,
                     mck_fn_names[call->fn]);
  else mck_check_null_buffer(call, what, buffer, count, type);
}

void mck_check_buffer_v(struct mck_call *call, const char *what, const void *buf, const int *counts, int n,
                        MPI_Datatype type) {
  for (int i = 0; !buf && counts && i < n; i++)
    if (counts[i] > 0) {
      mck_check_null_buffer(call, what, buf, counts[i], type);
      return;
    }
}

void mck_check_buffer_w(struct mck_call *call, const char *what, const void *buf, const int *counts, int n,
                        const MPI_Datatype *types) {
  for (int i = 0; !buf && counts && types && i < n && !call->nfindings; i++)
    if (counts[i] > 0) mck_check_null_buffer(call, what, buf, counts[i], types[i]);
}

// A rank that receives nothing needs no buffer (MPI-3.1 5.10.2).
void mck_check_buffer_own(struct mck_call *call, const char *what, const void *buf, const int *counts,
                          const struct mck_args *a) {
  struct mck_comm *c = !buf && counts && mck_rt.is_ready ? mck_comm_look_up(a->comm) : NULL;
  if (!c || c->object.is_freed || c->size < 0) return;
  if (a->sendbuf == MPI_IN_PLACE) mck_check_buffer_v(call, what, buf, counts, mck_members(a), a->recvtype);
  else mck_check_null_buffer(call, what, buf, counts[c->rank], a->recvtype);
}

void mck_check_base(struct mck_call *call, const char *what, const void *base, MPI_Aint size) {
  if (!base && size > 0)
    mck_local_report(call, MCK_CHECK_ARG_NULL, "%s of %s is NULL, but the size is %lld", what, mck_fn_names[call->fn],
                     (long long)size);
}

// A datatype must be committed before data is moved with it (MPI-3.1 4.1.9), but not before other datatypes are made
// of it.
void mck_check_uncommitted(struct mck_call *call, const char *what, const struct mck_type *t) {
  if (mck_rt.is_profiler) return; // we do not see PMPI_Type_commit
  struct mck_finding *f;
  mck_lock();
  f = mck_local_add(MCK_CHECK_DATATYPE_UNCOMMITTED, mck_call_site(call), 0);
  mck_finding_text(f, "%s of %s is a datatype that was not committed", what, mck_fn_names[call->fn]);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  mck_finding_place(f, mck_rt.rank, t->object.site, "created by %s", mck_fn_names[t->object.fn]);
  mck_local_done(f);
  call->nfindings++;
  if (mck_rt.log.header) atomic_store(&mck_rt.log.header->refused, 1u + call->fn);
  mck_unlock();
}

void mck_check_committed(struct mck_call *call, const char *what, MPI_Datatype type) {
  if (!mck_rt.is_ready || type == MPI_DATATYPE_NULL) return;
  mck_lock();
  struct mck_type *t = mck_type_find(type);
  bool is_wrong = t && t->is_uncommitted && !t->object.is_freed;
  mck_unlock();
  if (is_wrong) mck_check_uncommitted(call, what, t);
}
