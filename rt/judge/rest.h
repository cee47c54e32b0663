// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rest: all ranks wait for rank 0, asleep. The library would spin: with more ranks than cores, on the cores that rank 0 works on.
#pragma once
#include <mpi.h>

// Collective over comm; the others return some 100 us after rank 0 has come. An MPI error code.
int mck_judge_rest(MPI_Comm comm);
