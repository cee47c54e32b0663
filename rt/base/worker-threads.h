// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Crew: one step for each of n items, by this thread and some others. The judge uses it on rank 0 in MPI_Finalize,
// where the other ranks sleep, and over the files of a dead run. Items share nothing that they write.
#pragma once
#include "base/base.h"
#include "base/huge-pages.h"

// How many threads so many events are worth: 1 to 8, no more than this process may use cores.
unsigned mck_crew_size(uint64_t events);
// Any order; returns when all are done. A thread that cannot be had is done without.
void mck_crew_run(uint32_t n, unsigned nthreads, void (*step)(void *context, uint32_t item), void *context);
