// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strand events: which strand (thread/thread-order.h) makes the events from here on, and what it has learned of others
// since its last one. They are written once several strands live. Under the lock, but for mck_strand_return.
#pragma once
#include "record/call/call.h"
#include "thread/thread-order.h"

extern bool mck_strand_is_on; // the log has STRAND events
// A call that blocks is over with an event of its own: several strands may call MPI, and the log has STRAND events.
extern bool mck_strand_has_returns;
// Does the log go on with another strand than the last one, or has it learned something?
bool mck_strand_is_new(void);
void mck_strand_write(void); // behind what the strand before it has left in the tables of touched ranges
void mck_strand_return(const struct mck_call *call);
