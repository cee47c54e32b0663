// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers in use: memory that belongs to an operation from its begin to its completion. All calls are made under the
// lock.
#pragma once
#include "object/object.h"
#include "record/call/call.h"

void mck_buffer_begin(struct mck_buffer *b, const void *address, MPI_Aint count, const struct mck_type *type,
                      bool is_written, uint32_t site, uint16_t fn);
// Fills in the bytes of a buffer. false: there is nothing that can be watched.
bool mck_buffer_define(struct mck_buffer *b, const void *address, MPI_Aint count, const struct mck_type *type,
                       bool is_written, uint16_t fn);
void mck_buffer_restart(struct mck_buffer *b, uint32_t site); // a persistent request's buffer, filled in before
// Bytes of the own part of a window, filled in, that an operation uses at its target. They are compared with the
// buffers of other operations, and with nothing else: all else about them the judge says.
void mck_buffer_begin_target(struct mck_buffer *b);
void mck_buffer_end(struct mck_buffer *b);
// The operation is complete, but the pages stay marked until mck_buffer_leave, or until the buffer is in use again
// (record/rma/parked-buffer.h).
void mck_buffer_park(struct mck_buffer *b);
void mck_buffer_revive(struct mck_buffer *b);
void mck_request_begin_uses(struct mck_request *r, const struct mck_call *call); // the buffers that mck_use named
// The bytes are not looked at any more: they were freed, and a finding has said so. The operation goes on.
void mck_buffer_leave(struct mck_buffer *b);
// buffer-overlap.c: compares the bytes with those of other operations.
void mck_overlap_look(const struct mck_buffer *b);
void mck_overlap_look_at_target(const struct mck_buffer *target); // of bytes that an operation uses at its target
// What the operation does with the bytes of a buffer: "is sending from" and the like.
const char *mck_buffer_role(const struct mck_buffer *b);
// When they are free again, with the section of the standard.
const char *mck_buffer_rule(const struct mck_buffer *b);
