// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of send buffers, with the option hash_sends (buffer-hash.c): the buffer must not change while it is in use.
#pragma once
#include "object/object.h"

void mck_buffer_hash_begin(struct mck_buffer *b);
void mck_buffer_hash_check(struct mck_request *r, uint32_t site); // the operation is complete
