// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers, broadcasts and reductions to all with which one look finds nothing wrong (plain-collective.c). given: the
// words of the arguments, as the wrapper keeps them for reports. begin: the event is written, and the library is to be
// called; false: nothing was done, and the call goes the usual way. end: the library has returned.
#pragma once
#include "record/call/call.h"

bool mck_plain_barrier_begin(struct mck_call *call, uint16_t fn, const uint64_t *given, const void *pc,
                             const void *frame);
bool mck_plain_bcast_begin(struct mck_call *call, uint16_t fn, const uint64_t *given, const void *pc,
                           const void *frame);
bool mck_plain_allreduce_begin(struct mck_call *call, uint16_t fn, const uint64_t *given, const void *pc,
                               const void *frame);
void mck_plain_barrier_end(struct mck_call *call, const uint64_t *given, int rc);
void mck_plain_bcast_end(struct mck_call *call, const uint64_t *given, int rc);
void mck_plain_allreduce_end(struct mck_call *call, const uint64_t *given, int rc);
