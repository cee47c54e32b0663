// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Worker threads: a step for each of n items, by this thread and some others. The judge uses them on rank 0 in
// MPI_Finalize, where the other ranks sleep, and on the files of a dead run. No two items write the same memory.
#pragma once
#include "base/base.h"
#include "base/huge-pages.h"

// The number of threads that so many events are worth: 1 to 8, at most as many as this process may use cores.
unsigned mck_workers_size(uint64_t events);
// Does the steps in any order, and returns when all are done. Fewer threads do the work where no more can be made.
void mck_workers_run(uint32_t n, unsigned nthreads, void (*step)(void *context, uint32_t item), void *context);
