// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather: brings the logs of all ranks to rank 0, in MPI_Finalize. The logs of its own node are files, which it maps.
// The bytes of the others come over PMPI.
#pragma once
#include <mpi.h>
#include "judge/judge.h"
#include "judge/transport/rank-sleep.h"
#include "order/plain-run.h"

struct mck_gathered {
  struct mck_reader *logs; // the available ones by rank, on rank 0 only
  size_t n;
  void **memory; // the memory of those that came as bytes
  size_t nmemory;
  bool is_read; // the logs are read; false: of most of them only what mck_log_read_parts reads
};
// Collective over comm, when all ranks have stopped logging. Returns an MPI error code.
//
// units: the limit of units of each log; UINT64_MAX: all. dir: the directory of rank 0's log; NULL: nothing can be
// mapped. plain_run: on rank 0 that of all ranks, or NULL. If each plain log fits its log, only the first units (first)
// and the definitions are read of the logs.
int mck_judge_gather(struct mck_gathered *gathered, const struct mck_reader *own, uint64_t units,
                     const struct mck_plain_run *plain_run, uint64_t first, const char *dir,
                     struct mck_rank_sleep *rank_sleep, MPI_Comm comm);
void mck_gathered_read(struct mck_gathered *gathered); // reads all of them
void mck_gathered_free(struct mck_gathered *gathered);
