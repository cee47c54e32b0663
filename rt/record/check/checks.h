// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of arguments by role (rt/api/mpi.txt); the generated wrappers call them. call: gets the findings; what: the
// parameter's name; a: all arguments of the call, where a check needs more than the value.
#pragma once
#include "record/call/call-args.h"
#include "record/call/call.h"
#include "record/check/group-size.h"
#include "record/object/handle-kind.h"

// Nothing is wrong with these arguments of a message. false: the checks must be made one by one.
bool mck_is_plain_message(struct mck_call *call, MPI_Comm comm, int peer, int tag, MPI_Datatype type, const void *buf,
                          int count);

// Handles: live, and not null.
#define MCK_HANDLE_CHECK(kind, type) void mck_check_##kind(struct mck_call *call, const char *what, type value);
MCK_HANDLES(MCK_HANDLE_CHECK)
#undef MCK_HANDLE_CHECK
void mck_check_request(struct mck_call *call, const char *what, MPI_Request request);

// Arguments of messages.
void mck_check_count(struct mck_call *call, const char *what, MPI_Aint count);
void mck_check_dest(struct mck_call *call, const char *what, int rank,
                    const struct mck_args *a); // rank of comm or PROC_NULL
void mck_check_source(struct mck_call *call, const char *what, int rank, const struct mck_args *a); // also ANY_SOURCE
void mck_check_root(struct mck_call *call, const char *what, int rank, const struct mck_args *a);
void mck_check_target(struct mck_call *call, const char *what, int rank,
                      const struct mck_args *a); // rank of win's group or PROC_NULL
void mck_check_sendtag(struct mck_call *call, const char *what, int tag, const struct mck_args *a);
void mck_check_recvtag(struct mck_call *call, const char *what, int tag, const struct mck_args *a);
void mck_check_sendbuf(struct mck_call *call, const char *what, const void *buf, const struct mck_args *a);
void mck_check_recvbuf(struct mck_call *call, const char *what, const void *buf, const struct mck_args *a);
enum mck_in_place { MCK_IN_PLACE_NEVER, MCK_IN_PLACE_ALLOWED, MCK_IN_PLACE_AT_ROOT };
void mck_check_in_place_failed(struct mck_call *call, const char *what, enum mck_in_place where,
                               const struct mck_args *a);
static inline void mck_check_in_place(struct mck_call *call, const char *what, const void *buf, enum mck_in_place where,
                                      const struct mck_args *a) {
  if (MCK_UNLIKELY(buf == MPI_IN_PLACE)) mck_check_in_place_failed(call, what, where, a);
}
void mck_check_pointer_failed(struct mck_call *call, const char *what);
static inline void mck_check_pointer(struct mck_call *call, const char *what, const void *pointer) {
  if (MCK_UNLIKELY(!pointer)) mck_check_pointer_failed(call, what);
}

// Buffers.
void mck_check_null_buffer(struct mck_call *call, const char *what, const void *buf, MPI_Aint count, MPI_Datatype type);
void mck_check_buffer(struct mck_call *call, const char *what, const void *buf, MPI_Aint count, MPI_Datatype type);
// Of counts[i] elements of type, or of types[i], for each of n peers.
void mck_check_buffer_v(struct mck_call *call, const char *what, const void *buf, const int *counts, int n,
                        MPI_Datatype type);
void mck_check_buffer_w(struct mck_call *call, const char *what, const void *buf, const int *counts, int n,
                        const MPI_Datatype *types);
// Of counts[own rank] elements, or of all of them in place.
void mck_check_buffer_own(struct mck_call *call, const char *what, const void *buf, const int *counts,
                          const struct mck_args *a);
void mck_check_base(struct mck_call *call, const char *what, const void *base, MPI_Aint size);
// Datatypes: type may be uncommitted (others are made of it), commtype must be committed, and so must committed, which
// checks nothing else.
void mck_check_commtype(struct mck_call *call, const char *what, MPI_Datatype type);
// ... of count elements in a buffer that is sent, received or (buf NULL) written elsewhere, and must not write a byte
// twice then.
void mck_check_sendtype(struct mck_call *call, const char *what, MPI_Datatype type, const void *buf, MPI_Aint count,
                        const struct mck_args *a);
void mck_check_recvtype(struct mck_call *call, const char *what, MPI_Datatype type, const void *buf, MPI_Aint count,
                        const struct mck_args *a);
// The parts of a receive buffer, counts[i] elements of type at displs[i] (in elements); of types[i] at displs[i] bytes,
// an int or an MPI_Aint.
void mck_check_parts(struct mck_call *call, const char *what, const int *displs, int n, const int *counts,
                     MPI_Datatype type, const struct mck_args *a);
void mck_check_parts_w(struct mck_call *call, const char *what, const void *displs, int n, size_t size,
                       const int *counts, const MPI_Datatype *types);
// One of the constants that are given.
#define mck_check_constant(call, what, value, ...)                                                                     \
  mck_check_one_of(call, what, value, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
void mck_check_one_of(struct mck_call *call, const char *what, int value, const int *constants, size_t n);
void mck_check_distribs(struct mck_call *call, const char *what, const int *distribs, int n);
// Files (MPI-3.1 13.2.1, 13.3, 13.4).
void mck_check_amode(struct mck_call *call, const char *what, int amode);
void mck_check_seekto(struct mck_call *call, const char *what, MPI_Offset offset, int whence);
void mck_check_filetype(struct mck_call *call, const char *what, MPI_Datatype type, const struct mck_args *a);
void mck_check_newdatarep(struct mck_call *call, const char *what, const char *name);
void mck_check_datarep(struct mck_call *call, const char *what, const char *name);
void mck_check_buffered(struct mck_call *call, const char *what, int count,
                        const struct mck_args *a); // MPI_Bsend: is there room?
// Functions that MPI has given up (option pedantic): what to use instead.
void mck_check_deprecated_failed(struct mck_call *call, const char *what, bool is_removed);
static inline void mck_check_deprecated(struct mck_call *call, const char *what, bool is_removed) {
  if (MCK_UNLIKELY(mck_options.pedantic)) mck_check_deprecated_failed(call, what, is_removed);
}
void mck_check_committed(struct mck_call *call, const char *what, MPI_Datatype type);
void mck_check_types(struct mck_call *call, const char *what, const MPI_Datatype *types, int n);
void mck_check_commtypes(struct mck_call *call, const char *what, const MPI_Datatype *types, int n);
// Numbers and arrays of n entries.
void mck_check_array(struct mck_call *call, const char *what, const void *array, int n);
void mck_check_counts(struct mck_call *call, const char *what, const int *counts, int n);
void mck_check_size(struct mck_call *call, const char *what, int64_t size);
void mck_check_sizes(struct mck_call *call, const char *what, const int *sizes, int n);
void mck_check_subsizes(struct mck_call *call, const char *what, const int *subsizes, int n, const int *sizes);
void mck_check_starts(struct mck_call *call, const char *what, const int *starts, int n, const int *sizes,
                      const int *subsizes);
void mck_check_psizes(struct mck_call *call, const char *what, const int *psizes, int n, int size);
void mck_check_disp_unit(struct mck_call *call, const char *what, int unit);
void mck_check_displacement(struct mck_call *call, const char *what, int64_t displacement);
void mck_check_viewdisp(struct mck_call *call, const char *what, MPI_Offset displacement, const struct mck_args *a);
void mck_check_target_disp(struct mck_call *call, const char *what, MPI_Aint displacement, const struct mck_args *a);
void mck_check_position(struct mck_call *call, const char *what, const void *position, MPI_Aint size, size_t width);
void mck_check_assertion(struct mck_call *call, const char *what, int assertion, int allowed);
void mck_check_key(struct mck_call *call, const char *what, const char *key);
void mck_check_value(struct mck_call *call, const char *what, const char *value);
void mck_check_color(struct mck_call *call, const char *what, int color);
void mck_check_tag(struct mck_call *call, const char *what, int tag);
// Ranks: of comm, of the peer communicator comm2, below a number, of group.
void mck_check_rank(struct mck_call *call, const char *what, int rank, const struct mck_args *a);
void mck_check_rank2(struct mck_call *call, const char *what, int rank, const struct mck_args *a);
void mck_check_below(struct mck_call *call, const char *what, int rank, int size);
void mck_check_commranks(struct mck_call *call, const char *what, const int *ranks, int n, const struct mck_args *a);
void mck_check_targets(struct mck_call *call, const char *what, const int *targets, int n, const int *degrees,
                       const struct mck_args *a);
void mck_check_ranks(struct mck_call *call, const char *what, const int *ranks, int n, const struct mck_args *a);
void mck_check_someranks(struct mck_call *call, const char *what, const int *ranks, int n, const struct mck_args *a);
void mck_check_ranges(struct mck_call *call, const char *what, int (*ranges)[3], int n, const struct mck_args *a);
// Kinds of communicators, and topologies.
void mck_check_intra(struct mck_call *call, const char *what, MPI_Comm comm);
void mck_check_inter(struct mck_call *call, const char *what, MPI_Comm comm);
void mck_check_cart(struct mck_call *call, const char *what, MPI_Comm comm);
void mck_check_graph(struct mck_call *call, const char *what, MPI_Comm comm);
void mck_check_dist(struct mck_call *call, const char *what, MPI_Comm comm);
void mck_check_topo(struct mck_call *call, const char *what, MPI_Comm comm);
void mck_check_ndims(struct mck_call *call, const char *what, int ndims);
void mck_check_cartdims(struct mck_call *call, const char *what, const int *dims, int n, const struct mck_args *a);
void mck_check_freedims(struct mck_call *call, const char *what, const int *dims, int n, int nnodes);
void mck_check_cartcoords(struct mck_call *call, const char *what, const int *coords, const struct mck_args *a);
void mck_check_maxdims(struct mck_call *call, const char *what, int max, const struct mck_args *a);
void mck_check_direction(struct mck_call *call, const char *what, int direction, const struct mck_args *a);
void mck_check_nnodes(struct mck_call *call, const char *what, int nnodes, const struct mck_args *a);
void mck_check_graphindex(struct mck_call *call, const char *what, const int *index, int n);
void mck_check_graphedges(struct mck_call *call, const char *what, const int *edges, int n, const int *index);
void mck_check_weights(struct mck_call *call, const char *what, const int *weights, int n);
void mck_check_targetweights(struct mck_call *call, const char *what, const int *weights, int n, const int *degrees);
void mck_check_weightresults(struct mck_call *call, const char *what, const int *weights, int n);
