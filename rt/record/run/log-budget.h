// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a rank's log has passed its budget (option log_budget), all ranks judge what is settled and recycle their logs:
// at a cut, behind a collective on MPI_COMM_WORLD that no rank leaves before all have entered it. How they agree
// without a message: docs/design/incremental.md. Called on the thread that calls MPI; never under MPI_THREAD_MULTIPLE.
#pragma once
#include "judge/transport/cut-round.h"
#include "record/runtime.h"

enum { MCK_BUDGET_TERMS = 3 };
// In MPI_Init: opens what the ranks of a node share; terms: this rank's, of which all ranks then have the minimum.
// agreed: is the whole job on one node? Answers alike on all ranks.
void mck_budget_open(const char *dir, int terms[MCK_BUDGET_TERMS]);
bool mck_budget_agreed(const char *dir, const int terms[MCK_BUDGET_TERMS]);
// Around a blocking collective.
void mck_budget_enter_world(struct mck_call *call, const struct mck_args *a);
void mck_budget_leave_world(struct mck_call *call, const struct mck_args *a);
static inline void mck_budget_enter(struct mck_call *call, const struct mck_args *a) {
  if (a->comm == MPI_COMM_WORLD) mck_budget_enter_world(call, a);
}
static inline void mck_budget_leave(struct mck_call *call, const struct mck_args *a) {
  if (a->comm == MPI_COMM_WORLD) mck_budget_leave_world(call, a);
}

// judge-cost.c, option stats: what judging took. begin returns a time; end adds what has passed since.
double mck_stats_begin(void);
void mck_stats_end(double begin, bool is_cut);
void mck_stats_print(uint64_t events); // collective over our communicator
// cut-log.c: collective. Not DONE: the logs stay as they are. kept: units of the new log; is_urgent:
// judge/transport/cut-round.h.
enum mck_round mck_recycle(bool is_urgent, uint64_t *kept);
