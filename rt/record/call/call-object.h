// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The communicator and the datatype of a call. The call keeps what was found last, so there is one look-up per call,
// however many checks and hooks ask. Tables grow under the lock, so they are searched under it; an entry that was found
// stays where it is.
#pragma once
#include "record/call/call.h"
#include "record/runtime.h"

static inline struct mck_comm *mck_call_comm(struct mck_call *call, MPI_Comm comm) {
  if (call->comm && call->comm->object.handle == (uint64_t)(uintptr_t)comm) return call->comm;
  mck_lock();
  call->comm = mck_comm_find(comm);
  mck_unlock();
  return call->comm;
}

// Under the lock.
static inline struct mck_type *mck_call_type(struct mck_call *call, MPI_Datatype type) {
  return call->type && call->type->object.handle == (uint64_t)(uintptr_t)type ? call->type : mck_type_find(type);
}

static inline struct mck_comm *mck_comm_look_up(MPI_Comm comm) { // where there is no call that could keep it
  mck_lock();
  struct mck_comm *c = mck_comm_find(comm);
  mck_unlock();
  return c;
}
