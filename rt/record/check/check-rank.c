// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of ranks that are no peers of a message: leaders, members of groups, neighbors; and which rank is the root of
// a call.
#include <stdlib.h>
#include "record/call/call-args.h"
#include "record/call/call-object.h"
#include "record/call/call.h"
#include "record/check/checks.h"
#include "record/check/group-size.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"

static struct mck_comm *live(MPI_Comm comm) {
  struct mck_comm *c = mck_rt.is_ready ? mck_comm_look_up(comm) : NULL;
  return c && !c->object.is_freed && c->size >= 0 ? c : NULL; // a negative size: unknown
}

// The members of an unknown communicator are unknown: arrays of that length are then not checked.
int mck_members(const struct mck_args *a) {
  struct mck_comm *c = live(a->comm);
  return c ? c->size : 0;
}

int mck_peers(const struct mck_args *a) {
  struct mck_comm *c = live(a->comm);
  return !c ? 0 : c->remote_size ? c->remote_size : c->size;
}

bool mck_is_rank(const struct mck_args *a, int rank) {
  struct mck_comm *c = live(a->comm);
  return c && c->rank == rank;
}

bool mck_is_root(const struct mck_args *a) {
  struct mck_comm *c = live(a->comm);
  return c && (c->remote_size ? a->root == MPI_ROOT : a->root == c->rank);
}

static void report(struct mck_call *call, const char *what, int rank, int size) {
  mck_local_report(call, MCK_CHECK_ARG_RANK, "%s of %s is %d, but the ranks are 0 to %d", what, mck_fn_names[call->fn],
                   rank, size - 1);
}

void mck_check_rank(struct mck_call *call, const char *what, int rank, const struct mck_args *a) {
  struct mck_comm *c = live(a->comm);
  if (c && (rank < 0 || rank >= c->size)) report(call, what, rank, c->size);
}

// In comm2, the peer communicator, with which the other group's leader is named (MPI-3.1 6.6.2).
void mck_check_rank2(struct mck_call *call, const char *what, int rank, const struct mck_args *a) {
  struct mck_comm *c = live(a->comm2);
  int size = !c ? 0 : c->remote_size ? c->remote_size : c->size;
  if (c && (rank < 0 || rank >= size)) report(call, what, rank, size);
}

void mck_check_below(struct mck_call *call, const char *what, int rank, int size) {
  if (size > 0 && (rank < 0 || rank >= size)) report(call, what, rank, size);
}

void mck_check_commranks(struct mck_call *call, const char *what, const int *ranks, int n, const struct mck_args *a) {
  mck_check_array(call, what, ranks, n);
  struct mck_comm *c = live(a->comm);
  for (int i = 0; c && ranks && i < n; i++)
    if ((ranks[i] < 0 || ranks[i] >= c->size) && ranks[i] != MPI_PROC_NULL) {
      report(call, what, ranks[i], c->size);
      return;
    }
}

// The destinations of MPI_Dist_graph_create: as many as the degrees say in all (MPI-3.1 7.5.4).
void mck_check_targets(struct mck_call *call, const char *what, const int *targets, int n, const int *degrees,
                       const struct mck_args *a) {
  int64_t all = 0;
  for (int i = 0; degrees && i < n; i++) {
    if (degrees[i] < 0) return; // reported already
    all += degrees[i];
  }
  if (all <= INT32_MAX) mck_check_commranks(call, what, targets, (int)all, a);
}

// --- groups (MPI-3.1 6.3.2) ---
static int group_size(MPI_Group group) {
  int size = -1;
  if (group == MPI_GROUP_NULL || !mck_rt.is_ready) return -1;
  mck_lock();
  struct mck_plain *g = mck_group_find(group);
  bool is_freed = g && g->object.is_freed;
  mck_unlock();
  if (is_freed) return -1;
  return PMPI_Group_size(group, &size) == MPI_SUCCESS ? size : -1;
}

// "each element of ranks must be a valid rank in group and all elements must be distinct"
void mck_check_ranks(struct mck_call *call, const char *what, const int *ranks, int n, const struct mck_args *a) {
  mck_check_array(call, what, ranks, n);
  int size = group_size(a->group);
  char *seen = ranks && n > 0 && size >= 0 ? calloc((size_t)size + 1, 1) : NULL;
  for (int i = 0; seen && i < n; i++) {
    if (ranks[i] < 0 || ranks[i] >= size) {
      report(call, what, ranks[i], size);
      break;
    }
    if (seen[ranks[i]]++) {
      mck_local_report(call, MCK_CHECK_ARG_RANK, "%s of %s has rank %d twice", what, mck_fn_names[call->fn], ranks[i]);
      break;
    }
  }
  free(seen);
}

// MPI_Group_translate_ranks: any order, any number of times, MPI_PROC_NULL too.
void mck_check_someranks(struct mck_call *call, const char *what, const int *ranks, int n, const struct mck_args *a) {
  mck_check_array(call, what, ranks, n);
  int size = group_size(a->group);
  for (int i = 0; ranks && size >= 0 && i < n; i++)
    if ((ranks[i] < 0 || ranks[i] >= size) && ranks[i] != MPI_PROC_NULL) {
      report(call, what, ranks[i], size);
      return;
    }
}

// (first, last, stride): first, first + stride, ... up to last; all valid and distinct.
void mck_check_ranges(struct mck_call *call, const char *what, int (*ranges)[3], int n, const struct mck_args *a) {
  mck_check_array(call, what, ranges, n);
  int size = group_size(a->group);
  char *seen = ranges && n > 0 && size >= 0 ? calloc((size_t)size + 1, 1) : NULL;
  for (int i = 0; seen && i < n; i++) {
    int64_t first = ranges[i][0], last = ranges[i][1], stride = ranges[i][2];
    if (stride == 0) {
      mck_local_report(call, MCK_CHECK_ARG_RANK, "%s[%d] of %s has a stride of zero", what, i, mck_fn_names[call->fn]);
      break;
    }
    if (first < 0 || first >= size || last < 0 || last >= size) {
      report(call, what, (int)(first < 0 || first >= size ? first : last), size);
      break;
    }
    bool is_twice = false;
    for (int64_t rank = first; !is_twice && (stride > 0 ? rank <= last : rank >= last); rank += stride)
      is_twice = seen[rank]++;
    if (is_twice) {
      mck_local_report(call, MCK_CHECK_ARG_RANK, "%s[%d] of %s names a rank a second time", what, i,
                       mck_fn_names[call->fn]);
      break;
    }
  }
  free(seen);
}
