// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The content of collectives, part by part (content-collective.c). Private to the sub-room content; under the lock.
#pragma once
#include "object/object.h"
#include "record/call/call-args.h"
#include "record/call/call.h"

void mck_content_collective_before(struct mck_call *call, const struct mck_args *a);
// request: of a nonblocking one, whose parts are looked at when it is complete.
void mck_content_collective_after(struct mck_call *call, const struct mck_args *a, struct mck_request *request);
void mck_content_collective_end(struct mck_request *request, bool is_known);
