// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers of operations that lie in window memory (window-buffer.c). Under the lock.
#pragma once
#include "object/object.h"
#include "record/access/touched-range.h"
#include "record/call/call.h"
#include "record/runtime.h"

struct mck_bytes;

// A buffer of the operation whose event was written last, as far as it lies in window memory.
void mck_window_buffer_log(const void *address, int64_t count, const struct mck_type *type, bool is_written,
                           uint32_t site);
bool mck_window_buffer_is_outside(const void *low, const void *high); // of all windows
// Also without the lock. false: that is still to be looked up.
static inline bool mck_window_buffer_is_apart(const void *low, int64_t size) {
  return MCK_LIKELY(!mck_nwindows) || (!mck_is_locked() && mck_window_buffer_is_outside(low, (const char *)low + size));
}
void mck_window_buffer_unmake(uint32_t event); // with the operation's

// Buffers of sends, receives and collectives. begin: a blocking call, before its event is written: what it sends.
// stored: it has returned, and has written these bytes. posted: a nonblocking one, right behind its event. started: a
// persistent request, likewise.
void mck_window_message_begin(struct mck_call *call);
void mck_window_message_stored(struct mck_call *call, const struct mck_bytes *bytes);
void mck_window_message_posted(struct mck_call *call);
void mck_window_message_started(const struct mck_request *r, uint32_t site);

// Buffers of files. begun: behind a nonblocking call, or the begin of a split one: an event to be completed with, or
// MCK_NONE. ended: behind the end of a split one. read: behind a blocking call.
uint32_t mck_window_file_begun(struct mck_call *call);
void mck_window_file_ended(struct mck_call *call, uint32_t begun);
void mck_window_file_read(struct mck_call *call, const struct mck_args *a);
