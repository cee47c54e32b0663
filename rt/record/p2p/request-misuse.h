// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests against their life cycle (request-misuse.c). Each function but the first reports what is wrong with the
// call, if anything is.
#pragma once
#include "object/object.h"
#include "record/call/call.h"
#include "report/finding.h"

__attribute__((format(printf, 4, 5), cold)) void
mck_request_misused(struct mck_call *call, enum mck_check check, const struct mck_request *r, const char *format, ...);
// The request is in no table: is it stale, or is it no handle?
void mck_request_unknown(struct mck_call *call, const char *what, MPI_Request request);
void mck_request_null(struct mck_call *call, const char *what);
void mck_request_check_free(struct mck_call *call, const struct mck_request *r);
void mck_request_check_cancel(struct mck_call *call, const struct mck_request *r);
bool mck_request_check_start(struct mck_call *call, const struct mck_request *r); // true: it may be started
// A wait for nothing. r: NULL for null requests.
void mck_request_check_idle(struct mck_call *call, const struct mck_request *r);
