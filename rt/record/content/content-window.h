// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The content of window memory (option flow): a copy of it, and what has changed at each look. Under the lock.
#pragma once
#include "object/object.h"
#include "record/call/call.h"

extern bool mck_content_has_windows; // some window is looked at
void mck_content_window_begin(struct mck_call *call, struct mck_window *w);
void mck_content_window_end(struct mck_window *w);
// What has changed in the own part since the last look is written to the log, before the event of the call or behind
// its end. It is a load of all of the part.
void mck_content_window_look(struct mck_call *call, struct mck_window *w, bool is_behind);
// Behind a call that may have told this process that operations of others are complete: all windows of at most so many
// bytes.
void mck_content_windows_look(struct mck_call *call, uint64_t size);
// MPI writes these bytes by a call that is no one-sided operation: no event says when. So nothing is said of a window
// that has some of them.
void mck_content_window_used(struct mck_call *call, const void *low, const void *high);
