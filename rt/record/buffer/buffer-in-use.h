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
void mck_buffer_end(struct mck_buffer *b);
void mck_request_begin_uses(struct mck_request *r, const struct mck_call *call); // the buffers that mck_use named
// A buffer of an RMA operation, in use until mck_window_complete. If it is the same as the last one, this costs next to
// nothing.
void mck_buffer_begin_rma(struct mck_window *w, int target, const void *address, MPI_Aint count,
                          const struct mck_type *t, bool is_written, uint32_t site, uint16_t fn);
// The operations' buffers are free again. target: -1 for all targets.
void mck_window_complete(struct mck_window *w, int target, struct mck_call *call);
void mck_overlap_begin(struct mck_buffer *b); // buffer-overlap.c

// For signal.c: the buffers of RMA operations by page, so that an access is compared with few of them. A buffer that
// begins in page p and ends in it or the next one is in mck_buffers_by_page[p % MCK_BUFFER_BUCKETS], a longer one in
// mck_buffers_long. All other buffers are found as ranges (buffer-overlap.c).
enum { MCK_BUFFER_BUCKETS = 1024 };
extern struct mck_buffer *mck_buffers_by_page[MCK_BUFFER_BUCKETS], *mck_buffers_long;
extern size_t mck_nactive; // how many there are
