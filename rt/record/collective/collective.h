// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events of collectives (collective.c).
#pragma once
#include "log/event.h"
#include "record/call/call-args.h"
#include "record/call/call.h"

// Into the event: the argument that must be the same at all ranks. A rank that gives MPI_UNDEFINED to
// MPI_Comm_split_type takes no part (MPI-3.1 6.4.2).
static inline void mck_coll_same(struct mck_event *e, const struct mck_args *a) {
  if (MCK_LIKELY(!a->has_same) || (e->fn == MCK_FN_MPI_Comm_split_type && a->same == MPI_UNDEFINED)) return;
  e->flags |= MCK_COLL_HAS_SAME;
  e->coll.count = (uint64_t)a->same;
}
// Writes a COLL; under the lock. MCK_NONE: its communicator is not logged.
uint32_t mck_coll_log(struct mck_call *call, const struct mck_args *a);
// The request of the event just logged. NULL: it is not to be tracked.
struct mck_request *mck_coll_track(struct mck_call *call, struct mck_args *a);
