// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Option stats: what the judge cost, on the rank where it cost most. Pieces: messages of events and verdicts that a
// rank sent and received; bytes: what it received. docs/design/incremental.md has figures.
#include <stdio.h>
#include "judge/transport/cut-round.h"
#include "record/run/log-budget.h"
#include "record/runtime.h"

static double cut_seconds, end_seconds;
static uint64_t ncuts;

double mck_judge_cost_begin(void) { return PMPI_Wtime(); }

double mck_judge_cost_end(double begin, bool is_cut) {
  double seconds = PMPI_Wtime() - begin;
  if (is_cut) cut_seconds += seconds, ncuts++;
  else end_seconds += seconds;
  return seconds;
}

void mck_judge_cost_print(uint64_t events) {
  struct mck_moved moved = mck_judge_moved();
  double mine[6] = {(double)ncuts,  cut_seconds * 1e3,    end_seconds * 1e3,
                    (double)events, (double)moved.pieces, (double)moved.bytes};
  double most[6], sum[6];
  if (!mck_options.stats) return;
  PMPI_Reduce(mine, most, 6, MPI_DOUBLE, MPI_MAX, 0, mck_rt.comm);
  PMPI_Reduce(mine, sum, 6, MPI_DOUBLE, MPI_SUM, 0, mck_rt.comm);
  if (mck_rt.rank == 0)
    fprintf(stderr,
            "==mpicc-check== judge: %.0f cuts %.1f ms, end %.1f ms; on one rank at most %.0f units left, %.0f pieces, "
            "%.0f bytes; on the average %.0f pieces, %.0f bytes\n",
            most[0], most[1], most[2], most[3], most[4], most[5], sum[4] / mck_rt.size, sum[5] / mck_rt.size);
}
