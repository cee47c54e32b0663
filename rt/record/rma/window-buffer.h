// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers of operations that lie in window memory (window-buffer.c). Under the lock.
#pragma once
#include "object/object.h"

// A buffer of the operation whose event was written last, as far as it lies in window memory.
void mck_window_buffer_log(const void *address, int64_t count, const struct mck_type *type, bool is_written,
                           uint32_t site);
bool mck_window_buffer_is_outside(const void *low, const void *high); // of all windows
void mck_window_buffer_unmake(uint32_t event);                        // with the operation's
