// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole: the one place where analyses of a whole run are called that need the events of all ranks at once: on rank 0 in
// MPI_Finalize (exchange.c, gather.c bring it the logs) and on the files of a dead run (files.c), alike. A run in which
// nobody asks for one pays one bit in an allreduce that is made anyway.
//
// To add one: a need, if none fits, in mck_whole_needs; a row in the table of whole.c.
#pragma once
#include "judge/judge.h"
#include "order/order.h"

enum mck_whole_need {
  MCK_WHOLE_WILDCARDS = 1,  // a receive or probe whose message was not told by its arguments
  MCK_WHOLE_RMA = 2,        // a window that is synchronized by more than fences
  MCK_WHOLE_READY = 8,      // ready sends
  MCK_WHOLE_SENDS = 4,      // standard sends of which the library decides whether they wait
};
// What the analyses get. Logs of one run in the order of their ranks, each rank at most once; of a recycled one only what
// was not settled before (judge/cut.h). is_complete: all ranks are there and reached MPI_Finalize with whole logs.
struct mck_whole {
  const struct mck_reader *logs;
  size_t n;
  struct mck_judge_run run;
  unsigned needs;                 // of all logs
  const struct mck_pairs *pairs;  // strict; what it cannot know: mck_order_doubts
  unsigned doubts;
  struct mck_findings *findings;  // to be added to
};

// What this log asks for.
unsigned mck_whole_needs(const struct mck_reader *log);
void mck_whole_judge(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run, unsigned needs,
                     struct mck_findings *findings);
