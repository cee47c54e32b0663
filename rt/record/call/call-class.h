// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classes of MPI functions (rt/api/mpi.txt). X(name) has mck_<name>_before and mck_<name>_after.
#pragma once
#include "record/call/call-args.h"
#include "record/call/call.h"

// clang-format off
#define MCK_CLASSES(X) \
  X(send) /* blocking sends */ X(isend) X(send_init) X(recv) X(irecv) X(recv_init) X(sendrecv) /* and _replace */ \
  X(probe) X(iprobe) X(mprobe) X(improbe) X(mrecv) X(imrecv) \
  X(wait) X(waitany) X(waitall) X(waitsome) X(test) X(testany) X(testall) X(testsome) X(get_status) \
  X(start) X(startall) X(request_free) X(cancel) \
  X(coll) /* blocking collectives */ X(icoll) /* nonblocking: request */ X(coll_init) \
  X(comm_new) /* collective over comm, newcomm; comm_create_group, intercomm_* too */ X(icomm_new) \
  X(comm_get) /* newcomm without communication: Comm_get_parent */ X(comm_free) X(group_new) X(group_free) \
  X(type_new) X(type_commit) X(type_free) X(op_new) X(op_free) \
  X(win_new) X(win_free) X(win_attach) X(win_detach) X(win_name) \
  X(put) X(get) X(acc) X(rput) X(rget) X(racc) X(fence) X(rma_sync) \
  X(attach) X(detach) /* MPI_Buffer_attach, _detach */ \
  X(outside) /* other processes: spawn, accept, connect, join */ \
  X(file_coll) /* collective over a file */ X(file_open) X(file_close) X(file) X(file_request) X(grequest) \
  X(init) X(finalize) X(abort)
// clang-format on
#define MCK_HOOKS(name)                                                                                                \
  void mck_##name##_before(struct mck_call *call, struct mck_args *a);                                                 \
  void mck_##name##_after(struct mck_call *call, struct mck_args *a, int rc);
MCK_CLASSES(MCK_HOOKS)
#undef MCK_HOOKS
