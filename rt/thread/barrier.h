// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier: what each strand did before it is ordered before what any of them does behind it.
#pragma once
#include "thread/strand.h"

struct mck_barrier {
  uint32_t n; // strands
  struct mck_meeting {
    struct mck_times clock;
    uint32_t narrived;
    bool is_left, is_era; // the first one has left; an era has ended then
  } meetings[2];          // by phase: a fast strand may be at the next one while another is leaving this one
};

void mck_barrier_arrive(struct mck_barrier *barrier, struct mck_strand *strand, uint32_t phase);
// also: what else the barrier waited for, or NULL; the first one that leaves takes and clears it.
void mck_barrier_leave(struct mck_barrier *barrier, struct mck_strand *strand, uint32_t phase, struct mck_times *also);
void mck_barrier_clear(struct mck_barrier *barrier);
