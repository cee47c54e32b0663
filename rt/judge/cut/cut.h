// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cut: judging a run that goes on, so that its logs can be recycled (docs/design/incremental.md).
//
// All ranks are behind the same synchronizing collective. What is settled is judged and leaves the logs. What is left
// is a log again, so neither the judge at the end nor the one on files has to know of cuts.
//
//   index_cut, parcels    as always, but the caller names the operations that are not complete
//   decide                judges what is settled, and makes verdicts: how much of each channel and sequence that was
//   take                  a rank learns from all verdicts how much of its sends and collectives is settled
//   make_remaining_log    the units that stay
//
// Three things are settled:
//
//   messages     the first ones of a channel that have both send and receive, up to the first receive that may still
//                change: it is incomplete, or a wildcard without a match
//   collectives  the first ones of a communicator that all members have entered and in which they agree
//   fences       epochs that are closed
//
// An analysis that needs state across a cut keeps it as units, too. remaining-log.c is the only place where
// units stay or go.
#pragma once
#include "judge/judge.h"

// The events that requests and matched messages still refer to, ascending.
struct mck_pending {
  const uint32_t *events;
  size_t count;
};
// left_out: accesses to files are not there, of which this event of the old log is one; NULL: none are missing.
// moved: the new index of each pending event. The last event is the synchronizing collective, kept as a plain call, so
// that a run that dies next has a last call.
struct mck_remaining_log {
  struct mck_event *events;
  size_t count, capacity; // in units
  uint32_t *moved;        // [number of the pending event]
  const struct mck_event *left_out;
};

struct mck_judge *mck_judge_index_cut(const struct mck_reader *log, uint32_t size, const struct mck_pending *pending);
// After decide: the verdicts. NULL: out of memory.
const struct mck_parcels *mck_judge_verdicts(const struct mck_judge *judge);
// Returns false when the verdict is malformed.
bool mck_judge_take(struct mck_judge *judge, int rank, const struct mck_parcel *verdict);
// Returns false when out of memory. Call mck_remaining_log_free in any case.
bool mck_judge_make_remaining_log(const struct mck_judge *judge, struct mck_remaining_log *remaining);
void mck_remaining_log_free(struct mck_remaining_log *remaining);

// Adds the findings of a later part of the run to those of earlier parts. Findings of the same check, ranks and places
// become one, and their counts are added. The findings that were taken over are emptied in more.
void mck_findings_merge(struct mck_findings *all, struct mck_findings *more);
void mck_findings_copy(struct mck_findings *to, const struct mck_findings *from); // appends copies

// For the files that decide.
struct mck_decide;
void mck_cut_settle_channel(struct mck_decide *decide, int source, uint64_t key, int32_t tag, uint64_t n);
void mck_cut_settle_sequence(struct mck_decide *decide, int member, uint64_t key, uint64_t n);
