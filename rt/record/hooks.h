// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hooks: what a generated wrapper calls (api/generate.py). A wrapper of class C is
//
//   struct mck_call call;
//   if (!mck_call_enter(&call, MCK_FN_MPI_Xyz, __builtin_return_address(0), __builtin_frame_address(0))) return PMPI_Xyz(...);
//   struct mck_args a = { ...every parameter whose role has a field of that name... };
//   mck_check_<role>(&call, "parameter", value[, &a]);   // for each parameter whose role has a check below, in order
//   mck_<C>_before(&call, &a);                           // none for class local
//   int rc = PMPI_Xyz(...);                              // status(es), request(s) and argv of MPI_Init as in a, the rest as given
//   mck_<C>_after(&call, &a, rc);                        // none for class local
//   mck_call_leave(&call, &a, rc);
//   return rc;
//
// All run on the calling thread, in the caller's stack frame, and never fail.
#pragma once
#include <mpi.h>
#include "api/fns.h"       // generated: enum mck_fn { MCK_FN_MPI_Abort, ... }, mck_fn_names[], mck_fn_classes[]
#include "base/base.h"

struct mck_call {
  uint16_t fn;
  uint16_t nfindings;
  uint32_t site;          // call stack, set on first use (mck_call_site)
  const void *pc, *frame;
  const MPI_Fint *variables;  // a call of Fortran code: its request variables, whose copies the C wrapper gets; NULL otherwise
  uint32_t event;         // index of the event it left, or MCK_NONE
  uint32_t events[2];     // scratch of the hooks
  void *scratch;
  size_t arena;           // mark in the thread's arena (complete.c)
  MPI_Status status;      // stands in for MPI_STATUS_IGNORE when the source of a wildcard receive must be known
};

// Arguments by role; a wrapper fills what its function has, the rest is zero.
struct mck_args {
  const void *sendbuf;  void *recvbuf;           // buf of a send is sendbuf; of a receive recvbuf; Bcast's buffer is both; origin_addr of Put/Accumulate is sendbuf, of Get recvbuf; result_addr is recvbuf
  MPI_Aint sendcount, recvcount;                 // of the buffers (origin_count is sendcount, of Get recvcount; Bcast's, Allreduce's and the like are both)
  MPI_Datatype sendtype, recvtype;
  int dest, source, sendtag, recvtag, root;      // root -1000 when there is none
  MPI_Op op;
  MPI_Comm comm, comm2;                          // comm2: peer_comm, second communicator
  MPI_Comm *newcomm;
  MPI_Group group; MPI_Group *newgroup;
  MPI_Request *request, *requests; int incount;  // requests: array; incount: its length
  int *index, *outcount, *indices, *flag;
  MPI_Status *status, *statuses;
  MPI_Message *message;
  MPI_Win win; MPI_Win *newwin; void *base; MPI_Aint size; int disp_unit;
  int target; MPI_Aint target_disp; int target_count; MPI_Datatype target_type;
  int assertion, lock_type;
  MPI_Datatype type; MPI_Datatype *newtype;      // type: a single datatype argument (oldtype, Type_commit's via newtype)
  MPI_Op *newop;
  int required, *provided, errorcode, color, tag;
};

bool mck_call_enter(struct mck_call *call, uint16_t fn, const void *pc, const void *frame);
void mck_call_leave(struct mck_call *call, const struct mck_args *a, int rc);

// Checks by role. what: the parameter's name.
void mck_check_comm(struct mck_call *call, const char *what, MPI_Comm comm);
void mck_check_type(struct mck_call *call, const char *what, MPI_Datatype type);
void mck_check_group(struct mck_call *call, const char *what, MPI_Group group);
void mck_check_op(struct mck_call *call, const char *what, MPI_Op op);
void mck_check_win(struct mck_call *call, const char *what, MPI_Win win);
void mck_check_count(struct mck_call *call, const char *what, MPI_Aint count);
void mck_check_dest(struct mck_call *call, const char *what, int rank, const struct mck_args *a);    // rank of comm or PROC_NULL
void mck_check_source(struct mck_call *call, const char *what, int rank, const struct mck_args *a);  // also ANY_SOURCE
void mck_check_root(struct mck_call *call, const char *what, int rank, const struct mck_args *a);
void mck_check_target(struct mck_call *call, const char *what, int rank, const struct mck_args *a);  // rank of win's group or PROC_NULL
void mck_check_sendtag(struct mck_call *call, const char *what, int tag, const struct mck_args *a);
void mck_check_recvtag(struct mck_call *call, const char *what, int tag, const struct mck_args *a);
void mck_check_sendbuf(struct mck_call *call, const char *what, const void *buf, const struct mck_args *a);
void mck_check_recvbuf(struct mck_call *call, const char *what, const void *buf, const struct mck_args *a);

// Classes. X(name) has mck_<name>_before and mck_<name>_after.
#define MCK_CLASSES(X) \
  X(send) /* blocking sends */ X(isend) X(send_init) X(recv) X(irecv) X(recv_init) X(sendrecv) /* and _replace */ \
  X(probe) X(iprobe) X(mprobe) X(improbe) X(mrecv) X(imrecv) \
  X(wait) X(waitany) X(waitall) X(waitsome) X(test) X(testany) X(testall) X(testsome) \
  X(start) X(startall) X(request_free) X(cancel) \
  X(coll) /* blocking collectives */ X(icoll) /* nonblocking: request */ X(coll_init) \
  X(comm_new) /* collective over comm, newcomm; comm_create_group, intercomm_* too */ X(icomm_new) X(comm_get) /* newcomm without communication: Comm_get_parent */ X(comm_free) \
  X(group_new) X(group_free) X(type_new) X(type_commit) X(type_free) X(op_new) X(op_free) \
  X(win_new) X(win_free) X(put) X(get) X(acc) X(rput) X(rget) X(racc) X(fence) X(rma_sync) \
  X(file_coll) /* collective over a file: logged as a call only */ \
  X(init) X(finalize) X(abort)
#define MCK_HOOKS(name) \
  void mck_##name##_before(struct mck_call *call, struct mck_args *a); \
  void mck_##name##_after(struct mck_call *call, struct mck_args *a, int rc);
MCK_CLASSES(MCK_HOOKS)
#undef MCK_HOOKS
