// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stamps: a copy of a rank's clock is made only when it is needed and the clock has changed since the last copy. So
// calls between two changes share one stamp.
#pragma once
#include <string.h>
#include "clock/clock-state.h"

static inline uint32_t mck_clock_keep(struct mck_clock *c, const uint32_t *clock) {
  size_t at = c->nstamps * c->ncomponents;
  if (c->nstamps >= MCK_NONE - 1 ||
      !mck_base_grow((void **)&c->stamps, &c->stamps_capacity, at + c->ncomponents, sizeof *c->stamps))
    return c->is_short = true, 0;
  memcpy(c->stamps + at, clock, c->ncomponents * sizeof *clock);
  return (uint32_t)c->nstamps++;
}

static inline uint32_t mck_clock_stamp_now(struct mck_clock *c, struct mck_clock_log *log) {
  if (log->latest == MCK_NONE) log->latest = mck_clock_keep(c, log->clock);
  return log->latest;
}

static inline bool mck_clock_raise(uint32_t *clock, const uint32_t *by, uint32_t n) {
  bool is_changed = false;
  for (uint32_t i = 0; i < n; i++)
    if (clock[i] < by[i]) clock[i] = by[i], is_changed = true;
  return is_changed;
}

static inline void mck_clock_merge(struct mck_clock *c, struct mck_clock_log *log, uint32_t stamp) {
  c->counts->merges++;
  if (stamp != log->latest && mck_clock_raise(log->clock, mck_clock_stamp(c, stamp), c->ncomponents))
    log->latest = MCK_NONE;
}

// Takes over what a call of another log knew: its stamp. The stamps of a log are numbered as its clock grows, so a
// stamp below the last one that was taken over brings nothing.
static inline void mck_clock_merge_known(struct mck_clock *c, struct mck_clock_log *log, uint32_t other,
                                         uint32_t stamp) {
  if (log->merged && stamp < log->merged[other]) {
    c->counts->merges++;
    return;
  }
  if (log->merged) log->merged[other] = stamp + 1;
  mck_clock_merge(c, log, stamp);
}

static inline void mck_clock_merge_from(struct mck_clock *c, struct mck_clock_log *log, struct mck_pair of) {
  mck_clock_merge_known(c, log, of.log, c->by_log[of.log].stamps[of.index]);
}
