// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hooks: what a generated wrapper calls (api/generate.py). A wrapper of class C is
//
//   struct mck_call call;
//   if (!mck_call_enter(&call, MCK_FN_MPI_Xyz, __builtin_return_address(0), __builtin_frame_address(0))) return
//   PMPI_Xyz(...); struct mck_args a = { ...every parameter whose role has a field of that name... }; call.given = ...;
//   // where a report of its failure finds the arguments mck_check_<role>(&call, "parameter", value[, &a]);   // for
//   each parameter whose role has a check below, in order mck_use...(&call, "parameter", ...);                 // for
//   each buffer, when the checks found nothing (record/buffer/buffer-bytes.h) mck_old_<kind>(&call, "parameter",
//   pointer);         // what the function frees (a new* role, inout), unless C does that mck_going(&call);
//   mck_held(&call, pointer);                            // what it stores a new object in
//   mck_<C>_before(&call, &a);                           // none for class local
//   int rc = PMPI_Xyz(...);                              // status(es), request(s) and argv of MPI_Init as in a, the
//   rest as given mck_<C>_after(&call, &a, rc);                        // none for class local mck_gone(&call, rc); //
//   if it frees something if (rc == MPI_SUCCESS) mck_new_<kind>(&call, pointer, ...);  // what the function makes (a
//   new* role, out), unless C does that if (rc == MPI_SUCCESS) mck_held_<kind>(&call, pointer); mck_call_leave(&call,
//   &a, rc); return rc;
//
// All run on the calling thread, in the caller's stack frame, and never fail.
#pragma once
#include <mpi.h>
#include "api/fns.h" // generated: enum mck_fn { MCK_FN_MPI_Abort, ... }, mck_fn_names[], mck_fn_classes[]
#include "base/base.h"

struct mck_comm;
struct mck_type;

// A buffer of a call: the bytes between the first and the last one that the call touches.
struct mck_use {
  const char *what; // the parameter's name; NULL: an entry that stands for nothing
  const char *low, *high;
  const char *address;
  int64_t count;
  const struct mck_type *type;    // exact bytes; NULL: all of [low, high)
  const struct mck_type *element; // the datatype itself; NULL: several
  uint32_t generation;            // of type
  bool is_written;
  bool is_exact; // false: it may have gaps of which nobody knows
  bool is_up_to; // what comes may be shorter
};
struct mck_call {
  union { // one word, so that the end of a call has one look at what is rare
    uint32_t special;
    struct {
      uint16_t nfindings;
      bool is_serialized; // MPI_THREAD_SERIALIZED: this is the call under way (thread-level.c)
      bool is_doubtful;   // found wrong, but it may do its work, as well as fail or kill the process (buffer-bytes.c)
    };
  };
  uint16_t fn;
  uint32_t site; // call stack, set on first use (mck_call_site)
  const void *pc, *frame;
  const MPI_Fint *variables; // a call of Fortran code: its request variables, whose copies the C wrapper gets; NULL
                             // otherwise
  struct mck_comm *comm; // what its communicator and its datatype were last found to be (mck_call_comm, mck_call_type)
  struct mck_type *type;
  uint32_t event;     // index of the event it left, or MCK_NONE
  uint32_t events[2]; // scratch of the hooks
  void *scratch;
  uint64_t held;     // handle in the variable that the call stores another one in, if we know it (handle-variable.c)
  uint64_t old;      // handle that the call frees, 0: none
  uint8_t old_kind;  // enum mck_object_kind
  bool is_gone;      // marked as freed
  const void *given; // the arguments, should the call fail: struct mck_args or words (record/error/argument-text.h)
  size_t arena;      // mark in the thread's arena (completion-array.c)
  unsigned nuses;    // buffers that the call reads and writes; set where it has several or keeps them
  struct mck_use uses[3];
  MPI_Status status; // stands in for MPI_STATUS_IGNORE when the source of a wildcard receive must be known
};

// Arguments by role; a wrapper fills what its function has, the rest is zero.
struct mck_args {
  const void *sendbuf;
  void *recvbuf; // buf of a send is sendbuf; of a receive recvbuf; Bcast's buffer is both; origin_addr of
                 // Put/Accumulate is sendbuf, of Get recvbuf; result_addr is recvbuf
  MPI_Aint sendcount, recvcount; // of the buffers (origin_count is sendcount, of Get recvcount; Bcast's, Allreduce's
                                 // and the like are both)
  MPI_Datatype sendtype, recvtype;
  const int *sendcounts, *recvcounts;        // of the v and w variants
  const MPI_Datatype *sendtypes, *recvtypes; // of the w variants
  int dest, source, sendtag, recvtag, root;  // root -1000 when there is none
  MPI_Op op;
  MPI_Comm comm, comm2; // comm2: peer_comm, second communicator
  MPI_Comm *newcomm;
  MPI_Group group;
  MPI_Group *newgroup;
  MPI_Request requestvalue, *request, *requests;
  int incount; // requests: array; incount: its length
  int *index, *outcount, *indices, *flag;
  MPI_Status *status, *statuses;
  MPI_Message *message;
  union {
    MPI_Win win;
    MPI_File file;
  };
  union {
    MPI_Win *newwin;
    MPI_File *newfile;
  };
  const void *base;
  MPI_Aint size;
  int disp_unit;
  MPI_Info info;
  const char *windowname;
  int target;
  MPI_Aint target_disp;
  int target_count;
  MPI_Datatype target_type;
  int assertion, lock_type;
  MPI_Datatype type;
  MPI_Datatype *newtype; // type: a single datatype argument (oldtype, Type_commit's via newtype)
  MPI_Op *newop;
  int required, *provided, errorcode, color, tag;
  int rank2; // of comm2: the other group's leader
  int64_t same;
  bool has_same; // what must be the same at all ranks (@same in api/mpi.txt)
};

bool mck_call_enter(struct mck_call *call, uint16_t fn, const void *pc, const void *frame);
void mck_call_leave(struct mck_call *call, const struct mck_args *a, int rc);

// Tests and probes that find nothing: no event, no look at the call stack, no look-up beside the request's own
// (quick-call.c). begin: the call is such a one as far as its arguments go, and the library is to be called; end: back
// from it.
struct mck_request;
struct mck_request *mck_quick_test_begin(const MPI_Request *request, const int *flag, const void *pc,
                                         const void *frame);
void mck_quick_test_end(struct mck_request *r, MPI_Request *request, int *flag, MPI_Status *status, int rc,
                        const void *pc, const void *frame);
bool mck_quick_iprobe_begin(int source, int tag, MPI_Comm comm, const int *flag, const MPI_Status *status,
                            const void *pc, const void *frame);
void mck_quick_iprobe_end(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status, int rc, const void *pc,
                          const void *frame);

// Nothing is wrong with these arguments of a message; false: nobody has looked closely yet.
bool mck_is_plain_message(struct mck_call *call, MPI_Comm comm, int peer, int tag, MPI_Datatype type, const void *buf,
                          int count);
// The error handler that the library is to be given for the user's (record/error/error-handler.c).
MPI_Comm_errhandler_function *mck_handler_comm(MPI_Comm_errhandler_function *user);
MPI_Win_errhandler_function *mck_handler_win(MPI_Win_errhandler_function *user);
MPI_File_errhandler_function *mck_handler_file(MPI_File_errhandler_function *user);

// Checks by role. what: the parameter's name.
#define MCK_HANDLES(X)                                                                                                 \
  X(comm, MPI_Comm)                                                                                                    \
  X(type, MPI_Datatype) X(win, MPI_Win) X(group, MPI_Group) X(op, MPI_Op) X(file, MPI_File) X(info, MPI_Info)          \
      X(errhandler, MPI_Errhandler) X(keyval, int) X(message, MPI_Message)
#define MCK_HANDLE_HOOKS(kind, type)                                                                                   \
  void mck_check_##kind(struct mck_call *call, const char *what, type value);      /* live, not null */                \
  void mck_old_##kind(struct mck_call *call, const char *what, const type *given); /* about to be freed */             \
  void mck_known_##kind(type value); /* MPI_..._f2c: live, whatever we thought */
MCK_HANDLES(MCK_HANDLE_HOOKS)
#undef MCK_HANDLE_HOOKS
// The program's from now on: to be freed by it.
void mck_new_comm(struct mck_call *call, const MPI_Comm *made);
void mck_new_group(struct mck_call *call, const MPI_Group *made);
void mck_new_op(struct mck_call *call, const MPI_Op *made);
void mck_new_type(struct mck_call *call, const MPI_Datatype *made);                   // unless it is a predefined one
void mck_new_types(struct mck_call *call, const MPI_Datatype *made, MPI_Datatype of); // MPI_Type_get_contents
void mck_new_file(struct mck_call *call, const MPI_File *made);
void mck_new_info(struct mck_call *call, const MPI_Info *made);
void mck_new_errhandler(struct mck_call *call, const MPI_Errhandler *made);
void mck_new_keyval(struct mck_call *call, const int *made, void (*delete_callback)(void));
void mck_new_message(struct mck_call *call, const MPI_Message *made, uint32_t event);
void mck_new_memory(struct mck_call *call, const void *baseptr); // void **, as MPI declares it
void mck_old_memory(struct mck_call *call, const char *what, const void *base);
void mck_known_request(MPI_Request value);
// Around a constructor: the variable that gets the handle, whose old one may be lost.
void mck_held(struct mck_call *call, const void *variable);
void mck_held_comm(const struct mck_call *call, const MPI_Comm *variable);
void mck_held_group(const struct mck_call *call, const MPI_Group *variable);
void mck_held_type(const struct mck_call *call, const MPI_Datatype *variable);
void mck_held_op(const struct mck_call *call, const MPI_Op *variable);
void mck_held_win(const struct mck_call *call, const MPI_Win *variable);
void mck_held_file(const struct mck_call *call, const MPI_File *variable);
void mck_held_info(const struct mck_call *call, const MPI_Info *variable);
void mck_held_errhandler(const struct mck_call *call, const MPI_Errhandler *variable);
void mck_check_request(struct mck_call *call, const char *what, MPI_Request request);
void mck_going(struct mck_call *call);        // what mck_old_ was given will be freed
void mck_gone(struct mck_call *call, int rc); // ... was freed, or lives on when the call failed
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
// --- buffer-bytes.c: the bytes of the buffers, after the checks and when they found nothing ---
enum mck_use_flags {
  MCK_USE_WRITTEN = 1, // else only read
  MCK_USE_KEPT = 2,    // beyond the call: nonblocking, persistent
  MCK_USE_ONLY = 4,    // the call's only buffer: nothing of it needs to be remembered
  MCK_USE_UP_TO = 8,   // what comes may be shorter (MPI-3.1 3.2.4, 13.4.1)
};
// argument: its number among the function's parameters, as the pass counts them.
void mck_use(struct mck_call *call, const char *what, int argument, const void *buffer, MPI_Aint count,
             MPI_Datatype type, unsigned flags);
// count elements for each of n neighbors, one behind the other.
void mck_use_blocks(struct mck_call *call, const char *what, int argument, const void *buffer, MPI_Aint count, int n,
                    MPI_Datatype type, unsigned flags);
// counts[i] elements of type at displs[i] extents, for each of n peers.
void mck_use_v(struct mck_call *call, const char *what, int argument, const void *buffer, const int *counts,
               const int *displs, int n, MPI_Datatype type, unsigned flags);
// counts[i] elements of types[i] at displs[i] bytes; wide: displs are MPI_Aint.
void mck_use_w(struct mck_call *call, const char *what, int argument, const void *buffer, const int *counts,
               const int *displs, int n, const MPI_Datatype *types, unsigned flags);
void mck_use_wide(struct mck_call *call, const char *what, int argument, const void *buffer, const int *counts,
                  const MPI_Aint *displs, int n, const MPI_Datatype *types, unsigned flags);
void mck_used(struct mck_call *call, unsigned flags); // all of them: among each other, and against the buffers in use
MPI_Aint mck_sum(const int *counts, int n);
MPI_Aint mck_own(const struct mck_args *a, const int *counts); // the entry of this process
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
void mck_check_position(struct mck_call *call, const char *what, const void *position, MPI_Aint size);
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
// Who is meant, and lengths that no parameter gives; 0 when the communicator is unknown or wrong.
bool mck_is_root(const struct mck_args *a);           // of comm; MPI_ROOT in an intercommunicator
bool mck_is_rank(const struct mck_args *a, int rank); // we are rank of comm
int mck_peers(const struct mck_args *a);              // ranks that one can send to
int mck_members(const struct mck_args *a);            // of our own group
int mck_sources(const struct mck_args *a);            // neighbors of comm's topology
int mck_destinations(const struct mck_args *a);
// Of those neighbors, a bit each: the ones beyond the border of a grid are MPI_PROC_NULL, and their blocks "neither
// communicated nor updated" (MPI-3.1 7.6).
uint64_t mck_absent(MPI_Comm comm);
bool mck_is_sending(const struct mck_args *a); // to any neighbor
int mck_cartdims(const struct mck_args *a);

// Classes. X(name) has mck_<name>_before and mck_<name>_after.
#define MCK_CLASSES(X)                                                                                                 \
  X(send)                                                                                                              \
  /* blocking sends */ X(isend) X(send_init) X(recv) X(irecv) X(recv_init) X(sendrecv) /* and _replace */              \
      X(probe) X(iprobe) X(mprobe) X(improbe) X(mrecv) X(imrecv) X(wait) X(waitany) X(waitall) X(waitsome) X(test)     \
          X(testany) X(testall) X(testsome) X(get_status) X(start) X(startall) X(request_free) X(cancel)               \
              X(coll) /* blocking collectives */ X(icoll) /* nonblocking: request */ X(coll_init)                      \
                  X(comm_new) /* collective over comm, newcomm; comm_create_group, intercomm_* too */ X(icomm_new)     \
                      X(comm_get) /* newcomm without communication: Comm_get_parent */ X(comm_free) X(group_new)       \
                          X(group_free) X(type_new) X(type_commit) X(type_free) X(op_new) X(op_free) X(win_new)        \
                              X(win_free) X(win_attach) X(win_detach) X(win_name) X(put) X(get) X(acc) X(rput) X(rget) \
                                  X(racc) X(fence) X(rma_sync) X(attach) X(detach) /* MPI_Buffer_attach, _detach */    \
      X(outside) /* other processes: spawn, accept, connect, join */                                                   \
      X(file_coll) /* collective over a file */ X(file_open) X(file_close) X(file) X(file_request) X(grequest) X(init) \
          X(finalize) X(abort)
#define MCK_HOOKS(name)                                                                                                \
  void mck_##name##_before(struct mck_call *call, struct mck_args *a);                                                 \
  void mck_##name##_after(struct mck_call *call, struct mck_args *a, int rc);
MCK_CLASSES(MCK_HOOKS)
#undef MCK_HOOKS
