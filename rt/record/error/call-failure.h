// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that fail: the library returned an error code, or it called an error handler (call-failure.c).
#pragma once
#include "record/call/call.h"

void mck_failure_describe(int code, char *text, size_t size); // "MPI_ERR_OP: invalid reduce operation"
void mck_failure_returned(struct mck_call *call, const struct mck_args *a, int rc);
// An error handler is called with a code and the library's word for what failed: before a user's handler runs, or
// before MPI ends the run.
void mck_failure_handled(const char *word, int code, bool is_fatal);
