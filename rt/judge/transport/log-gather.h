// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather: the logs of all ranks on rank 0, in MPI_Finalize. Those of its node are files beside its own, and are mapped;
// the bytes of the others come over PMPI.
#pragma once
#include <mpi.h>
#include "judge/judge.h"
#include "judge/transport/rank-sleep.h"
#include "order/plain-run.h"

struct mck_gathered {
  struct mck_reader *logs; // by rank, those that could be had; rank 0 only
  size_t n;
  void **memory; // of those that came as bytes
  size_t nmemory;
  bool is_read; // the logs are there; false: of most of them only what mck_log_read_parts reads
};
// Of each log the first units, UINT64_MAX: all. Collective over comm; dir: where rank 0's log is, NULL: nothing can be
// mapped. All ranks have stopped logging. An MPI error code. texts: on rank 0, those of all ranks, or NULL. If each
// fits its log, no more is read of those than the first units and the definitions.
int mck_judge_gather(struct mck_gathered *gathered, const struct mck_reader *own, uint64_t units,
                     const struct mck_texts *texts, uint64_t first, const char *dir, struct mck_rest *rest,
                     MPI_Comm comm);
void mck_gathered_read(struct mck_gathered *gathered); // all of them
void mck_gathered_free(struct mck_gathered *gathered);
