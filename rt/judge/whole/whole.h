// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole: the analyses of a whole run that need the events of all ranks at once. They run on rank 0 in MPI_Finalize
// (exchange.c; log-gather.c brings the logs) and on the files of a dead run (log-files.c).
//
// A run that needs none of them pays one bit in an allreduce that is made anyway. Unsafe sends, which nearly every run
// needs, are looked for in the first events of each log only (option buffering_events), because programs are loops.
//
// A new analysis needs a row in the table of whole.c, and a need in mck_whole_need_of if none fits.
#pragma once
#include "judge/judge.h"
#include "order/order.h"
#include "order/plain-run.h"

enum mck_whole_need {
  MCK_WHOLE_WILDCARDS = 1, // a receive or probe with a wildcard
  MCK_WHOLE_RMA = 2,       // a window that is synchronized by more than fences
  MCK_WHOLE_READY = 8,     // ready sends
  MCK_WHOLE_SENDS = 4,     // standard sends, of which the library decides whether they wait
  MCK_WHOLE_CUT = 16,      // needs no analysis: the run goes on (cut.h)
  MCK_WHOLE_PAIRS = 32,    // needs no analysis: the run is not plain (order/plain-run.h)
  MCK_WHOLE_FENCES = 128,  // accesses in fence epochs that messages may have ordered (rma/fence-epoch.h)
  MCK_WHOLE_FILES = 256,   // something is written to a file
  MCK_WHOLE_FLOW = 512,    // the content of buffers was recorded
  MCK_WHOLE_WORLDS = 64,   // needs no analysis: processes of another world may order what our messages do not
                           // (standard/function.h)
};
// The input of the analyses: logs of one run in the order of their ranks, each rank at most once. A recycled log has
// only what was not settled before (judge/cut/cut.h). run.is_complete: all ranks are there, and reached MPI_Finalize
// with whole logs.
struct mck_whole {
  const struct mck_reader *logs;
  size_t n;
  struct mck_judge_run run;
  unsigned needs;                // of all logs together
  const struct mck_pairs *pairs; // strict; mck_order_doubts says what they cannot know
  unsigned doubts;
  struct mck_findings *findings; // the analyses add their findings here
};

// What an event needs; left: units of its log from e on.
unsigned mck_whole_need_of(const struct mck_event *e, uint64_t index, uint64_t left);
unsigned mck_whole_needs_of_windows(const struct mck_reader *log); // of its windows, whatever happens on them
unsigned mck_whole_wanted(unsigned needs);                         // those that the options leave
unsigned mck_whole_needs(const struct mck_reader *log); // of all events and windows, as far as options leave them
// The limit of units of each log, if only these are needed. UINT64_MAX: no limit.
uint64_t mck_whole_units(unsigned needs, size_t nlogs);
// What is left of the needs of all ranks together: nothing, if no analysis is needed.
unsigned mck_whole_agreed(unsigned needs);
// Can plain logs give what is needed? Then only parts of the logs must be there, and the first units of all of them.
// mck_whole_judge_plain_run returns false when it has judged nothing: then pairs may do.
bool mck_whole_takes_plain_run(unsigned needs);
bool mck_whole_judge_plain_run(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run, unsigned needs,
                               struct mck_plain_run *plain_run, struct mck_findings *findings);
void mck_whole_judge(const struct mck_reader *logs, size_t n, const struct mck_judge_run *run, unsigned needs,
                     struct mck_findings *findings);
