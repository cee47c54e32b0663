// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps 1-3 of the judge in MPI_Finalize, over PMPI on a communicator of our own, then the gathering of all findings
// and of the stacks that they name on rank 0.
#pragma once
#include <mpi.h>
#include "judge/judge.h"
#include "report/report.h"

// Collective over comm (a duplicate of MPI_COMM_WORLD). dir: where the logs are (judge/transport/log-gather.h). local:
// this rank's own findings; early: those of the cuts (cut-round.h). On rank 0 all receives everything (local ones of
// all ranks included) and stacks can answer for every place in it until mck_exchange_free; calls gets the sum. On other
// ranks all stays empty. 0 or an MPI error code. What needs the logs of all ranks at once (judge/whole/whole.h), on
// rank 0. Collective over comm; seen: mck_unshared_note, by window. An MPI error code.
int mck_judge_together(const struct mck_reader *own, const uint8_t *seen, const char *dir,
                       const struct mck_judge_run *how, unsigned needs, MPI_Comm comm, struct mck_findings *judged);
struct mck_exchange;
int mck_judge_exchange(struct mck_reader *own, const char *dir, MPI_Comm comm, const struct mck_findings *local,
                       const struct mck_findings *early, struct mck_findings *all, struct mck_stack_source *stacks,
                       struct mck_report_run *run, struct mck_exchange **exchange);
void mck_exchange_free(struct mck_exchange *exchange);
