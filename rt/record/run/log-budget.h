// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a rank's log has passed its budget (option log_budget), all ranks judge what is settled and recycle their
// logs. They do so at a cut: behind a collective on MPI_COMM_WORLD that no rank leaves before all have entered it.
// docs/design/incremental.md says how they agree without a message. All this is called on the thread that calls MPI,
// and never under MPI_THREAD_MULTIPLE.
#pragma once
#include "judge/transport/cut-round.h"
#include "record/call/call-args.h"
#include "record/call/call.h"

enum { MCK_BUDGET_TERMS = 3 };
// Called in MPI_Init. open maps what the ranks of a node share; terms: those of this rank, of which all ranks then
// take the minimum. agreed: whether the whole job is on one node; the answer is the same on all ranks.
void mck_budget_open(const char *dir, int terms[MCK_BUDGET_TERMS]);
bool mck_budget_agreed(const char *dir, const int terms[MCK_BUDGET_TERMS]);
// Called around a blocking collective: it is a point if no rank leaves it before all have entered it.
void mck_budget_enter(struct mck_call *call, const struct mck_args *a);
void mck_budget_leave(struct mck_call *call, const struct mck_args *a);
// Called around a point on MPI_COMM_WORLD.
void mck_budget_enter_world(void);
void mck_budget_leave_world(void);

// judge-cost.c, option stats: what the judge cost. begin returns a time; end adds what has passed since.
double mck_judge_cost_begin(void);
double mck_judge_cost_end(double begin, bool is_cut); // seconds
void mck_judge_cost_print(uint64_t events);           // collective over our communicator
// cut-log.c: collective. If the result is not DONE, the logs stay as they are. kept: units of the new log; is_urgent:
// judge/transport/cut-round.h.
enum mck_cut_round mck_run_cut_log(bool is_urgent, uint64_t *kept);
