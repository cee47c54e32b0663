// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a collective's buffers at this rank: what it sends to each rank, and receives from each (MPI-3.1 5.4 to
// 5.11, 7.6). Private to the sub-room content; under the lock.
#pragma once
#include "record/call/call-args.h"
#include "record/content/content-event.h"

struct mck_content_list {
  struct mck_content_part *items; // owned by the caller
  size_t n, capacity;
};
// Appends what the rank sends (receives). event and flags of the parts are not set.
void mck_content_list_parts(struct mck_content_list *list, uint16_t fn, const struct mck_args *a, bool is_received);
