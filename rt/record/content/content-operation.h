// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The content of the buffers of one-sided operations (option flow). Under the lock.
#pragma once
#include "object/object.h"
#include "record/call/call.h"

void mck_content_operation_before(struct mck_call *call);
void mck_content_operation_after(struct mck_call *call, struct mck_window *w, int target);
// Operations of the window for this target (-1: any) are complete at their origin; or that of this event.
void mck_content_operations_end(const struct mck_window *w, int target);
void mck_content_operation_end(uint32_t event, bool is_known); // is_known: its buffers are as the operation left them
