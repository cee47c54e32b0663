// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buffer of buffered sends (MPI-3.1 3.6): one at a time. It is unknown how much of it is free, since a message
// leaves it when the library delivers the message. A message that is larger than the whole buffer never fits.
#include "record/call/call-args.h"
#include "record/call/call-class.h"
#include "record/call/call.h"
#include "record/call/stack.h"
#include "record/check/checks.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"

static struct {
  bool is_attached;
  int64_t size;
  uint32_t site;
} buffer;

static void report(struct mck_call *call, const char *format, const char *name) {
  if (mck_depth > 1 || call->nfindings || mck_rt.is_profiler) return; // we do not see PMPI_Buffer_attach
  struct mck_finding *f = mck_local_add(MCK_CHECK_BUFFER_ATTACH, mck_call_site(call), 0);
  call->nfindings++;
  if (mck_rt.log.header) atomic_store(&mck_rt.log.header->refused, 1u + call->fn);
  mck_finding_text(f, format, name);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", name, mck_rt.rank);
  if (buffer.is_attached) mck_finding_place(f, mck_rt.rank, buffer.site, "%lld bytes attached", (long long)buffer.size);
  mck_local_done(f);
}

void mck_attach_before(struct mck_call *call, struct mck_args *a) {
  (void)a;
  mck_lock();
  if (mck_rt.is_ready && buffer.is_attached)
    report(call, "%s while another buffer is attached", mck_fn_names[call->fn]);
  mck_unlock();
}

void mck_attach_after(struct mck_call *call, struct mck_args *a, int rc) {
  if (rc != MPI_SUCCESS || !mck_rt.is_ready) return;
  mck_lock();
  buffer.is_attached = true, buffer.size = a->size, buffer.site = mck_call_site(call);
  mck_unlock();
}

void mck_detach_before(struct mck_call *call, struct mck_args *a) {
  (void)a;
  mck_lock();
  if (mck_rt.is_ready && !buffer.is_attached) report(call, "%s, but no buffer is attached", mck_fn_names[call->fn]);
  mck_unlock();
}

void mck_detach_after(struct mck_call *call, struct mck_args *a, int rc) {
  (void)call, (void)a;
  mck_lock();
  if (rc == MPI_SUCCESS) buffer.is_attached = false;
  mck_unlock();
}

// A message takes its packed size and some bytes of the library's, up to MPI_BSEND_OVERHEAD (3.6.1).
void mck_check_buffered(struct mck_call *call, const char *what, int count, const struct mck_args *a) {
  (void)what;
  if (!mck_rt.is_ready || call->nfindings || a->dest == MPI_PROC_NULL) return;
  mck_lock();
  const struct mck_type *t = mck_type_find(a->sendtype);
  int64_t bytes = t && !t->object.is_freed ? t->size * count : 0;
  if (bytes > 0 && !buffer.is_attached) report(call, "%s, but no buffer is attached", mck_fn_names[call->fn]);
  else if (bytes > 0 && bytes >= buffer.size)
    report(call, "the message of %s and MPI_BSEND_OVERHEAD are larger than all of the attached buffer",
           mck_fn_names[call->fn]);
  mck_unlock();
}
