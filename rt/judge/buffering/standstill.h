// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Standstill: the wait-for graph of the rerun (synchronous-rerun.h) at a point where no rank can go on. It is an AND/OR
// graph (waitfor/waitfor.h, the model of MUST). A log that may go on by another match, or by another outcome of a test,
// than in the run counts as moving: then nothing follows.
#pragma once
#include "judge/buffering/synchronous-rerun.h"
#include "waitfor/waitfor.h"

struct mck_standstill {
  struct mck_rerun *rerun;
  uint64_t *budget;         // the steps that are left for looking through logs, at all standstills together
  struct mck_waitfor graph; // nodes 0 to n - 1 are the logs
  uint32_t *meetings;
  size_t nmeetings, capacity; // in threes: series, number in it, node
  bool is_short;
};
// Makes the graph and solves it. Returns false when out of memory.
bool mck_standstill_make(struct mck_standstill *s, struct mck_rerun *rerun, uint64_t *budget);
void mck_standstill_free(struct mck_standstill *s);
// The k-th standard send that the log waits for and whose receiver is in the same knot (knot UINT32_MAX: in any state).
// Returns false when there is none.
bool mck_standstill_send(struct mck_standstill *s, uint32_t log, uint32_t knot, uint32_t k, uint32_t *op);
// The event with which the other log enters the collective that the log waits in. MCK_NONE: it is not found.
uint32_t mck_standstill_late_entry(struct mck_standstill *s, uint32_t log, uint32_t other);
