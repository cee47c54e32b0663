// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole: the one place where analyses of a whole run are called that need the events of all ranks at once: on rank 0 in
// MPI_Finalize (exchange.c, log-gather.c bring it the logs) and on the files of a dead run (log-files.c), alike. A run
// in which nobody asks for one pays one bit in an allreduce that is made anyway.
//
// Unsafe sends, which nearly every run asks for, are looked for in the first events of each log only (option
// buffering_events): programs are loops.
//
// To add one: a need, if none fits, in mck_whole_need_of; a row in the table of whole.c.
#pragma once
#include "judge/judge.h"
#include "order/order.h"
#include "order/plain-run.h"

enum mck_whole_need {
  MCK_WHOLE_WILDCARDS = 1, // a receive or probe whose message was not told by its arguments
  MCK_WHOLE_RMA = 2,       // a window that is synchronized by more than fences
  MCK_WHOLE_READY = 8,     // ready sends
  MCK_WHOLE_SENDS = 4,     // standard sends of which the library decides whether they wait
  MCK_WHOLE_CUT = 16,      // asks for nothing: the run goes on (cut.h)
  MCK_WHOLE_PAIRS = 32,    // asks for nothing: the run is not plain (order/plain-run.h)
  MCK_WHOLE_WORLDS = 64, // asks for nothing: another world takes part, which may order what messages that we see do not
                         // (standard/function.h)
};
// What the analyses get. Logs of one run in the order of their ranks, each rank at most once; of a recycled one only
// what was not settled before (judge/cut/cut.h). is_complete: all ranks are there and reached MPI_Finalize with whole
// logs.
struct mck_whole {
  const struct mck_reader *logs;
  size_t n;
  struct mck_judge_run run;
  unsigned needs;                // of all logs
  const struct mck_pairs *pairs; // strict; what it cannot know: mck_order_doubts
  unsigned doubts;
  struct mck_findings *findings; // to be added to
};

// What an event asks for; of all events of a log together, what the options leave of that.
unsigned mck_whole_need_of(const struct mck_event *e, uint64_t index,
                           uint64_t left);                         // left: units of its log from e on
unsigned mck_whole_needs_of_windows(const struct mck_reader *log); // whatever is done to them
unsigned mck_whole_wanted(unsigned needs);
unsigned mck_whole_needs(const struct mck_reader *log); // both
// Of each log as many units are looked at, if nothing but these is needed. UINT64_MAX: all.
uint64_t mck_whole_units(unsigned needs, size_t nlogs);
// Of what all ranks want: nothing, if nobody asks for anything.
unsigned mck_whole_agreed(unsigned needs);
// Do texts say what is needed? Then the logs need only be there in parts, and of all of them the first units; false:
// nothing is judged, by pairs it may be.
bool mck_whole_takes_texts(unsigned needs);
bool mck_whole_judge_texts(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run, unsigned needs,
                           struct mck_texts *texts, struct mck_findings *findings);
void mck_whole_judge(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run, unsigned needs,
                     struct mck_findings *findings);
