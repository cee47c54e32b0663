// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cut: judging a run that goes on, so that its logs can be recycled (docs/design/incremental.md). All ranks stand
// behind the same synchronizing collective. What is settled is judged and leaves the logs, and what is left is a log
// again, so neither the judge at the end nor the one on files knows of cuts.
//
//   index_cut, parcels    as ever, but knowing which operations are not complete
//   decide                judges what is settled, and makes verdicts: how much of each channel and sequence that was
//   take                  a rank learns from the verdicts of all how much of its sends and collectives is settled
//   carry                 the units that stay
//
// Settled is: the first messages of a channel that have both send and receive, up to the first receive that may still
// change (incomplete, or a wildcard without a match); the first collectives of a communicator that all members have
// entered and in which they agree; fence epochs that are closed. A later analysis that needs state across a cut keeps
// it as units, too: carry (remaining-log.c) is the one place where units stay or go.
#pragma once
#include "judge/judge.h"

// Events that requests and matched messages still refer to, ascending.
struct mck_pending {
  const uint32_t *events;
  size_t count;
};
// index: of what is pending, where it went. last: the synchronizing collective, which stays as a plain call, so that a
// run that dies next has a last call.
struct mck_carried {
  struct mck_event *events;
  size_t count, capacity; // units
  uint32_t *moved;        // by pending
};

struct mck_judge *mck_judge_index_cut(const struct mck_reader *log, uint32_t size, const struct mck_pending *pending);
struct mck_parcel *
mck_judge_verdicts(struct mck_judge *judge); // after decide: size parcels, [rank]; NULL: out of memory
bool mck_judge_take(struct mck_judge *judge, int rank, const struct mck_parcel *verdict); // false: malformed
// false: out of memory. mck_carried_free in any case.
bool mck_judge_carry(const struct mck_judge *judge, struct mck_carried *carried);
void mck_carried_free(struct mck_carried *carried);

// Adds what a later part of the run found to what earlier parts did: one finding for the same check, ranks and places,
// counted. Of more is emptied what was taken over.
void mck_findings_merge(struct mck_findings *all, struct mck_findings *more);
void mck_findings_copy(struct mck_findings *to, const struct mck_findings *from); // appends

// For those who decide.
struct mck_decide;
void mck_cut_settle_channel(struct mck_decide *decide, int source, uint64_t key, int32_t tag, uint64_t n);
void mck_cut_settle_sequence(struct mck_decide *decide, int member, uint64_t key, uint64_t n);
