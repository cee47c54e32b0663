// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Standstill: in the rerun (synchronous-rerun.h) nobody can go on. Who waits for whom, as an AND/OR graph
// (waitfor/waitfor.h, MUST's model). A log that may go on by another match, or by another outcome of a test, than those
// of the run moves: then nothing follows.
#pragma once
#include "judge/buffering/synchronous-rerun.h"
#include "waitfor/waitfor.h"

struct mck_standstill {
  struct mck_rerun *rerun;
  uint64_t *budget;         // steps left for looking through logs, over all standstills
  struct mck_waitfor graph; // nodes 0 to n-1: logs
  uint32_t *meetings;
  size_t nmeetings, capacity; // pairs of series and number, and their node
  bool is_short;
};
bool mck_standstill_make(struct mck_standstill *s, struct mck_rerun *rerun,
                         uint64_t *budget); // and solves it; false: out of memory
void mck_standstill_free(struct mck_standstill *s);
// The k-th standard send that log waits for and whose receiver is in the same knot (UINT32_MAX: in any state). False:
// none.
bool mck_standstill_send(struct mck_standstill *s, uint32_t log, uint32_t knot, uint32_t k, uint32_t *op);
