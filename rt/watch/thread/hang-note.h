// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes about ranks that have called no MPI function for long while others wait. That need not be wrong, so it is a
// note. It names the rank, where the others are, and where that rank is (record/run/hang-report.c). Private to the room
// watch.
#pragma once
#include "watch/proof/proof.h"

struct mck_hang {
  uint64_t calls;
  int64_t since_ns;
  bool is_told;
}; // the state of one rank
// Takes a look at a rank that is in no blocking call. Returns true when it has been so for limit_ns. For a rank in a
// blocking call, mck_hang_forget is called instead.
bool mck_hang_look(struct mck_hang *hang, const struct mck_log_header *h, int64_t now_ns, int64_t limit_ns);
void mck_hang_forget(struct mck_hang *hang);
// Makes a finding of what all ranks do now: MCK_CHECK_HANG_COMPUTING of rank, or MCK_CHECK_HANG_ASKED. The graph is
// left for mck_watch_take_graph.
void mck_watch_survey(const struct mck_reader *logs, const struct mck_snapshot *marks, const uint8_t *patience,
                      uint32_t size, enum mck_check check, int rank, struct mck_findings *findings);
