// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program looks at of the status of a call, as its code shows (plugin/Statuses.cpp): the parts that another
// message may not change. And receives whose source is that of a probe's status: both together are one receive.
#pragma once
#include "log/envelope.h"

// The MCK_TOLD_ bits of the call at this site; 0: nothing is known.
static inline uint32_t mck_told_at(const struct mck_reader *log, uint32_t site) {
  return site < log->nstacks ? log->stacks[site].status : 0;
}
// What the program looks at: MCK_TOLD_SOURCE, _TAG, _COUNT. e: a receive or probe, or the call that completes one.
static inline unsigned mck_told_of(const struct mck_reader *log, const struct mck_event *e) {
  uint32_t told = mck_told_at(log, e->site);
  return told & MCK_TOLD_KNOWN ? told & MCK_TOLD_ALL : MCK_TOLD_ALL;
}
// The same of a receive or probe whose call may ignore the status: its data may name a rank all the same (SOURCE;
// plugin/RankFlow.h).
static inline unsigned mck_told_by(const struct mck_reader *log, const struct mck_event *e) {
  uint32_t told = mck_told_at(log, e->site);
  if (!mck_event_ignores_status(e)) return mck_told_of(log, e);
  return told & MCK_TOLD_KNOWN ? told & MCK_TOLD_SOURCE : 0;
}
// Does the source of this probe go to a receive, and nowhere else?
static inline bool mck_told_is_passed(const struct mck_reader *log, const struct mck_event *probe) {
  return probe->kind == MCK_EV_PROBE && mck_event_any_source(probe) && mck_told_at(log, probe->site) & MCK_TOLD_PASSED;
}
// The receive that this probe's source goes to, if nothing that matters stands between the two: it gets whatever
// message the probe finds. MCK_NONE: there is none.
uint32_t mck_told_receive(const struct mck_reader *log, uint32_t probe);
