// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of a message's arguments: count, rank, tag, buffer. They are on the way of each message, so what is right is
// found right by few loads.
#include "record/call/call-args.h"
#include "record/call/call-object.h"
#include "record/call/call.h"
#include "record/check/checks.h"
#include "record/check/plain-arguments.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"

static struct mck_window *find_window(MPI_Win win) {
  mck_lock();
  struct mck_window *w = mck_window_find(win);
  mck_unlock();
  return w;
}

MCK_HOT bool mck_is_plain_message(struct mck_call *call, MPI_Comm comm, int peer, int tag, MPI_Datatype type,
                                  const void *buf, int count) {
  if (MCK_UNLIKELY(!mck_rt.is_ready || mck_rt.is_multiple)) return false;
  struct mck_comm *c = mck_comm_last;
  struct mck_type *t = mck_type_last;
  if (!mck_are_plain_arguments(c, t, comm, peer, tag, type, buf, count)) return false;
  call->comm = c, call->type = t;
  return true;
}

MCK_HOT void mck_check_count(struct mck_call *call, const char *what, MPI_Aint count) {
  if (count < 0)
    mck_local_report(call, MCK_CHECK_ARG_COUNT, "%s of %s is negative (%lld)", what, mck_fn_names[call->fn],
                     (long long)count);
}

// How many ranks there are to name (of the remote group in an intercommunicator, MPI-3.1 6.6); -1: unknown.
static inline int peers_of(struct mck_call *call, MPI_Comm comm) {
  struct mck_comm *c = mck_rt.is_ready ? mck_call_comm(call, comm) : NULL;
  return !c || c->object.is_freed ? -1 : c->remote_size ? c->remote_size : c->size;
}

static __attribute__((noinline, cold)) void report_rank(struct mck_call *call, const char *what, enum mck_check check,
                                                        int rank, int size) {
  if (rank == MPI_ANY_SOURCE)
    mck_local_report(call, check, "%s of %s is MPI_ANY_SOURCE, which is not a rank to send to", what,
                     mck_fn_names[call->fn]);
  else
    mck_local_report(call, check, "%s of %s is %d, but the ranks are 0 to %d", what, mck_fn_names[call->fn], rank,
                     size - 1);
}

static inline void check_rank(struct mck_call *call, const char *what, enum mck_check check, int rank, int size) {
  if (MCK_UNLIKELY(size >= 0 && (unsigned)rank >= (unsigned)size && rank != MPI_PROC_NULL))
    report_rank(call, what, check, rank, size);
}

MCK_HOT void mck_check_dest(struct mck_call *call, const char *what, int rank, const struct mck_args *a) {
  check_rank(call, what, MCK_CHECK_ARG_RANK, rank, peers_of(call, a->comm));
}

MCK_HOT void mck_check_source(struct mck_call *call, const char *what, int rank, const struct mck_args *a) {
  if (rank != MPI_ANY_SOURCE) check_rank(call, what, MCK_CHECK_ARG_RANK, rank, peers_of(call, a->comm));
}

void mck_check_root(struct mck_call *call, const char *what, int rank, const struct mck_args *a) {
  struct mck_comm *c = mck_rt.is_ready ? mck_call_comm(call, a->comm) : NULL;
  if (!c || c->object.is_freed || c->size < 0 || (c->remote_size && rank == MPI_ROOT)) return;
  int size = peers_of(call, a->comm);
  if (rank == MPI_PROC_NULL && !c->remote_size)
    mck_local_report(call, MCK_CHECK_ARG_ROOT, "%s of %s is MPI_PROC_NULL, but the ranks are 0 to %d", what,
                     mck_fn_names[call->fn], size - 1);
  else check_rank(call, what, MCK_CHECK_ARG_ROOT, rank, size);
}

void mck_check_target(struct mck_call *call, const char *what, int rank, const struct mck_args *a) {
  struct mck_window *w = mck_rt.is_ready ? find_window(a->win) : NULL;
  if (w && !w->object.is_freed) check_rank(call, what, MCK_CHECK_ARG_RANK, rank, w->group_size);
}

MCK_HOT void mck_check_tag(struct mck_call *call, const char *what, int tag) {
  if (tag < 0)
    mck_local_report(call, MCK_CHECK_ARG_TAG, "%s of %s is negative (%d)", what, mck_fn_names[call->fn], tag);
  else if (tag > mck_rt.tag_ub)
    mck_local_report(call, MCK_CHECK_ARG_TAG, "%s of %s is %d, above MPI_TAG_UB (%d)", what, mck_fn_names[call->fn],
                     tag, mck_rt.tag_ub);
  else if (MCK_UNLIKELY(tag > 32767) && // every MPI has tags up to there (MPI-3.1 8.1.2)
           !mck_rt.is_tag_asker)        // a program that asks for MPI_TAG_UB adapts to it
    mck_local_report(call, MCK_CHECK_ARG_TAG_PORTABLE, "%s of %s is above 32767: other MPIs may not have it", what,
                     mck_fn_names[call->fn]);
}

// The tag of a communication with MPI_PROC_NULL has no effect (MPI-3.1 3.11).
MCK_HOT void mck_check_sendtag(struct mck_call *call, const char *what, int tag, const struct mck_args *a) {
  if (a->dest != MPI_PROC_NULL) mck_check_tag(call, what, tag);
}

MCK_HOT void mck_check_recvtag(struct mck_call *call, const char *what, int tag, const struct mck_args *a) {
  if (a->source != MPI_PROC_NULL && tag != MPI_ANY_TAG) mck_check_tag(call, what, tag);
}

// NULL is MPI_BOTTOM in Open MPI. With a derived type of absolute addresses it is right (MPI-3.1 4.1.5); with a
// predefined type it can only be a mistake.
void mck_check_null_buffer(struct mck_call *call, const char *what, const void *buf, MPI_Aint count,
                           MPI_Datatype type) {
  if (buf || count <= 0 || !mck_rt.is_ready || type == MPI_DATATYPE_NULL) return;
  mck_lock();
  struct mck_type *t = mck_type_find(type);
  bool is_wrong = t && t->object.id < MCK_TYPE_USER && t->size > 0;
  mck_unlock();
  if (is_wrong)
    mck_local_report(call, MCK_CHECK_ARG_NULL, "%s of %s is NULL, but the count is %lld", what, mck_fn_names[call->fn],
                     (long long)count);
}

MCK_HOT void mck_check_sendbuf(struct mck_call *call, const char *what, const void *buf, const struct mck_args *a) {
  if (MCK_UNLIKELY(!buf) && (a->win ? a->target : a->dest) != MPI_PROC_NULL)
    mck_check_null_buffer(call, what, buf, a->sendcount, a->sendtype);
}

MCK_HOT void mck_check_recvbuf(struct mck_call *call, const char *what, const void *buf, const struct mck_args *a) {
  if (MCK_UNLIKELY(!buf) && (a->win ? a->target : a->source) != MPI_PROC_NULL)
    mck_check_null_buffer(call, what, buf, a->recvcount, a->recvtype);
}
