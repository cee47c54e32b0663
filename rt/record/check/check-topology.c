// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of virtual topologies (MPI-3.1 chapter 7), and of the kind of a communicator.
#include "record/call/call-args.h"
#include "record/call/call-object.h"
#include "record/call/call.h"
#include "record/check/checks.h"
#include "record/check/group-size.h"
#include "record/error/local-finding.h"
#include "record/runtime.h"

static bool is_usable(MPI_Comm comm) {
  struct mck_comm *c = mck_rt.is_ready ? mck_comm_look_up(comm) : NULL;
  return c && !c->object.is_freed && c->size >= 0; // a negative size: unknown
}

static int topology(MPI_Comm comm) {
  int status = MPI_UNDEFINED;
  PMPI_Topo_test(comm, &status);
  return status;
}

static void report_kind(struct mck_call *call, const char *what, const char *kind) {
  mck_local_report(call, MCK_CHECK_HANDLE_KIND, "%s of %s is not %s", what, mck_fn_names[call->fn], kind);
}

void mck_check_intra(struct mck_call *call, const char *what, MPI_Comm comm) {
  if (is_usable(comm) && mck_comm_look_up(comm)->remote_size) report_kind(call, what, "an intracommunicator");
}
void mck_check_inter(struct mck_call *call, const char *what, MPI_Comm comm) {
  if (is_usable(comm) && !mck_comm_look_up(comm)->remote_size) report_kind(call, what, "an intercommunicator");
}
void mck_check_cart(struct mck_call *call, const char *what, MPI_Comm comm) {
  if (is_usable(comm) && topology(comm) != MPI_CART)
    report_kind(call, what, "a communicator with a Cartesian topology");
}
void mck_check_graph(struct mck_call *call, const char *what, MPI_Comm comm) {
  if (is_usable(comm) && topology(comm) != MPI_GRAPH) report_kind(call, what, "a communicator with a graph topology");
}
void mck_check_dist(struct mck_call *call, const char *what, MPI_Comm comm) {
  if (is_usable(comm) && topology(comm) != MPI_DIST_GRAPH)
    report_kind(call, what, "a communicator with a distributed graph topology");
}
void mck_check_topo(struct mck_call *call, const char *what, MPI_Comm comm) {
  if (is_usable(comm) && topology(comm) == MPI_UNDEFINED)
    report_kind(call, what, "a communicator with a virtual topology");
}

int mck_cartdims(const struct mck_args *a) {
  int ndims = 0;
  if (is_usable(a->comm) && topology(a->comm) == MPI_CART) PMPI_Cartdim_get(a->comm, &ndims);
  return ndims;
}

// The number of blocks that a neighborhood collective receives (MPI-3.1 7.6): two per dimension of a grid, those of
// MPI_PROC_NULL included.
static int neighbors(const struct mck_args *a, bool is_in) {
  int rank, in = 0, out = 0, weighted;
  if (!is_usable(a->comm)) return 0;
  switch (topology(a->comm)) {
  case MPI_CART: return 2 * mck_cartdims(a);
  case MPI_GRAPH:
    PMPI_Comm_rank(a->comm, &rank);
    PMPI_Graph_neighbors_count(a->comm, rank, &in);
    return in;
  case MPI_DIST_GRAPH: PMPI_Dist_graph_neighbors_count(a->comm, &in, &out, &weighted); return is_in ? in : out;
  default: return 0;
  }
}
int mck_sources(const struct mck_args *a) { return neighbors(a, true); }
int mck_destinations(const struct mck_args *a) { return neighbors(a, false); }

uint64_t mck_absent(MPI_Comm comm) {
  enum { MAX = 32 };
  int n = 0, dims[MAX], periods[MAX], mine[MAX];
  uint64_t absent = 0;
  if (!is_usable(comm) || topology(comm) != MPI_CART || PMPI_Cartdim_get(comm, &n) != MPI_SUCCESS || n < 1) return 0;
  if (n > MAX || PMPI_Cart_get(comm, n, dims, periods, mine) != MPI_SUCCESS) return UINT64_MAX;
  for (int d = 0; d < n; d++) { // in each dimension the negative direction comes first
    if (periods[d]) continue;
    absent |= (uint64_t)(mine[d] == 0) << 2 * d | (uint64_t)(mine[d] == dims[d] - 1) << (2 * d + 1);
  }
  return absent;
}

bool mck_is_sending(const struct mck_args *a) {
  return mck_destinations(a) > __builtin_popcountll(mck_absent(a->comm));
}

void mck_check_ndims(struct mck_call *call, const char *what, int ndims) {
  if (ndims < 0)
    mck_local_report(call, MCK_CHECK_ARG_DIMS, "%s of %s is negative (%d)", what, mck_fn_names[call->fn], ndims);
}

// MPI-3.1 7.5.1: "The call is erroneous if it specifies a grid that is larger than the group size".
void mck_check_cartdims(struct mck_call *call, const char *what, const int *dims, int n, const struct mck_args *a) {
  mck_check_array(call, what, dims, n);
  int64_t product = 1, size = is_usable(a->comm) ? mck_comm_look_up(a->comm)->size : INT32_MAX;
  for (int i = 0; dims && i < n; i++) {
    if (dims[i] < 1) {
      mck_local_report(call, MCK_CHECK_ARG_DIMS, "%s[%d] of %s is %d, but must be positive", what, i,
                       mck_fn_names[call->fn], dims[i]);
      return;
    }
    product *= dims[i];
    if (product > size) {
      mck_local_report(call, MCK_CHECK_ARG_DIMS,
                       "%s of %s make a grid that is larger than the communicator (%lld ranks)", what,
                       mck_fn_names[call->fn], (long long)size);
      return;
    }
  }
}

// MPI_Dims_create: entries that are not zero are kept, and must divide nnodes (MPI-3.1 7.5.2).
void mck_check_freedims(struct mck_call *call, const char *what, const int *dims, int n, int nnodes) {
  mck_check_array(call, what, dims, n);
  int64_t product = 1;
  for (int i = 0; dims && i < n; i++) {
    if (dims[i] < 0) {
      mck_local_report(call, MCK_CHECK_ARG_DIMS, "%s[%d] of %s is negative (%d)", what, i, mck_fn_names[call->fn],
                       dims[i]);
      return;
    }
    if (dims[i] && product <= INT32_MAX) product *= dims[i];
  }
  if (dims && nnodes > 0 && nnodes % product)
    mck_local_report(call, MCK_CHECK_ARG_DIMS, "%s of %s fix %lld, which does not divide nnodes, %d", what,
                     mck_fn_names[call->fn], (long long)product, nnodes);
}

// Coordinates outside of a dimension that is not periodic (MPI-3.1 7.5.5).
void mck_check_cartcoords(struct mck_call *call, const char *what, const int *coords, const struct mck_args *a) {
  enum { MAX = 64 };
  int n = mck_cartdims(a), dims[MAX], periods[MAX], mine[MAX];
  mck_check_array(call, what, coords, n);
  if (!coords || n < 1 || n > MAX || PMPI_Cart_get(a->comm, n, dims, periods, mine) != MPI_SUCCESS) return;
  for (int i = 0; i < n; i++)
    if (!periods[i] && (coords[i] < 0 || coords[i] >= dims[i])) {
      mck_local_report(call, MCK_CHECK_ARG_DIMS,
                       "%s[%d] of %s is %d, but that dimension is not periodic and goes from 0 to %d", what, i,
                       mck_fn_names[call->fn], coords[i], dims[i] - 1);
      return;
    }
}

void mck_check_maxdims(struct mck_call *call, const char *what, int max, const struct mck_args *a) {
  int n = mck_cartdims(a);
  if (max < n)
    mck_local_report(call, MCK_CHECK_ARG_DIMS, "%s of %s is %d, but the grid has %d dimensions", what,
                     mck_fn_names[call->fn], max, n);
}

void mck_check_direction(struct mck_call *call, const char *what, int direction, const struct mck_args *a) {
  int n = mck_cartdims(a);
  if (n > 0 && (direction < 0 || direction >= n))
    mck_local_report(call, MCK_CHECK_ARG_DIMS, "%s of %s is %d, but the dimensions are 0 to %d", what,
                     mck_fn_names[call->fn], direction, n - 1);
}

// --- graphs (MPI-3.1 7.5.3): index[i] is how many neighbors the nodes 0 to i have, edges lists them ---
void mck_check_nnodes(struct mck_call *call, const char *what, int nnodes, const struct mck_args *a) {
  struct mck_comm *c = is_usable(a->comm) ? mck_comm_look_up(a->comm) : NULL;
  if (nnodes < 0 || (c && nnodes > c->size))
    mck_local_report(call, MCK_CHECK_ARG_DIMS, "%s of %s is %d, but the communicator has %d ranks", what,
                     mck_fn_names[call->fn], nnodes, c ? c->size : 0);
}

void mck_check_graphindex(struct mck_call *call, const char *what, const int *index, int n) {
  if (call->nfindings) return; // the check of n has failed
  mck_check_array(call, what, index, n);
  for (int i = 0; index && i < n; i++)
    if (index[i] < (i ? index[i - 1] : 0)) {
      mck_local_report(call, MCK_CHECK_ARG_DIMS,
                       "%s[%d] of %s is %d: each entry counts the neighbors of all nodes up to it", what, i,
                       mck_fn_names[call->fn], index[i]);
      return;
    }
}

void mck_check_graphedges(struct mck_call *call, const char *what, const int *edges, int n, const int *index) {
  int count = index && n > 0 && !call->nfindings ? index[n - 1] : 0;
  mck_check_array(call, what, edges, count);
  for (int i = 0; edges && i < count; i++)
    if (edges[i] < 0 || edges[i] >= n) {
      mck_local_report(call, MCK_CHECK_ARG_RANK, "%s[%d] of %s is %d, but the nodes are 0 to %d", what, i,
                       mck_fn_names[call->fn], edges[i], n - 1);
      return;
    }
}

static bool is_sentinel(const int *weights) { return weights == MPI_UNWEIGHTED || weights == MPI_WEIGHTS_EMPTY; }

// MPI-3.1 7.5.4: non-negative, MPI_UNWEIGHTED, or MPI_WEIGHTS_EMPTY for no neighbors.
void mck_check_weights(struct mck_call *call, const char *what, const int *weights, int n) {
  if (weights == MPI_WEIGHTS_EMPTY && n > 0) {
    mck_local_report(call, MCK_CHECK_ARG_DIMS, "%s of %s is MPI_WEIGHTS_EMPTY, but there %s %d neighbor%s", what,
                     mck_fn_names[call->fn], n == 1 ? "is" : "are", n, n == 1 ? "" : "s");
    return;
  }
  if (!is_sentinel(weights)) mck_check_counts(call, what, weights, n);
}
// There are as many weights as the sum of the degrees.
void mck_check_targetweights(struct mck_call *call, const char *what, const int *weights, int n, const int *degrees) {
  int64_t all = 0;
  for (int i = 0; degrees && i < n; i++) {
    if (degrees[i] < 0) return; // reported already
    all += degrees[i];
  }
  if (all <= INT32_MAX) mck_check_weights(call, what, weights, (int)all);
}
void mck_check_weightresults(struct mck_call *call, const char *what, const int *weights, int n) {
  if (!is_sentinel(weights)) mck_check_array(call, what, weights, n);
}
