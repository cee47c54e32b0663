// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cut over MPI (cut.h, docs/design/incremental.md): all ranks judge what is settled and learn what may leave their
// logs.
#pragma once
#include <mpi.h>
#include "judge/cut/cut.h"
#include "judge/transport/parcel-exchange.h"

// Collective over comm. On success carried is what stays of own's units, and what was found is merged into early. Else,
// on all ranks alike, the logs stay as they are, and nothing was found. POSTPONED: an epoch of MPI_Win_start or
// MPI_Win_post is open, of which only both sides together know what it completes: another point will do better.
// is_urgent (of any rank): no, it is this one; what such epochs do is not judged any more, and a note says so.
enum mck_round { MCK_ROUND_FAILED, MCK_ROUND_POSTPONED, MCK_ROUND_DONE };
enum mck_round mck_judge_round(const struct mck_reader *own, const struct mck_pending *pending, bool is_urgent,
                               const char *dir, MPI_Comm comm, struct mck_findings *early, struct mck_carried *carried);
