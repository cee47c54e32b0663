// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks that have called no MPI function for long while others stand and wait. Nothing is wrong with that by itself, so
// it is a note: who, where the others are, and (record/run/hang-report.c) where that rank is. Private to room watch.
#pragma once
#include "watch/proof/proof.h"

struct mck_hang {
  uint64_t calls;
  int64_t since_ns;
  bool is_told;
}; // of one rank
// One look at a rank that is in no call that blocks; true: it has been so for limit_ns. Else forget: it is in one.
bool mck_hang_look(struct mck_hang *hang, const struct mck_log_header *h, int64_t now_ns, int64_t limit_ns);
void mck_hang_forget(struct mck_hang *hang);
// What all ranks do now, as a finding of that check: MCK_CHECK_HANG_COMPUTING of rank, or MCK_CHECK_HANG_ASKED. Leaves
// the graph for mck_watch_take_graph.
void mck_watch_survey(const struct mck_reader *logs, const struct mck_snapshot *marks, const uint8_t *patience,
                      uint32_t size, enum mck_check check, int rank, struct mck_findings *findings);
