// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of send buffers, with the option hash_sends (buffer-hash.c): the buffer must not change while it is in use.
// With the option flow the content has them (record/content), and says what was changed.
#pragma once
#include "object/object.h"

void mck_buffer_hash_begin(struct mck_buffer *b);
void mck_buffer_hash_check(struct mck_request *r, uint32_t site); // the operation is complete
void mck_buffer_hash_note(struct mck_buffer *b);                  // the content of the buffer is known from now on
// It is another one now. Nothing is said if a store to it was seen meanwhile, or others may store to a window.
void mck_buffer_hash_changed(struct mck_buffer *b, uint32_t site);
