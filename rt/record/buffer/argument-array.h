// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Argument arrays of nonblocking collectives: counts, displacements and datatypes "should not be modified until the
// collective operation completes" (MPI-3.1 5.12). All calls are made under the lock.
#pragma once
#include "object/object.h"
#include "record/call/call-args.h"
#include "record/call/call.h"

void mck_arrays_begin(const struct mck_call *call, const struct mck_args *a, struct mck_request *r);
void mck_arrays_end(struct mck_request *r); // the operation is complete, or it is not known when it is
// Local arrays whose function has returned: the call completes the operation.
void mck_arrays_check_left(struct mck_call *call, struct mck_request *r);
