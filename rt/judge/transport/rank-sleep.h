// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank sleep: all ranks wait for rank 0, asleep. The library would spin, and would take the cores that rank 0 works on
// if there are more ranks than cores. An empty message ends the wait. On rank 0's node a futex in the header of its log
// says when to look for the message; elsewhere a clock does.
#pragma once
#include <mpi.h>
#include "log/log.h"

struct mck_rank_sleep {
  _Atomic uint32_t *wakeups; // in the header of rank 0's log; NULL: it cannot be seen
  void *map;
  uint32_t nth;
};
// dir: the directory of this node's logs; NULL: unknown.
void mck_rank_sleep_open(struct mck_rank_sleep *rank_sleep, const struct mck_reader *own, const char *dir);
void mck_rank_sleep_close(struct mck_rank_sleep *rank_sleep);
// Collective over comm. The other ranks return when rank 0 has called it. Returns an MPI error code.
int mck_rank_sleep_wait(struct mck_rank_sleep *rank_sleep, MPI_Comm comm);
