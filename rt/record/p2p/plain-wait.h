// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI_Wait for the usual request: an active send or receive without wildcard, which is not persistent (plain-wait.c).
// begin: the event is written, and the library is to be called; false: nothing was done, and the call goes the usual
// way. end: the library has returned.
#pragma once
#include "record/call/call-args.h"
#include "record/call/call.h"

bool mck_plain_wait_begin(struct mck_call *call, uint16_t fn, const struct mck_args *a, const void *pc,
                          const void *frame);
void mck_plain_wait_end(struct mck_call *call, struct mck_args *a, int rc);
