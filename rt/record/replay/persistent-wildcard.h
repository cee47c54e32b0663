// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Persistent wildcard receives of a run with decisions (record/replay/replay.h). Which message a start is to get is
// known when it is started, but the library was told the source when the request was made. So each start that is
// decided gets a request of its own, for that source and tag, whose handle takes the place of the old one in the
// variable (MPI_Start may change it: INOUT, MPI-3.1 3.9). Other variables that hold the old handle get the new one
// when they are given to MPI. This is for one thread only, as all of replay.
#pragma once
#include "object/object.h"
#include "record/call/call-args.h"

extern bool mck_persistent_wildcard_is_on; // there is such a request
void mck_persistent_wildcard_define(const struct mck_args *a, MPI_Request made);
// The request is to be started. This may change *request, and the handle of r. Returns the flags of its event, and
// the decided source and tag.
uint8_t mck_persistent_wildcard_start(struct mck_request *r, MPI_Request *request, int *source, int *tag);
void mck_persistent_wildcard_renew(MPI_Request *requests, int n);
void mck_persistent_wildcard_free(MPI_Request request);
static inline void mck_persistent_wildcard_look(MPI_Request *requests, int n) {
  if (MCK_UNLIKELY(mck_persistent_wildcard_is_on) && requests) mck_persistent_wildcard_renew(requests, n);
}
