// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_MODE_NOSTORE that is not true: own stores since the window's last synchronization (untrue-assertion.h). Before
// the first one that is since the window was made. Any call that opens or closes an epoch, and MPI_Win_sync, is taken
// for a synchronization. "Stores" are local gets and receive calls, too.
#include "record/rma/untrue-assertion.h"
#include "record/access/range-flush.h"
#include "record/access/touched-range.h"
#include "record/buffer/buffer-in-use.h"
#include "record/buffer/byte-overlap.h"
#include "record/call/call-object.h"
#include "record/call/stack.h"
#include "record/check/group-size.h"
#include "record/error/local-finding.h"
#include "record/rma/attached-memory.h"
#include "record/rma/window-buffer.h"
#include "record/runtime.h"
#include "standard/epoch-call.h"

static uint32_t nsyncs; // synchronizations of windows so far

struct parts {
  const struct mck_bytes *bytes;
  bool is_found;
};
static void look_at_part(void *context, const char *low, const char *high) {
  struct parts *p = context;
  p->is_found |= mck_bytes_touch_range(p->bytes, low, high);
}

static bool is_own_part(const struct mck_window *w, const struct mck_bytes *bytes) {
  struct parts parts = {bytes, false};
  if (w->attached) mck_attached_each(w, bytes->low, bytes->high, look_at_part, &parts);
  return parts.is_found || (w->base && w->size && !w->origin && !w->owner &&
                            mck_bytes_touch_range(bytes, w->base, (const char *)w->base + w->size));
}

static bool is_in_window(const struct mck_bytes *bytes) {
  const struct mck_window *w = mck_windows;
  while (w && !is_own_part(w, bytes)) w = w->next;
  return w != NULL;
}

// begun: the bytes were written since then, at nsyncs.
static void note(const struct mck_bytes *bytes, uint32_t begun, uint32_t site, int fn) {
  for (struct mck_window *w = mck_windows; w; w = w->next)
    if (!w->is_stored && (int32_t)(begun - w->synced) >= 0 && is_own_part(w, bytes))
      w->is_stored = true, w->stored = site, w->stored_fn = fn;
}

static void note_elements(struct mck_call *call, void *address, int count, MPI_Datatype type) {
  struct mck_buffer b = {0};
  mck_lock();
  const struct mck_type *t = mck_call_type(call, type);
  if (t && mck_buffer_define(&b, address, count, t, true, call->fn)) {
    struct mck_bytes bytes = mck_bytes_of_buffer(&b);
    note(&bytes, nsyncs, mck_call_site(call), call->fn);
    mck_window_message_stored(call, &bytes);
  }
  mck_unlock();
}

void mck_assertion_received(struct mck_call *call, const struct mck_args *a, int rc) {
  int count;
  if (rc != MPI_SUCCESS || call->nfindings || a->source == MPI_PROC_NULL || a->status == MPI_STATUS_IGNORE) return;
  if (PMPI_Get_count(a->status, a->recvtype, &count) != MPI_SUCCESS || count == MPI_UNDEFINED || count <= 0) return;
  note_elements(call, a->recvbuf, count, a->recvtype);
}

void mck_assertion_broadcast(struct mck_call *call, const struct mck_args *a, int rc) {
  if (rc != MPI_SUCCESS || call->nfindings || a->root == MPI_PROC_NULL || mck_is_root(a) || a->recvcount <= 0) return;
  note_elements(call, a->recvbuf, a->recvcount, a->recvtype);
}

static bool is_all_written(const struct mck_call *call, const struct mck_use *u) {
  return u->is_written && !u->is_up_to && u->is_exact && !call->nfindings;
}

void mck_assertion_use(struct mck_call *call, const struct mck_use *u) {
  if (!is_all_written(call, u)) return;
  struct mck_bytes bytes = mck_bytes_of_use(u);
  mck_lock();
  if (is_in_window(&bytes)) call->is_storing = true;
  mck_unlock();
}

void mck_assertion_used(struct mck_call *call) {
  mck_lock();
  for (unsigned i = 0; i < call->nuses; i++) {
    struct mck_bytes bytes = mck_bytes_of_use(&call->uses[i]);
    if (!is_all_written(call, &call->uses[i])) continue;
    note(&bytes, nsyncs, mck_call_site(call), call->fn);
    mck_window_message_stored(call, &bytes);
  }
  mck_unlock();
}

void mck_assertion_begin(struct mck_request *r) {
  const struct mck_buffer *b = &r->buffers[1];
  r->is_in_window = false;
  if (!mck_nwindows || !(r->used & 2) || !b->is_active) return;
  struct mck_bytes bytes = mck_bytes_of_buffer(b);
  r->is_in_window = is_in_window(&bytes), r->begun = nsyncs;
}

// What has come with a message may be less than the buffer. A synchronization between the begin of the operation and
// its end may come before it, or behind it.
void mck_assertion_completed(const struct mck_request *r, const MPI_Status *status) {
  struct mck_buffer b = r->buffers[1];
  int size = 0;
  if (r->is_cancelled || !status) return; // freed: it goes on
  if (r->kind == MCK_REQUEST_RECV) {
    if (PMPI_Get_count(status, MPI_BYTE, &size) != MPI_SUCCESS || size == MPI_UNDEFINED || size <= 0) return;
    if (!b.type) b.high = size < b.high - b.low ? b.low + size : b.high;
    else if (b.type->generation != b.generation || b.type->size <= 0) return;
    else if (size / b.type->size < b.count) b.count = size / b.type->size;
  }
  struct mck_bytes bytes = mck_bytes_of_buffer(&b);
  if (b.count > 0) note(&bytes, r->begun, r->site, r->fn);
}

// The fence completes these gets: what they bring comes before it.
static void look_at_gets(struct mck_window *w) {
  for (struct mck_buffer *b = w->buffers; b && !w->is_stored; b = b->next) {
    struct mck_bytes bytes = mck_bytes_of_buffer(b);
    if (b->is_written && !b->is_target && is_own_part(w, &bytes))
      w->is_stored = true, w->stored = b->site, w->stored_fn = b->fn;
  }
}

// A large piece of a dynamic window has notes of its own (attached-memory.c).
static bool is_segment(const struct mck_window *s, const struct mck_window *w) {
  return s != w && s->origin && s->object.id == w->object.id;
}
static void look_at_segments(struct mck_window *w) {
  for (const struct mck_window *s = w->attached ? mck_windows : NULL; s && !w->is_stored; s = s->next)
    if (s->is_stored && is_segment(s, w)) w->is_stored = true, w->stored = s->stored, w->stored_fn = s->stored_fn;
}

void mck_assertion_check(struct mck_call *call, const struct mck_args *a, struct mck_window *w) {
  enum mck_std_epoch_call kind = mck_std_epoch_call(call->fn);
  bool has_stores = kind == MCK_STD_CALL_FENCE || kind == MCK_STD_CALL_POST;
  if (MCK_LIKELY(!has_stores || !(a->assertion & MPI_MODE_NOSTORE)) || call->nfindings || mck_depth > 1) return;
  mck_windows_before_event();
  look_at_segments(w);
  if (kind == MCK_STD_CALL_FENCE && mck_nwindows) look_at_gets(w);
  if (!w->is_stored || w->object.id == MCK_NONE) return;
  struct mck_finding *f = mck_local_add(MCK_CHECK_ARG_ASSERT, mck_call_site(call), w->stored);
  mck_finding_text(f, "MPI_MODE_NOSTORE of %s is not true", mck_fn_names[call->fn]);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  if (w->stored_fn < 0) mck_finding_place(f, mck_rt.rank, w->stored, "store before it");
  else mck_finding_place(f, mck_rt.rank, w->stored, "%s writes into the window before it", mck_fn_names[w->stored_fn]);
  mck_finding_why(f, w->stored_fn < 0
                         ? "the process has stored to its window since the last synchronization (MPI-3.1 11.5.5)"
                         : "a get or receive into the own window counts as a store to it (MPI-3.1 11.5.5)");
  mck_finding_help(f, "leave MPI_MODE_NOSTORE out, or store before an earlier synchronization of the window");
  mck_local_done(f);
}

void mck_assertion_synced(const struct mck_call *call, struct mck_window *w) {
  if (mck_std_is_flush(call->fn)) return;
  w->is_stored = false, w->synced = ++nsyncs;
  for (struct mck_window *s = w->attached ? mck_windows : NULL; s; s = s->next)
    if (is_segment(s, w)) s->is_stored = false;
}
