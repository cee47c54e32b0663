// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two exchanges: parcels to those who decide, verdicts back. What fails on one rank is agreed upon before anything counts:
// a rank that recycled while another did not would make their logs disagree.
#include "judge/round.h"
#include <stdlib.h>
#include "judge/index.h"
#include "judge/move.h"
#include "judge/parcel.h"

static bool agree(bool is_good, MPI_Comm comm) {
  int all = is_good;
  return PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm) == MPI_SUCCESS && all;
}

bool mck_judge_round(const struct mck_reader *own, const struct mck_pending *pending, MPI_Comm comm,
                     struct mck_findings *early, struct mck_carried *carried) {
  int size;
  PMPI_Comm_size(comm, &size);
  *carried = (struct mck_carried){0};
  bool is_whole = !atomic_load(&own->header->is_incomplete) && own->damaged == UINT64_MAX;
  struct mck_judge *judge = is_whole ? mck_judge_index_cut(own, (uint32_t)size, pending) : NULL;
  const struct mck_parcel *parcels = judge && !judge->is_partial ? mck_judge_parcels(judge) : NULL, *verdicts = NULL;
  struct mck_parcel *from = calloc((size_t)size, sizeof *from), *told = calloc((size_t)size, sizeof *told);
  struct mck_findings found = {0};
  bool is_good = agree(parcels && from && told, comm), is_complete = true;
  if (is_good) is_good = mck_judge_move(parcels, from, size, comm, &is_complete) == MPI_SUCCESS && is_complete;
  if (is_good) {
    struct mck_judge_run run = {(uint32_t)size, false};
    mck_judge_decide(judge, from, &run, &found);
    verdicts = mck_judge_verdicts(judge);
    is_complete = verdicts != NULL;
    is_good = mck_judge_move(verdicts, told, size, comm, &is_complete) == MPI_SUCCESS && is_complete;
  }
  if (is_good) {
    for (int r = 0; is_good && r < size; r++) is_good = mck_judge_take(judge, r, &told[r]);
    is_good = agree(is_good && mck_judge_carry(judge, carried), comm);
  }
  if (is_good) mck_findings_merge(early, &found);
  else mck_carried_free(carried);
  mck_findings_free(&found);
  mck_parcels_free(from, (size_t)size);
  mck_parcels_free(told, (size_t)size);
  mck_judge_free(judge);
  return is_good;
}
