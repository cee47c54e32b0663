// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Narrow: persistent wildcard receives of a run with decisions (record/replay/replay.h). What a start is to get is
// known when it is started, and the library was told at the making; so each start that is decided gets a request of its
// own, of that source and tag, whose handle takes the place of the old one in the variable (MPI_Start may change it:
// INOUT, MPI-3.1 3.9). Other variables that hold the old one get the new one when they are given to MPI. One thread
// only, as replay.
#pragma once
#include "record/runtime.h"

extern bool mck_narrow_is_on; // there is such a request
void mck_narrow_define(const struct mck_args *a, MPI_Request made);
// It is to be started: may change *request, and the handle of r. Returns the flags of its event, and what was decided.
uint8_t mck_narrow_start(struct mck_request *r, MPI_Request *request, int *source, int *tag);
void mck_narrow_renew(MPI_Request *requests, int n);
void mck_narrow_free(MPI_Request request);
static inline void mck_narrow_look(MPI_Request *requests, int n) {
  if (MCK_UNLIKELY(mck_narrow_is_on) && requests) mck_narrow_renew(requests, n);
}
