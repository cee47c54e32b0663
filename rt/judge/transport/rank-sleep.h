// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rest: all ranks wait for rank 0, asleep. The library would spin: with more ranks than cores, on the cores that rank 0
// works on. What ends the wait is an empty message; on rank 0's node a futex in the header of its log says when to look
// for it, elsewhere a clock does.
#pragma once
#include <mpi.h>
#include "log/log.h"

struct mck_rest {
  _Atomic uint32_t *bell; // NULL: there is none
  void *map;
  uint32_t nth;
};
// dir: where the logs of this node are, NULL: unknown.
void mck_rest_open(struct mck_rest *rest, const struct mck_reader *own, const char *dir);
void mck_rest_close(struct mck_rest *rest);
// Collective over comm; the others return when rank 0 has come. An MPI error code.
int mck_rest(struct mck_rest *rest, MPI_Comm comm);
