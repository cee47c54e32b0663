// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RMA: races on window memory in a whole run, decided by completed-before (Diep and Thoai, "A Time-Stamping System to
// Preserve the Ordering of Events in MPI One-Sided Communication"), which MPI-3.1 11.7 calls the order of accesses.
// Called by judge/whole/whole.c on rank 0, and on the files of a dead run. Functions over readers of logs; no MPI.
//
//   window-table.c    which windows of different logs are one
//   operation-completion.c       one pass over each log: where each operation is complete, which post a start meets,
//   who holds which lock known-events.c       the walk of room order, with vector clocks of those ranks only that do
//   something to a window completed-before.c  accesses in the order of the walk, and the whole access-intervals.c what
//   has been done to each byte, as intervals: only what overlaps is ever compared conflict.c   what may not be done at
//   once (MPI-3.1 11.7.1) possible-order.c     what no clock knows: who came first by a lock, or by an atomic operation
//   that another one read attachment.c   when which memory was attached to a dynamic window open-operations.c what is
//   not over where a log is cut race-finding.c       the findings, and why nothing orders the two
//
// Completed-before, as it is here. An access a of rank p precedes an access b of rank q if b was issued after q had
// heard, along whatever edges, that a was complete: for a load or store that p had gone past it, for an operation that
// the call which completes it *at the target* had returned (C1 of the paper: fence, unlock, flush; for start and
// complete that is the target's wait, R4). A post comes before its start (R3: "strong synchronization").
//
// What is not known is never a race: ranks that heard something of which the log does not say what (a receive without
// a match, a collective whose data flow we do not know) have heard everything; exclusive locks order their holders in
// either way; so does an atomic operation that may have read what another wrote. Where the run has more of the unknown
// than that (code that sends unseen, logs that are missing), nothing is judged, and that is said.
#pragma once
#include "order/order.h"
#include "report/finding.h"

// Does this log have windows that the judge of fence epochs (judge/window/fence-sweep.c) leaves alone?
bool mck_rma_is_wanted(const struct mck_reader *log);
// logs: of one run, by rank. doubts: mck_order_doubts. pairs: strict. is_cut: the run goes on (judge/cut/cut.h): two
// operations that are both not complete yet stay in the logs (open-operations.h), and are judged later.
void mck_rma_judge(const struct mck_reader *logs, size_t n, const struct mck_pairs *pairs, unsigned doubts, bool is_cut,
                   struct mck_findings *findings);
