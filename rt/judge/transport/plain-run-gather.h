// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather texts: of a plain run (order/plain-run.h) each rank reads its own log, all at the same time, and rank 0 gets
// the texts: a sixteenth of the logs. Then it reads nothing of those but their first events and their definitions
// (log-gather.h).
#pragma once
#include <mpi.h>
#include "order/plain-run.h"

// Collective. has_texts: on rank 0, it has those of all ranks, neither checked nor joined; elsewhere it has nothing in
// any case. Returns the first MPI error. Free texts in any case.
int mck_gather_texts(const struct mck_reader *own, MPI_Comm comm, struct mck_texts *texts, bool *has_texts);
