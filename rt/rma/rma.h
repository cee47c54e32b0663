// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RMA: races on window memory in a whole run, decided by completed-before (Diep and Thoai, "A Time-Stamping System to
// Preserve the Ordering of Events in MPI One-Sided Communication"), which MPI-3.1 11.7 calls the order of accesses.
// judge/whole/whole.c calls it on rank 0, and on the files of a dead run. Functions over readers of logs; no MPI.
//
//   window-table.c          which windows of different logs are one
//   operation-completion.c  one pass over each log: where each operation is complete, which post belongs to a start
//   message-completion.c    ... where sends and receives are that use window memory, if their own log does not say it
//   section.c               ... which lock epochs and atomic operations come one after another
//   rma-judge.c             the walk of room order over all logs
//   known-events.c          its vector clocks, of those ranks only that do something to a window
//   window-access.c         which events access which bytes
//   completed-before.c      accesses in the order of the walk, compared with what is on record for their bytes
//   access-intervals.c      these records, as intervals: only accesses that overlap are ever compared
//   possible-order.c        what no clock knows: which holder of a lock was first, which atomic operation another read
//   attachment.c            when which memory was attached to a dynamic window
//   open-operations.c       what is not over where a log is cut
//   freed-memory.c          operations on memory that its owner freed before
//   missing-sync.c          loads and stores of a shared window without MPI_Win_sync between them
//   untrue-order.c          assertions of posts, starts and locks that are not true
//   untrue-fence.c          the same of fences
//   race-explanation.c      the findings, and why nothing orders the two accesses
//   race-finding.c          their text, also of those that the sweep over fence epochs finds (judge/window)
//   access-order.h          the rule that decides whether two accesses are ordered, for the walk and for the sweep
//   fence-epoch.c           which pairs the sweep leaves to the walk
//   unshared.c              operations that no other rank can conflict with: they leave the logs before these are
//   gathered
// What conflicts if nothing orders it is in standard/conflict.h.
//
// Completed-before, as it is here. An access a of rank p precedes an access b of rank q if, along whatever edges, q
// knew before b was issued that a was complete. A load or store is complete when p has gone past it. An operation is
// complete when the call that completes it *at the target* has returned (C1 of the paper: fence, unlock, flush; for
// start and complete that is the target's wait, R4). A post comes before its start (R3: "strong synchronization").
//
// What is not known is never a race. A rank that learned something of which the log does not say what (a receive
// without a match, a collective whose data flow is not known) may know everything. Exclusive locks order their holders
// in either way, and so does an atomic operation that may have read what another one wrote. Where more than that is
// unknown in a run (code that sends unseen, logs that are missing), nothing is judged, and a note says so.
#pragma once
#include "order/order.h"
#include "report/finding.h"

// Does this log have windows that are synchronized by more than fences? (The sweep of judge/window finds the pairs of
// the others.)
bool mck_rma_is_wanted(const struct mck_reader *log);
// What is asked for, and of what.
enum mck_rma_scope {
  MCK_RMA_EPOCHS = 1, // windows that are synchronized by more than fences
  MCK_RMA_FENCES = 2, // what the sweep left open of the others (fence-epoch.h)
  MCK_RMA_CUT = 4 // the run goes on (judge/cut/cut.h): two operations that are both not complete yet stay in the logs
                  // (open-operations.h), and are judged later
};
// logs: of one run, by rank. doubts: mck_order_doubts. pairs: strict.
void mck_rma_judge(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs, unsigned doubts,
                   unsigned scope, struct mck_findings *findings);
