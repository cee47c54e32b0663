// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers in use: memory that belongs to an operation from its begin to its completion (signal.c). Under the lock.
#pragma once
#include "object/object.h"
#include "record/call/call.h"

void mck_buffer_begin(struct mck_buffer *b, const void *address, MPI_Aint count, const struct mck_type *type,
                      bool is_written, uint32_t site, uint16_t fn);
// false: nothing that can be watched.
bool mck_buffer_define(struct mck_buffer *b, const void *address, MPI_Aint count, const struct mck_type *type,
                       bool is_written, uint16_t fn);
void mck_buffer_restart(struct mck_buffer *b, uint32_t site); // a persistent request's buffer, filled in before
void mck_buffer_end(struct mck_buffer *b);
void mck_request_begin_uses(struct mck_request *r, const struct mck_call *call); // the buffers that mck_use named
// Of an RMA operation, until mck_window_complete; one like the last costs next to nothing.
void mck_buffer_begin_rma(struct mck_window *w, int target, const void *address, MPI_Aint count,
                          const struct mck_type *t, bool is_written, uint32_t site, uint16_t fn);
// The operations' buffers are free again. target: -1 for all targets.
void mck_window_complete(struct mck_window *w, int target, struct mck_call *call);
void mck_overlap_begin(struct mck_buffer *b); // buffer-overlap.c
