// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Call stacks as sites: a site is a number that the log defines by its frames (stack.c).
#pragma once
#include "record/call/call.h"
#include "record/runtime.h"

uint32_t mck_stack_site(const void *pc, const void *frame); // under the lock
uint32_t mck_stack_site_at(const void *pc); // the site of one address, without its callers; under the lock
// The frames of a site, for a report by this process alone. Returns how many.
unsigned mck_stack_frames(uint32_t site, struct mck_frame *frames, unsigned max);
// Does the calling thread's stack hold these bytes, as far as it is known?
bool mck_stack_is_own(const void *low, const void *high);
// The frames of the code that a signal has interrupted, as DEF_STACK has them. Those of the C library are left out: it
// calls back for the program's own line. context: the handler's third argument. is_of_program: the frames from the
// first one of the program and its own libraries on; none where there is no such one.
unsigned mck_stack_of_signal(const void *context, bool is_of_program, uint64_t *frames, unsigned max);
void mck_stack_rewrite(void); // defines all sites again, in a log that was just made
static inline uint32_t mck_call_site(struct mck_call *call) {
  if (call->site == MCK_NONE) call->site = mck_stack_site(call->pc, call->frame);
  return call->site;
}
