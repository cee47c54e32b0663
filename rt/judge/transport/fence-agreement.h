// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fence agreement: the ranks find out together whether the sweep over fence epochs has left pairs of accesses to the
// walk (rma/fence-epoch.h). Epochs in which messages may order something are many, such pairs are few: without them no
// logs are gathered for that.
#pragma once
#include <mpi.h>
#include "judge/index.h"
#include "judge/whole/whole.h"

// Collective, behind mck_judge_decide. Takes MCK_WHOLE_FENCES out of needs, or leaves it there, on all ranks. judge: or
// NULL. Returns 0 or an MPI error code.
static inline int mck_agree_on_fences(const struct mck_judge *judge, unsigned *needs, MPI_Comm comm) {
  int is_needed = judge && judge->has_open_pairs,
      rc = PMPI_Allreduce(MPI_IN_PLACE, &is_needed, 1, MPI_INT, MPI_MAX, comm);
  if (!is_needed) *needs &= ~(unsigned)MCK_WHOLE_FENCES;
  return rc;
}
