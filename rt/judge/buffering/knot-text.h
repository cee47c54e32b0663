// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the finding of a knot of a rerun that stands still: its ranks, the calls that they would wait in, and what
// comes too late (unsafe-send.h).
#pragma once
#include "judge/buffering/standstill.h"

static inline bool mck_knot_has(const struct mck_standstill *s, uint32_t log, uint32_t knot) {
  return s->graph.knot[log] == knot;
}
static inline const struct mck_event *mck_knot_call(const struct mck_rerun *r, uint32_t log) {
  return &r->logs[log].reader->events[r->logs[log].at];
}
static inline uint32_t mck_knot_rank(const struct mck_rerun *r, uint32_t log) {
  return r->logs[log].reader->header->rank;
}
// Adds headline, places and reasons. f has its check: MCK_CHECK_DEADLOCK_BUFFERING or MCK_CHECK_DEADLOCK_COLLECTIVE.
void mck_knot_describe(struct mck_finding *f, struct mck_standstill *s, uint32_t knot, uint32_t nmembers);
