// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings about datatypes (check-buffer.c, check-type.c). Under the lock.
#pragma once
#include "object/object.h"
#include "record/call/call-args.h"
#include "record/call/call.h"

void mck_check_uncommitted(struct mck_call *call, const char *what, const struct mck_type *t); // reports it
void mck_check_commit_twice(struct mck_call *call, MPI_Datatype type);
// Of a type that may be misaligned, or may have overlapping parts.
__attribute__((cold)) void mck_check_misaligned(struct mck_call *call, const struct mck_type *t, const void *buf,
                                                MPI_Aint count, const struct mck_args *a, bool is_sent);
__attribute__((cold)) void mck_check_overlap(struct mck_call *call, const char *what, struct mck_type *t,
                                             MPI_Aint count, const struct mck_args *a);
