// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clocks of a run with clocks=online (clock/online-clock.h) in this process: they look at the log before each event
// of it, and at each send and collective when its event is there (mck_rt.is_online). What they found is told in
// MPI_Finalize.
#pragma once
#include "record/runtime.h"

void mck_online_start(bool is_one_node); // collective, of all ranks that have the option
void mck_online_look(void);              // all calls that the log has have returned
void mck_online_begin(uint32_t event);   // a send or collective that is in the log now, and not yet in MPI; MCK_NONE:
                                         // none
void mck_online_recycle(void (*visit)(uint32_t *event)); // log recycled: the events that are asked for again
void mck_online_recycled(void);                          // ... and the new log is there
void mck_online_finish(void);                            // collective: all ranks have entered MPI_Finalize
