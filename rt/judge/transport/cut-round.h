// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cut round: a cut over MPI (cut.h, docs/design/incremental.md). All ranks judge what is settled, and learn what may
// leave their logs.
#pragma once
#include <mpi.h>
#include "judge/cut/cut.h"
#include "judge/transport/parcel-exchange.h"

// Collective over comm. On success remaining has the units of own that stay, and the findings are merged into early.
// Otherwise the logs stay as they are on all ranks, and there are no findings.
//
// POSTPONED: an epoch of MPI_Win_start or MPI_Win_post is open. Only both sides together know what it completes, so
// another point is better. is_urgent (on any rank) means that this point is taken anyway. Then such epochs are not
// judged any more, and a note says so.
enum mck_cut_round { MCK_CUT_ROUND_FAILED, MCK_CUT_ROUND_POSTPONED, MCK_CUT_ROUND_DONE };
enum mck_cut_round mck_judge_cut_round(const struct mck_reader *own, const struct mck_pending *pending, bool is_urgent,
                                       const char *dir, MPI_Comm comm, struct mck_findings *early,
                                       struct mck_remaining_log *remaining);
