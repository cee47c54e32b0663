// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of datatypes beyond the handle: bytes that a receive would write twice (MPI-3.1 4.1.11), alignment, and notes
// (option pedantic).
#include <stdio.h>
#include <stdlib.h>
#include "record/call/call-args.h"
#include "record/call/call.h"
#include "record/call/fortran-redirect.h"
#include "record/call/stack.h"
#include "record/check/checks.h"
#include "record/check/group-size.h"
#include "record/check/type-report.h"
#include "record/collective/collective.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"

// true: no data is moved, since the peer is MPI_PROC_NULL.
static bool is_idle(const struct mck_call *call, const struct mck_args *a, bool is_sent) {
  switch (mck_fn_classes[call->fn]) {
  case MCK_CLASS_send:
  case MCK_CLASS_isend:
  case MCK_CLASS_send_init: return a->dest == MPI_PROC_NULL;
  case MCK_CLASS_recv:
  case MCK_CLASS_irecv:
  case MCK_CLASS_recv_init: return a->source == MPI_PROC_NULL;
  case MCK_CLASS_sendrecv: return (is_sent ? a->dest : a->source) == MPI_PROC_NULL;
  case MCK_CLASS_put:
  case MCK_CLASS_get:
  case MCK_CLASS_acc:
  case MCK_CLASS_rput:
  case MCK_CLASS_rget:
  case MCK_CLASS_racc: return a->target == MPI_PROC_NULL;
  default: return false;
  }
}

// In a gathering call the count is that of each part; the parts lie one after the other (5.5, 5.7, 5.8, 7.6).
static int64_t parts(const struct mck_call *call, const struct mck_args *a) {
  const struct mck_std_fn *row = mck_std(call->fn);
  if (row->is_counted) return 1;
  switch ((enum mck_std_flow)row->flow) {
  case MCK_STD_FLOW_GATHER:
  case MCK_STD_FLOW_ALL_GATHER:
  case MCK_STD_FLOW_ALL_TO_ALL: return mck_peers(a);
  case MCK_STD_FLOW_NEIGHBOR_ALL_GATHER:
  case MCK_STD_FLOW_NEIGHBOR_ALL_TO_ALL: return mck_absent(a->comm) ? 1 : mck_sources(a);
  default: return 1;
  }
}

// The call does its work all the same. So it is not counted as refused (call->nfindings): it may be a collective that
// other ranks' calls match.
static void report_overlap(struct mck_call *call, const struct mck_type *t, const char *text) {
  if (mck_depth > 1) return;
  mck_lock();
  struct mck_finding *f = mck_local_add(MCK_CHECK_DATATYPE_SELF_OVERLAP, mck_call_site(call), 0);
  mck_finding_text(f, "%s", text);
  mck_finding_place(f, mck_rt.rank, call->site, "%s on rank %d", mck_fn_names[call->fn], mck_rt.rank);
  if (t && t->object.site != MCK_NONE)
    mck_finding_place(f, mck_rt.rank, t->object.site, "the datatype was made by %s", mck_fn_names[t->object.fn]);
  mck_local_done(f);
  mck_unlock();
}

static bool check_overlap(struct mck_call *call, const char *what, struct mck_type *t, int64_t count) {
  char text[256];
  mck_lock();
  bool is_within = t->is_overlapping, is_between = !is_within && count > 1 && mck_type_copies_overlap(t, count);
  mck_unlock();
  if (!is_within && !is_between) return false;
  if (is_within)
    snprintf(text, sizeof text, "%s of %s has bytes that would be written twice", what, mck_fn_names[call->fn]);
  else
    snprintf(text, sizeof text, "%s of %s would write bytes twice: %lld elements of extent %lld overlap", what,
             mck_fn_names[call->fn], (long long)count, (long long)t->extent);
  report_overlap(call, t, text);
  return true;
}

void mck_check_overlap(struct mck_call *call, const char *what, struct mck_type *t, MPI_Aint count,
                       const struct mck_args *a) {
  bool is_sender = mck_std(call->fn)->flow == MCK_STD_FLOW_BROADCAST && mck_is_root(a);
  if (count > 0 && !is_sender && !is_idle(call, a, false)) check_overlap(call, what, t, count * parts(call, a));
}

// --- parts of a receive buffer ---
struct part {
  int64_t begin, end;
  int index;
};
static int by_begin(const void *a, const void *b) {
  const struct part *x = a, *y = b;
  return x->begin != y->begin ? (x->begin > y->begin ? 1 : -1) : x->index - y->index;
}

// Parts that share an element. They are sorted by begin; each is compared with the part that reaches farthest so far.
static void check_parts(struct mck_call *call, const char *what, struct part *list, int n) {
  qsort(list, (size_t)n, sizeof *list, by_begin);
  const struct part *far = &list[0];
  for (int i = 1; i < n; i++) {
    if (list[i].begin < far->end) {
      char text[256];
      int low = far->index < list[i].index ? far->index : list[i].index, high = far->index + list[i].index - low;
      snprintf(text, sizeof text, "%s[%d] and [%d] of %s place parts of the receive buffer on the same bytes", what,
               low, high, mck_fn_names[call->fn]);
      report_overlap(call, NULL, text);
      return;
    }
    if (list[i].end > far->end) far = &list[i];
  }
}

static bool is_absent(uint64_t absent, int i) { return absent && (i >= 64 || absent >> i & 1); }

void mck_check_parts(struct mck_call *call, const char *what, const int *displs, int n, const int *counts,
                     MPI_Datatype type, const struct mck_args *a) {
  if (!displs || !counts || call->nfindings || !mck_rt.is_ready) return;
  // In place, the root's own part is not written (5.5).
  uint64_t absent = mck_std_is_neighborhood(call->fn) ? mck_absent(a->comm) : 0;
  int own = mck_std(call->fn)->flow == MCK_STD_FLOW_GATHER && a->sendbuf == MPI_IN_PLACE ? a->root : -1, longest = 0;
  int64_t end = INT64_MIN;
  bool is_sorted = true;
  for (int i = 0; i < n; i++) {
    if (counts[i] <= 0 || i == own || is_absent(absent, i)) continue;
    is_sorted &= displs[i] >= end;
    end = (int64_t)displs[i] + counts[i];
    if (counts[i] > longest) longest = counts[i];
  }
  if (!longest) return;
  mck_lock();
  struct mck_type *t = mck_type_find(type);
  mck_unlock();
  if (!t || t->object.is_freed || t->object.id == MCK_NONE || t->size <= 0) return;
  if ((t->may_overlap && check_overlap(call, "the receive type", t, longest)) || is_sorted) return;
  struct part *list = malloc((size_t)n * sizeof *list);
  int used = 0;
  for (int i = 0; list && i < n; i++)
    if (counts[i] > 0 && i != own && !is_absent(absent, i))
      list[used++] = (struct part){displs[i], (int64_t)displs[i] + counts[i], i};
  if (used) check_parts(call, what, list, used);
  free(list);
}

// Only parts of types without holes are compared. In most programs that use these calls, the bytes of other types
// interleave (7.6.5: a halo of subarrays).
void mck_check_parts_w(struct mck_call *call, const char *what, const void *displs, int n, size_t size,
                       const int *counts, const MPI_Datatype *types) {
  if (!displs || !counts || !types || n <= 0 || call->nfindings || !mck_rt.is_ready) return;
  uint64_t absent = mck_std_is_neighborhood(call->fn) && call->comm
                        ? mck_absent((MPI_Comm)(uintptr_t)call->comm->object.handle)
                        : 0;
  struct part *list = malloc((size_t)n * sizeof *list);
  int used = 0;
  bool is_said = false;
  for (int i = 0; list && i < n && !is_said; i++) {
    if (counts[i] <= 0 || is_absent(absent, i)) continue;
    mck_lock();
    struct mck_type *t = mck_type_find(types[i]);
    mck_unlock();
    if (!t || t->object.is_freed || t->object.id == MCK_NONE) continue;
    is_said = t->may_overlap && check_overlap(call, "a receive type", t, counts[i]);
    int64_t begin = size == sizeof(MPI_Aint) ? ((const MPI_Aint *)displs)[i] : ((const int *)displs)[i];
    if (t->is_dense) list[used++] = (struct part){begin, begin + counts[i] * t->extent, i};
  }
  if (used && !is_said) check_parts(call, what, list, used);
  free(list);
}

// --- alignment ---
// C has no object of type double at an odd address; programs that pack data themselves send it as bytes. Fortran may
// place its variables so.
void mck_check_misaligned(struct mck_call *call, const struct mck_type *t, const void *buf, MPI_Aint count,
                          const struct mck_args *a, bool is_sent) {
  if (buf == MPI_IN_PLACE || count <= 0 || is_idle(call, a, is_sent) || mck_fortran.pc || call->nfindings) return;
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length;
  PMPI_Type_get_name((MPI_Datatype)(uintptr_t)t->object.handle, name, &length);
  mck_local_report(call, MCK_CHECK_DATATYPE_ALIGNMENT,
                   "a buffer of %s is not aligned for %s: its address is no multiple of %d", mck_fn_names[call->fn],
                   name, t->misaligned + 1);
}

// --- notes ---
void mck_check_commit_twice(struct mck_call *call, MPI_Datatype type) {
  if (!mck_rt.is_ready || mck_rt.is_profiler || type == MPI_DATATYPE_NULL) return;
  mck_lock();
  const struct mck_type *t = mck_type_find(type);
  bool is_again = t && !t->object.is_freed && !t->is_uncommitted &&
                  (t->object.is_predefined || (!t->object.is_adopted && t->object.site != MCK_NONE));
  mck_unlock();
  if (is_again)
    mck_local_report(call, MCK_CHECK_DATATYPE_COMMIT_TWICE, "%s of a datatype that is committed already does nothing",
                     mck_fn_names[call->fn]);
}

void mck_check_deprecated_failed(struct mck_call *call, const char *what, bool is_removed) {
  mck_local_report(call, MCK_CHECK_DATATYPE_DEPRECATED, "%s %s: use %s", mck_fn_names[call->fn],
                   is_removed ? "was removed from MPI by MPI-3.0" : "is deprecated since MPI-2.0", what);
}
