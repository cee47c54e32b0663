// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts, gets, accumulates and flushes with which one look finds nothing wrong (plain-operation.c). given: the words of
// the arguments, as the wrapper keeps them for reports. begin: the event is written, and the library is to be called;
// false: nothing was done, and the call goes the usual way. end: the library has returned.
#pragma once
#include "record/call/call.h"

bool mck_plain_put_begin(struct mck_call *call, uint16_t fn, const uint64_t *given, const void *pc, const void *frame);
bool mck_plain_get_begin(struct mck_call *call, uint16_t fn, const uint64_t *given, const void *pc, const void *frame);
bool mck_plain_accumulate_begin(struct mck_call *call, uint16_t fn, const uint64_t *given, const void *pc,
                                const void *frame);
bool mck_plain_flush_begin(struct mck_call *call, uint16_t fn, const uint64_t *given, const void *pc,
                           const void *frame);
void mck_plain_put_end(struct mck_call *call, const uint64_t *given, int rc);
void mck_plain_get_end(struct mck_call *call, const uint64_t *given, int rc);
void mck_plain_accumulate_end(struct mck_call *call, const uint64_t *given, int rc);
void mck_plain_flush_end(struct mck_call *call, const uint64_t *given, int rc);
