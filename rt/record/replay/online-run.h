// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clocks of a run with clocks=online (clock/online-clock.h) in this process. They look at the log before each
// event of it, and at each send and collective when its event is there (mck_rt.is_online). What they found is
// reported in MPI_Finalize.
#pragma once
#include <stdbool.h>
#include <stdint.h>

void mck_online_start(bool is_one_node); // collective, of all ranks that have the option
void mck_online_look(void);              // all calls in the log have returned
// A send or collective is in the log now, and not yet in MPI; MCK_NONE: there is none.
void mck_online_begin(uint32_t event);
void mck_online_recycle(void (*visit)(uint32_t *event)); // the log is recycled: visits the events that are still needed
void mck_online_recycled(void);                          // the log is recycled, and the new log is there
void mck_online_finish(void);                            // collective: all ranks have entered MPI_Finalize
