// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchange: steps 1 to 3 of the judge in MPI_Finalize, over PMPI on a communicator of our own. Then the findings of all
// ranks, and the stacks that they need, are gathered on rank 0.
#pragma once
#include <mpi.h>
#include "judge/judge.h"
#include "report/report.h"

// Judges on rank 0 what needs the logs of all ranks at once (judge/whole/whole.h). Collective over comm. seen:
// mck_unshared_note of each window. Returns an MPI error code.
int mck_judge_together(const struct mck_reader *own, const uint8_t *seen, const char *dir,
                       const struct mck_judge_run *how, unsigned needs, MPI_Comm comm, struct mck_findings *judged);
// Collective over comm, a duplicate of MPI_COMM_WORLD. dir: where the logs are (log-gather.h); local: the findings of
// this rank; early: those of the cuts (cut-round.h). Returns 0 or an MPI error code.
//
// On rank 0 all gets the findings of all ranks, also those in local. stacks gives the stacks of their places until
// mck_exchange_free. run gets the sums over all ranks. On other ranks all stays empty.
struct mck_exchange;
int mck_judge_exchange(struct mck_reader *own, const char *dir, MPI_Comm comm, const struct mck_findings *local,
                       const struct mck_findings *early, struct mck_findings *all, struct mck_stack_source *stacks,
                       struct mck_report_run *run, struct mck_exchange **exchange);
void mck_exchange_free(struct mck_exchange *exchange);
