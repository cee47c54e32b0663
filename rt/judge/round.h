// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cut over MPI (cut.h, docs/design/incremental.md): all ranks judge what is settled and learn what may leave their logs.
#pragma once
#include <mpi.h>
#include "judge/cut.h"
#include "judge/move.h"

// Collective over comm. On success carried is what stays of own's units, and what was found is merged into early. false
// on all ranks alike: the logs stay as they are, and nothing was found.
bool mck_judge_round(const struct mck_reader *own, const struct mck_pending *pending, MPI_Comm comm,
                     struct mck_findings *early, struct mck_carried *carried);
