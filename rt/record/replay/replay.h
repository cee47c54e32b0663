// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replay: a run whose wildcard receives and probes get the messages that a file of decisions names (options replay,
// take; docs/wrappers.md). MPI_ANY_SOURCE and MPI_ANY_TAG become that source and tag before the library sees them.
// The event has a flag for this (MCK_FLAG_FORCED_*), and waits for that message only.
#pragma once
#include "record/call/call-args.h"

extern bool mck_replay_is_on; // set once, in MPI_Init
void mck_replay_open(void);
// The next wildcard of this process is posted: its source and tag are set if they are decided. Returns the flags of
// its event.
uint8_t mck_replay_force(struct mck_args *a);
// The same for a nonblocking probe; it does not count before it has found a message.
uint8_t mck_replay_peek(struct mck_args *a);
void mck_replay_count(void);
